// expects: none=skip basic=ok box=ok strict=ok
#include "attack.h"
// Stops the process that started it, and ends: nobody is to wait for that for ever.
int main(void) {
	char path[64], state = 0;
	pid_t supervisor = getppid();
	kill(supervisor, SIGSTOP);
	snprintf(path, sizeof path, "/proc/%d/stat", supervisor);
	FILE *f = fopen(path, "r");
	if (f && fscanf(f, "%*d (%*[^)]) %c", &state) == 1 && state == 'T') got("stopped");
	return 0;
}
