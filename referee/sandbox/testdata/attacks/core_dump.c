// expects: none=any basic=crash box=crash strict=crash
// expects(0): none=any basic=crash box=crash strict=crash
#include "attack.h"
// Leaves a core, with its limit raised or, by an argument, set to that number:
// where cores go to a program, 0 does not stop them.
int main(int argc, char **argv) {
	rlim_t n = argc > 1 ? atoi(argv[1]) : RLIM_INFINITY;
	struct rlimit l = {n, n};
	setrlimit(RLIMIT_CORE, &l);
	syscall(SYS_prlimit64, 0, RLIMIT_CORE, &l, 0);
	if (getrlimit(RLIMIT_CORE, &l) == 0 && l.rlim_cur != 1) got("another limit of cores");
	int fd = open("/proc/self/coredump_filter", O_RDONLY);
	char filter[16] = "";
	if (fd >= 0 && read(fd, filter, sizeof filter - 1) > 0 && strtol(filter, 0, 16) != 0) got("memory in cores");
	if (chdir(env("TMPDIR")) != 0) return 0;
	abort();
}
