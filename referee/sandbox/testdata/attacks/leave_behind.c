// no attack
#include "attack.h"
#include <linux/aio_abi.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/xattr.h>
#include <time.h>
// Leaves one kind of thing behind and ends.
static void child(unsigned long flags) {
	if (syscall(SYS_clone, flags, 0, 0, 0, 0) == 0) {
		for (int s = 1; s < 65; s++) signal(s, SIG_IGN);
		for (;;) pause();
	}
}
// More real-time signals than any program may have, for the supervisor.
static void signals(void) {
	siginfo_t info = {.si_code = SI_QUEUE};
	for (int i = 0; i < 4000; i++) syscall(SYS_rt_sigqueueinfo, 1, SIGRTMIN + i % 20, &info);
	for (int s = 1; s < 65; s++) kill(1, s);
	for (int fd = 0; fd < 3; fd++) {
		fcntl(fd, F_SETOWN, 1);
		fcntl(fd, F_SETSIG, SIGRTMIN + 1);
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_ASYNC);
	}
}
static void processes(void) {
	struct sigevent ev = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMAX};
	timer_t id;
	child(CLONE_PARENT | SIGCHLD);
	child(CLONE_PARENT);
	child(0);
	child(SIGUSR1);
	if (fork() == 0) { // its children are its own until the end
		prctl(PR_SET_CHILD_SUBREAPER, 1);
		child(SIGKILL);
		if (fork() == 0) kill(getpid(), SIGSTOP);
		for (int i = 0; i < 20; i++)
			if (fork() == 0) _exit(0); // nobody waits for it
		if (vfork() == 0) for (;;) pause();
	}
	signal(SIGCHLD, SIG_IGN); // its own are gone at once
	for (int i = 0; i < 50; i++)
		if (fork() == 0) pause();
	signal(SIGRTMAX, SIG_IGN);
	while (timer_create(CLOCK_MONOTONIC, &ev, &id) == 0) {
		struct itimerspec at = {{0, 1000000}, {0, 1000000}};
		timer_settime(id, 0, &at, 0);
	}
}
static void forks(void) { // goes on while it is killed
	for (int i = 0; i < 6; i++) fork();
	signal(SIGCHLD, SIG_IGN);
	for (int i = 0; i < 40; i++)
		if (fork() > 0) _exit(0);
}
static void files(void) {
	char path[64], page[4096] = {1};
	int open_one = open("/tmp/removed", O_RDWR | O_CREAT, 0600);
	unlink("/tmp/removed");
	ftruncate(open_one, 1 << 20);
	mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, open_one, 0);
	for (int i = 0; i < 400; i++) {
		snprintf(path, sizeof path, "/tmp/planted%d", i);
		mkdir(path, 0);
	}
	setxattr("/tmp/planted1", "user.planted", page, 100, 0);
	int fd = open("/tmp/full", O_RDWR | O_CREAT, 0600);
	while (write(fd, page, sizeof page) > 0) {
	}
	struct timespec times[2] = {{1, 1}, {1, 1}};
	utimensat(AT_FDCWD, "/tmp", times, 0);
	utimensat(AT_FDCWD, "/", times, 0);
	utimensat(AT_FDCWD, ".", times, 0);
	utimensat(AT_FDCWD, "/dev/null", times, 0);
	chmod("/tmp", 0);
	chmod("/dev/null", 0);
	chmod("/", 0);
	chdir("/tmp");
}
static void self(void) {
	struct sched_param p = {0};
	setpriority(PRIO_PROCESS, 0, 19);
	sched_setscheduler(0, SCHED_IDLE, &p);
	personality(ADDR_NO_RANDOMIZE | READ_IMPLIES_EXEC);
	prctl(PR_SET_TIMERSLACK, 1000000000);
	prctl(PR_SET_NAME, "planted");
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	prctl(PR_SET_PDEATHSIG, 0);
	prctl(PR_SET_DUMPABLE, 1);
	prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
	for (int i = 0; i < RLIM_NLIMITS; i++) {
		struct rlimit l = {0, 0};
		setrlimit(i, &l);
	}
	struct itimerval t = {{0, 1}, {0, 1}};
	setitimer(ITIMER_PROF, &t, 0);
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, 0);
	kill(getpid(), SIGUSR1);
	umask(0777);
}
static void descriptors(void) {
	int p[2], s[2];
	aio_context_t ctx = 0;
	syscall(SYS_io_setup, 128, &ctx);
	while (inotify_init() >= 0) {
	}
	for (int fd = 3; fd < 400; fd++) close(fd);
	for (int i = 0; i < 40 && pipe(p) == 0; i++) {
		struct epoll_event ev = {0};
		fcntl(p[0], F_SETPIPE_SZ, 1 << 20);
		epoll_ctl(epoll_create1(0), EPOLL_CTL_ADD, p[0], &ev);
		flock(p[0], LOCK_EX);
	}
	socketpair(AF_UNIX, SOCK_DGRAM, 0, s);
	for (int i = 0; i < 8; i++) send_fd(s[0], p[i % 2]);
	int exe = open("/proc/self/exe", O_RDONLY);
	flock(exe, LOCK_EX);
	fcntl(exe, F_SETLEASE, F_RDLCK);
	struct flock l = {.l_type = F_RDLCK};
	fcntl(exe, F_SETLK, &l);
	fcntl(exe, F_OFD_SETLK, &l);
	if (fork() == 0) for (;;) pause();
}
static void memory(void) { // in a child, of which nobody hears
	if (fork() == 0) memset(malloc(64 << 20), 1, 64 << 20);
	wait(0);
}
int main(int argc, char **argv) {
	const char *what = argc > 1 ? argv[1] : "";
	alarm(BOUND);
	if (!strcmp(what, "signals")) signals();
	if (!strcmp(what, "processes")) processes();
	if (!strcmp(what, "forks")) forks();
	if (!strcmp(what, "files")) files();
	if (!strcmp(what, "self")) self();
	if (!strcmp(what, "descriptors")) descriptors();
	if (!strcmp(what, "memory")) memory();
	return 0;
}
