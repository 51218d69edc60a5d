// expects: none=ok basic=ok box=ok strict=ok
#include "attack.h"
int main(void) {
	if (fork()) return 0;
	setsid();
	signal(SIGHUP, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	alarm(100);
	for (;;) pause();
}
