// expects: none=skip basic=ok box=ok strict=ok
#include "attack.h"
#include <sys/prctl.h>
// Everything but signals by which a process can change or read another of its
// own user, tried on who has started the program.
static const char *written[] = {
	"oom_score_adj", "oom_adj", "autogroup", "mem", "timerslack_ns", "clear_refs", "coredump_filter", "comm", "sched",
	"setgroups", "uid_map", "gid_map", "projid_map", "loginuid", "make-it-fail", "fail-nth", "attr/current",
};
static const char *looked_at[] = {
	"environ", "mem", "maps", "smaps", "stack", "syscall", "auxv", "io", "fd/0", "cwd", "root", "exe", "ns/pid", "pagemap",
	"personality", "timers",
};
static void say(const char *what, const char *path) {
	printf("GOT %s %s\n", what, path);
	fflush(stdout);
}
static void write_to(const char *path) {
	int fd = open(path, O_WRONLY);
	if (fd < 0) return;
	say("to write", path);
	close(fd);
}
// To open something may be allowed; to read it is not.
static void look_at(const char *path) {
	char buf[4096];
	if (readlink(path, buf, sizeof buf) > 0) say("to follow", path);
	int fd = open(path, O_RDONLY);
	if (fd < 0) return;
	lseek(fd, 0x400000, SEEK_SET);
	if (read(fd, buf, sizeof buf) > 0 || (lseek(fd, 0, SEEK_SET) == 0 && read(fd, buf, sizeof buf) > 0)) say("to read", path);
	close(fd);
}
static void limits(pid_t pid) {
	struct rlimit l = {64, 64};
	if (syscall(SYS_prlimit64, pid, RLIMIT_NOFILE, &l, 0) == 0) got("limits");
	if (setpriority(PRIO_PROCESS, pid, 19) == 0) got("priority");
	if (setpriority(PRIO_PGRP, 0, 19) == 0) got("priority of the group");
	if (setpriority(PRIO_USER, 0, 19) == 0) got("priority of the user");
	if (syscall(SYS_ioprio_set, 1, pid, 3 << 13) == 0) got("priority of input and output");
	struct sched_param p = {0};
	if (sched_setscheduler(pid, SCHED_IDLE, &p) == 0) got("scheduler");
	if (sched_setparam(pid, &p) == 0) got("scheduler's parameters");
	struct { unsigned size, policy; unsigned long flags; int nice; unsigned priority; unsigned long times[3]; } a = {48, SCHED_IDLE};
	if (syscall(SYS_sched_setattr, pid, &a, 0) == 0) got("scheduler's attributes");
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(0, &set);
	if (sched_setaffinity(pid, sizeof set, &set) == 0) got("affinity");
	if (prctl(62, 1, pid, 1, 0) == 0) got("core scheduling"); // PR_SCHED_CORE_CREATE
	unsigned long nodes = 1;
	if (syscall(SYS_migrate_pages, pid, 64, &nodes, &nodes) == 0) got("pages");
}
static void tamper(pid_t pid) {
	char base[64], path[128];
	for (int task = 0; task < 2; task++) {
		snprintf(base, sizeof base, task ? "/proc/%d/task/%d" : "/proc/%d", pid, pid);
		for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
			snprintf(path, sizeof path, "%s/%s", base, written[i]);
			write_to(path);
		}
		for (size_t i = 0; i < sizeof looked_at / sizeof *looked_at; i++) {
			snprintf(path, sizeof path, "%s/%s", base, looked_at[i]);
			look_at(path);
		}
	}
	limits(pid);
}
int main(void) {
	tamper(getppid());
	if (getppid() != 1) tamper(1);
	for (int fd = 3; fd < 1024; fd++) {
		if (fcntl(fd, F_GETFD) >= 0) got("a descriptor");
	}
	return 0;
}
