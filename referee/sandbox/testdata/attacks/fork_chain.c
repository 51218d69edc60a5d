// expects: none=ok basic=ok box=ok strict=ok
#include "attack.h"
#include <time.h>
// Each generation leaves the session, forks the next and ends, so that no list
// of processes holds the one that lives.
int main(void) {
	if (fork()) return 0;
	for (int i = 0; i < 3; i++) close(i);
	for (time_t end = time(0) + 10; time(0) < end;) {
		setsid();
		pid_t pid = fork();
		if (pid > 0) _exit(0);
	}
	return 0;
}
