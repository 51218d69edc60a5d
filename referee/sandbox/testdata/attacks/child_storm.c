// expects: none=skip basic=ok box=ok strict=ok
#include "attack.h"
// Makes sixty orphans, which signal who adopts them and fork as fast as they
// can, and ends itself meanwhile. It stays below its limit of processes, those that have ended and nobody waits for included.
int main(void) {
	for (int i = 0; i < 60; i++) {
		pid_t pid = fork();
		if (pid < 0) break;
		if (pid > 0) continue;
		if (fork() == 0) {
			alarm(5);
			for (;;) {
				kill(getppid(), SIGCHLD);
				pid_t child = fork();
				if (child == 0) _exit(0);
				waitpid(child, 0, 0);
			}
		}
		_exit(0);
	}
	return 0;
}
