// no attack
#include "attack.h"
#include <dirent.h>
#include <sys/inotify.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/statfs.h>
#include <time.h>
// Prints what a program finds when it begins, and how much it may still have:
// what one finds in a new cell, all later ones are to find.
static int volatile_file(const char *path) {
	static const char *const list[] = {"/random", "-state", "-nr", "/nr", "/perf_", "/tainted", "/quota", "_count", "/sched_domain", "stat_refresh"};
	for (unsigned i = 0; i < sizeof list / sizeof *list; i++)
		if (strstr(path, list[i])) return 1;
	return 0;
}
static void print_file(const char *path, const char *only, const char *not) {
	FILE *f = fopen(path, "r");
	char line[4096];
	while (f && fgets(line, sizeof line, f)) {
		if ((only && strncmp(line, only, strlen(only))) || (not && strstr(line, not))) continue;
		printf("%s: %s%s", path, line, strchr(line, '\n') ? "" : "\n");
	}
	if (f) fclose(f);
}
static void walk(const char *dir) {
	DIR *d = opendir(dir);
	struct dirent *e;
	char path[1024];
	while (d && (e = readdir(d))) {
		if (e->d_name[0] == '.') continue;
		snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
		if (volatile_file(path)) continue;
		if (e->d_type == DT_DIR) walk(path);
		else print_file(path, 0, 0);
	}
	if (d) closedir(d);
}
static void print_status(void) {
	static const char *const lines[] = {"Umask", "PPid", "TracerPid", "Uid", "Gid", "FDSize", "Groups", "NStgid", "NSpid", "NSpgid", "NSsid", "Threads",
		"SigQ", "SigPnd", "ShdPnd", "SigBlk", "SigIgn", "SigCgt", "Cap", "NoNewPrivs", "Seccomp", "Specul", "Cpus_allowed", "VmLck", "CoreDumping", "THP"};
	for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++) print_file("/proc/self/status", lines[i], 0);
}
static void print_tree(const char *dir, int depth) {
	DIR *d = opendir(dir);
	struct dirent *e;
	char path[1024];
	struct stat st;
	while (d && (e = readdir(d))) {
		if (!strcmp(e->d_name, "..")) continue;
		snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
		if (lstat(path, &st) || !strcmp(e->d_name, "self")) continue;
		printf("file %s: %o %d %d", path, st.st_mode, (int)st.st_uid, (int)st.st_gid);
		if (!strncmp(path, "//proc", 6)) st.st_nlink = 0; // all processes of the machine count
		int own = strncmp(path, "//tmp", 5) && st.st_nlink; // as old as the cell
		printf(" %d", (int)st.st_nlink);
		if (own && !S_ISDIR(st.st_mode)) printf(" %ld", (long)st.st_size);
		if (own && strcmp(e->d_name, ".") && depth) printf(" %ld %ld", (long)st.st_ctime, (long)st.st_mtime);
		printf("\n");
		if (depth > 0 && S_ISDIR(st.st_mode) && e->d_name[0] != '.' && strncmp(path, "//proc", 6)) print_tree(path, depth - 1);
	}
	if (d) closedir(d);
}
static void print_mounts(void) { // without their numbers
	FILE *f = fopen("/proc/self/mountinfo", "r");
	char line[4096];
	while (f && fgets(line, sizeof line, f)) {
		char *rest = line;
		for (int i = 0; i < 3 && rest; i++) rest = strchr(rest + 1, ' ');
		if (rest) printf("mount%s", rest);
	}
	if (f) fclose(f);
}
static void print_limits(void) {
	for (int i = 0; i < RLIM_NLIMITS; i++) {
		struct rlimit l;
		if (getrlimit(i, &l) == 0) printf("limit %d: %lu %lu\n", i, (long)l.rlim_cur, (long)l.rlim_max);
	}
	struct statfs fs;
	if (statfs("/tmp", &fs) == 0) printf("/tmp: %ld %ld of %ld, %ld of %ld files\n", (long)fs.f_flags, (long)fs.f_bfree, (long)fs.f_blocks, (long)fs.f_ffree, (long)fs.f_files);
	if (statfs("/", &fs) == 0) printf("/: %ld %ld of %ld, %ld of %ld files\n", (long)fs.f_flags, (long)fs.f_bfree, (long)fs.f_blocks, (long)fs.f_ffree, (long)fs.f_files);
}
static void print_rest(void) {
	static const int options[] = {PR_GET_DUMPABLE, PR_GET_KEEPCAPS, PR_GET_TIMERSLACK, PR_GET_SECUREBITS, PR_GET_NO_NEW_PRIVS, PR_GET_THP_DISABLE};
	struct itimerval timer;
	struct rusage u;
	struct sched_param p;
	for (unsigned i = 0; i < sizeof options / sizeof *options; i++) printf("option %d: %d\n", options[i], prctl(options[i], 0, 0, 0, 0));
	int reaper = -1, sig = -1;
	prctl(PR_GET_CHILD_SUBREAPER, &reaper);
	prctl(PR_GET_PDEATHSIG, &sig);
	sched_getparam(0, &p);
	printf("subreaper %d, signal at death of parent %d, personality %x\n", reaper, sig, personality(0xffffffff));
	printf("scheduled %d %d %d\n", sched_getscheduler(0), p.sched_priority, getpriority(PRIO_PROCESS, 0));
	printf("ids %d %d %d %d\n", getpid(), getppid(), getpgrp(), getsid(0));
	getitimer(ITIMER_REAL, &timer);
	printf("timer %ld\n", (long)timer.it_value.tv_sec);
	getrusage(RUSAGE_CHILDREN, &u);
	printf("children %ld %ld %ld %ld\n", (long)u.ru_utime.tv_usec, (long)u.ru_stime.tv_usec, u.ru_maxrss, u.ru_minflt);
}
// How many it may have, of what all programs of a user share.
static void print_rooms(void) {
	int n, children[512];
	timer_t id;
	struct sigevent ev = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
	for (n = 0; n < 2000 && timer_create(CLOCK_MONOTONIC, &ev, &id) == 0; n++) {
	}
	printf("room for %d timers\n", n);
	for (n = 0; n < 512 && (children[n] = fork()) >= 0; n++)
		if (children[n] == 0) for (;;) pause();
	printf("room for %d processes\n", n);
	while (n > 0) kill(children[--n], SIGKILL);
	while (wait(0) > 0) {
	}
	int a[2], c;
	socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, a);
	for (n = 0; n < 8 && send_fd(a[0], 0) >= 0; n++) {
	}
	printf("room for %d descriptors on their way\n", n);
	if (getuid() == 1000) return; // an ordinary user's contestants share the rest with all of the user
	for (n = 0; n < 1000 && (c = inotify_init()) >= 0; n++) {
	}
	printf("room for %d watchers: %d\n", n, errno);
	for (c = 3; c < 600; c++) close(c);
	int fds[2];
	for (n = 0; n < 1000 && pipe(fds) == 0; n++)
		if (fcntl(fds[0], F_GETPIPE_SZ) != 65536) break;
	printf("room for %d pipes\n", n);
}
int main(int argc, char **argv, char **environ) {
	for (int i = 0; i < argc; i++) printf("argument %s\n", argv[i]);
	for (int i = 0; environ[i]; i++) printf("variable %s\n", environ[i]);
	print_rest();
	print_status();
	print_limits();
	print_file("/proc/self/limits", 0, 0);
	print_file("/proc/self/autogroup", "nice", 0);
	print_file("/proc/self/oom_score_adj", 0, 0);
	print_file("/proc/self/coredump_filter", 0, 0);
	print_file("/proc/self/timerslack_ns", 0, 0);
	print_file("/proc/self/loginuid", 0, 0);
	print_file("/proc/keys", 0, 0);
	print_file("/proc/net/unix", 0, 0);
	print_file("/proc/net/dev", 0, 0);
	print_file("/proc/net/sockstat", "sockets", 0);
	print_file("/proc/net/protocols", "UNIX", 0);
	print_mounts();
	walk("/proc/sysvipc");
	walk("/proc/sys");
	print_tree("/", 2);
	print_rooms();
	return 0;
}
