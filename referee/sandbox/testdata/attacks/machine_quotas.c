// expects(aio filters): none=any basic=ok box=ok strict=ok
#include "attack.h"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
// Takes what the whole machine has a number of. Either takes little of it, to show that it could.
int main(int argc, char **argv) {
	if (argc > 1 && !strcmp(argv[1], "aio")) {
		unsigned long context = 0;
		if (syscall(SYS_io_setup, 64, &context) == 0) got("asynchronous I/O");
		return 0;
	}
	struct sock_filter allow = {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
	struct sock_fprog program = {1, &allow};
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0) got("a filter");
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0) got("a filter by prctl");
	return 0;
}
