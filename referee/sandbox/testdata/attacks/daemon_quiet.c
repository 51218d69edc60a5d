// expects: none=ok basic=ok box=ok strict=ok
#include "attack.h"
int main(void) {
	if (fork()) return 0;
	setsid();
	if (fork()) _exit(0);
	for (int i = 0; i < 3; i++) close(i);
	alarm(100);
	pause();
	return 0;
}
