// expects: none=any basic=ok box=ok strict=ok
#include "attack.h"
int main(void) {
	struct rlimit l;
	getrlimit(RLIMIT_NOFILE, &l);
	l.rlim_cur = l.rlim_max = l.rlim_max + 1;
	if (setrlimit(RLIMIT_NOFILE, &l) == 0) got("more descriptors");
	struct rlimit core = {1 << 20, 1 << 20};
	setrlimit(RLIMIT_CORE, &core);
	if (getrlimit(RLIMIT_CORE, &core) == 0 && core.rlim_cur > 1) got("core");
	errno = 0;
	if (nice(-1) != -1 || errno == 0) got("nice");
	struct sched_param p = {.sched_priority = 1};
	if (sched_setscheduler(0, SCHED_FIFO, &p) == 0) got("real time");
	struct rlimit other = {64, 64};
	if (syscall(SYS_prlimit64, env_int("UMPIRE"), RLIMIT_NOFILE, 0, &other) == 0) got("limits of umpire");
	if (setpriority(PRIO_PROCESS, env_int("OPPONENT"), 19) == 0) got("priority of opponent");
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(1, &set);
	if (sched_setaffinity(0, sizeof set, &set) == 0) got("affinity");
	return 0;
}
