// expects: none=skip basic=ok basic-of-user=security+any box=ok strict=ok
#include "attack.h"
int main(void) {
	alarm(BOUND);
	int n = 0;
	pid_t list[2000];
	for (; n < 2000; n++) {
		pid_t pid = fork();
		if (pid < 0) break;
		if (pid == 0) {
			alarm(BOUND);
			pause();
			_exit(0);
		}
		list[n] = pid;
	}
	if (n > 300) sleep(100); // hold them until they are found
	if (n >= 1900) got("forks");
	fprintf(stderr, "%d forks\n", n);
	for (int i = 0; i < n; i++) kill(list[i], SIGKILL);
	return 0;
}
