// expects: none=skip basic=ok box=ok strict=ok
#include "attack.h"
int main(void) {
	pid_t umpire = env_int("UMPIRE"), opponent = env_int("OPPONENT");
	if (kill(umpire, SIGCONT) == 0) got("signal umpire");
	if (kill(opponent, SIGKILL) == 0) got("kill opponent");
	if (kill(-opponent, SIGKILL) == 0) got("kill the opponent's group");
	if (syscall(SYS_tkill, opponent, SIGKILL) == 0) got("tkill opponent");
	if (syscall(SYS_tgkill, opponent, opponent, SIGKILL) == 0) got("tgkill opponent");
	if (sigqueue(opponent, SIGKILL, (union sigval){0}) == 0) got("sigqueue to opponent");
	int fd = syscall(SYS_pidfd_open, opponent, 0);
	if (fd >= 0 && syscall(SYS_pidfd_send_signal, fd, SIGKILL, 0, 0) == 0) got("kill opponent by pidfd");
	// A descriptor that can be read lets the kernel signal its owner.
	int p[2], s[2];
	if (pipe(p) == 0 && fcntl(p[0], F_SETOWN, opponent) == 0 && fcntl(p[0], F_SETSIG, SIGKILL) == 0 &&
		fcntl(p[0], F_SETFL, O_ASYNC) == 0 && write(p[1], "x", 1) == 1)
		got("own a pipe's signals");
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, s) == 0 && ioctl(s[0], FIOSETOWN, &opponent) == 0)
		got("own a socket's signals");
	return 0;
}
