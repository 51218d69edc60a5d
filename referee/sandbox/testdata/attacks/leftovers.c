// no attack
#include "attack.h"
#include <dirent.h>
#include <sys/ipc.h>
#include <sys/xattr.h>
// Looks for what those before it have left, itself among them, and leaves as much
// as it can. Its first argument is the priority that umpire runs at. With "sockets"
// as the second it also leaves sockets that nobody has open, with "shared" it is in
// the machine's namespaces.
static int shared, umpires_priority;
static void saw(const char *what, const char *where) {
	char text[512];
	snprintf(text, sizeof text, "%s %s", what, where);
	got(text);
}
static void look_in(const char *dir) {
	DIR *d = opendir(dir);
	struct dirent *e;
	while (d && (e = readdir(d)))
		if (strncmp(e->d_name, "planted", 7) == 0) saw("file in", dir);
	if (d) closedir(d);
}
static int lines(const char *path, const char *with) {
	FILE *f = fopen(path, "r");
	char line[4096];
	int n = 0;
	while (f && fgets(line, sizeof line, f))
		if (!with || strstr(line, with)) n++;
	if (f) fclose(f);
	return n;
}
// Who else has the same supervisor was left to it.
static void look_at_siblings(void) {
	DIR *d = opendir("/proc");
	struct dirent *e;
	int self = 0;
	while (d && (e = readdir(d))) {
		char path[300];
		int pid, parent;
		snprintf(path, sizeof path, "/proc/%s/stat", e->d_name);
		FILE *f = atoi(e->d_name) > 0 ? fopen(path, "r") : 0;
		if (f && fscanf(f, "%d (%*[^)]) %*c %d", &pid, &parent) == 2 && parent == getppid()) {
			if (pid == getpid()) self = 1;
			else saw("process", e->d_name);
		}
		if (f) fclose(f);
	}
	if (d) closedir(d);
	if (!self) got("no sight of itself"); // so of nobody
}
static void look_at_processes(void) {
	DIR *d = opendir("/proc");
	struct dirent *e;
	while (d && (e = readdir(d)))
		if (atoi(e->d_name) > 0 && atoi(e->d_name) != getpid()) saw("process", e->d_name);
	if (d) closedir(d);
	if (getpid() != 2) got("process number");
	FILE *f = fopen("/proc/sys/kernel/ns_last_pid", "r");
	int last = 0;
	if (f && fscanf(f, "%d", &last) == 1 && last != 2) got("last process number");
	if (f) fclose(f);
}
static void look_at_self(void) {
	struct rusage u;
	struct rlimit l;
	sigset_t set;
	char name[65] = "";
	if (getrusage(RUSAGE_CHILDREN, &u) || u.ru_utime.tv_sec || u.ru_utime.tv_usec || u.ru_maxrss) got("usage of children");
	if (getpriority(PRIO_PROCESS, 0) != umpires_priority) got("priority");
	if (umask(022) != 022) got("umask");
	if (getrlimit(RLIMIT_SIGPENDING, &l) || l.rlim_cur != 1024) got("limit of signals");
	sigemptyset(&set);
	if (sigpending(&set) || !sigisemptyset(&set)) got("signals");
	if (sigprocmask(SIG_BLOCK, 0, &set) || !sigisemptyset(&set)) got("blocked signals");
	if (!shared && (gethostname(name, sizeof name) || strcmp(name, "umpire"))) saw("host name", name);
	for (int fd = 3; fd < 1024; fd++)
		if (fcntl(fd, F_GETFD) >= 0) got("a descriptor");
}
static struct sockaddr_un planted = {.sun_family = AF_UNIX, .sun_path = "\0planted"};
static const socklen_t planted_len = offsetof(struct sockaddr_un, sun_path) + 8;
static void look(void) {
	char c;
	struct stat st;
	look_in("/tmp");
	look_in("/dev/shm");
	look_in(".");
	look_in("/");
	look_at_self();
	if (getenv("TMPDIR")) look_in(getenv("TMPDIR"));
	if (shared) {
		look_at_siblings();
		return;
	}
	if (stat("/tmp", &st) || (st.st_mode & 07777) != 01777) got("mode of /tmp");
	if (getxattr("/tmp", "user.planted", &c, 1) >= 0) got("attribute");
	look_at_processes();
	if (lines("/proc/net/unix", 0) != 1) got("sockets");
	if (lines("/proc/sysvipc/shm", 0) > 1 || lines("/proc/sysvipc/sem", 0) > 1 || lines("/proc/sysvipc/msg", 0) > 1) got("objects");
	if (lines("/proc/self/mountinfo", "planted")) got("mount");
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (connect(fd, (struct sockaddr *)&planted, planted_len) == 0) got("socket");
	close(fd);
}
static void plant_in(const char *dir) {
	char path[256];
	snprintf(path, sizeof path, "%s/planted", dir);
	int fd = open(path, O_RDWR | O_CREAT, 0666);
	if (fd >= 0) ftruncate(fd, 8 << 20);
	if (fd >= 0) mmap(0, 8 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
	snprintf(path, sizeof path, "%s/planted.fifo", dir);
	mkfifo(path, 0666);
	open(path, O_RDWR);
}
static void plant(int sockets) {
	plant_in("/tmp");
	plant_in("/dev/shm");
	plant_in(".");
	plant_in("/");
	if (getenv("TMPDIR")) plant_in(getenv("TMPDIR"));
	chmod("/tmp", 0700);
	setxattr("/tmp", "user.planted", "x", 1, 0);
	syscall(SYS_shmget, 4711, 4096, IPC_CREAT | 0666);
	syscall(SYS_msgget, 4711, IPC_CREAT | 0666);
	syscall(SYS_semget, 4711, 1, IPC_CREAT | 0666);
	syscall(SYS_mq_open, "planted", O_CREAT | O_RDWR, 0666, 0);
	for (int s = 1; s < 65; s++) kill(getppid(), s);
	setpriority(PRIO_PROCESS, 0, 19);
	umask(0);
	for (int i = 0; sockets && i < 60; i++) { // each in the other's queue, in cycles
		int a[2], b[2];
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, a) || socketpair(AF_UNIX, SOCK_STREAM, 0, b)) break;
		send_fd(a[0], b[1]);
		send_fd(b[0], a[1]);
	}
	for (int i = 0; i < 20; i++) {
		if (fork() > 0) continue;
		setsid();
		for (int s = 1; s < 65; s++) signal(s, SIG_IGN);
		if (fork() == 0 && i == 0) {
			int fd = socket(AF_UNIX, SOCK_STREAM, 0);
			bind(fd, (struct sockaddr *)&planted, planted_len);
			listen(fd, 1);
		}
		for (int n = 0; n < 100; n++) sleep(1);
		_exit(0);
	}
}
int main(int argc, char **argv) {
	if (argc < 2) return 1;
	umpires_priority = atoi(argv[1]);
	shared = argc > 2 && strcmp(argv[2], "shared") == 0;
	look();
	plant(argc > 2 && !shared);
	return 0;
}
