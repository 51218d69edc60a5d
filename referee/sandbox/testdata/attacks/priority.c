// expects: none=skip basic=ok box=ok strict=ok
#include "attack.h"
// Slows down all of the user, umpire included.
int main(void) {
	if (setpriority(PRIO_USER, 0, 19) == 0) got("priority of the user");
	if (setpriority(PRIO_PGRP, 0, 19) == 0) got("priority of a group");
	if (syscall(SYS_ioprio_set, 3, 0, 3 << 13) == 0) got("I/O priority of the user");
	struct sched_param p = {0};
	if (sched_setscheduler(env_int("OPPONENT"), SCHED_IDLE, &p) == 0) got("scheduling of opponent");
	// Its own priority is its own.
	if (setpriority(PRIO_PROCESS, 0, 19) != 0) return 1;
	return 0;
}
