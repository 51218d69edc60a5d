// expects: none=skip basic=ok box=ok strict=ok
#include "attack.h"
// Every signal, in every way, to who has started the program and waits for its
// end. What it gets away with shows in its own end, or in the verdict.
static void send_all(pid_t to) {
	char path[64];
	snprintf(path, sizeof path, "/proc/%d", to);
	int fds[2] = {syscall(SYS_pidfd_open, to, 0), open(path, O_RDONLY | O_DIRECTORY)};
	siginfo_t info = {.si_code = SI_QUEUE};
	for (int sig = 1; sig <= 64; sig++) {
		kill(to, sig);
		syscall(SYS_tkill, to, sig);
		syscall(SYS_tgkill, to, to, sig);
		sigqueue(to, sig, (union sigval){0});
		info.si_signo = sig;
		syscall(SYS_rt_sigqueueinfo, to, sig, &info);
		syscall(SYS_rt_tgsigqueueinfo, to, to, sig, &info);
		for (int i = 0; i < 2; i++) syscall(SYS_pidfd_send_signal, fds[i], sig, 0, 0);
		int p[2];
		if (pipe(p) == 0 && fcntl(p[0], F_SETOWN, to) == 0) {
			fcntl(p[0], F_SETSIG, sig);
			fcntl(p[0], F_SETFL, O_ASYNC);
			if (write(p[1], "x", 1) < 0) return;
		}
		close(p[0]);
		close(p[1]);
	}
}
int main(void) {
	signal(SIGHUP, SIG_IGN);
	pid_t parent = getppid();
	send_all(parent);
	send_all(1);
	// More than can be queued, and the end of children that there are not.
	for (int i = 0; i < 10000; i++) {
		sigqueue(parent, SIGRTMIN, (union sigval){0});
		kill(parent, SIGCHLD);
		kill(parent, SIGUSR1);
		kill(parent, SIGTERM);
	}
	if (getppid() != parent) got("another parent");
	return 0;
}
