// What all attacks share. Each is bounded: at most 2,000 forks, 256 MiB
// written, BOUND. An attack prints "GOT what" for each thing it got away with.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BOUND = 300 }; // seconds; more than any takes on the slowest machine

// The test tells where to aim by the environment.
static inline const char *env(const char *name) {
	const char *v = getenv(name);
	return v ? v : "/nonexistent";
}
static inline int env_int(const char *name) { return atoi(env(name)); }

static inline void got(const char *what) {
	printf("GOT %s\n", what);
	fflush(stdout);
}

// hold waits until the input ends, at most for BOUND.
static inline void hold(void) {
	char c;
	alarm(BOUND);
	while (read(0, &c, 1) > 0) {
	}
}

// map_deep makes so many folders, one in another, whose names take a KiB each where the kernel
// writes them, and maps a file there before all else.
static inline void *map_deep(int folders) {
	char name[256];
	memset(name, '\n', 255);
	name[255] = 0;
	for (int i = 0; i < folders; i++) {
		mkdir(name, 0700);
		if (chdir(name)) return MAP_FAILED;
	}
	int fd = open("mapped", O_CREAT | O_RDWR, 0600);
	return mmap((void *)0x10000, 4096, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0);
}

// send_fd sends a descriptor over a socket.
static inline int send_fd(int to, int fd) {
	char c = 0, control[CMSG_SPACE(sizeof fd)] = {0};
	struct iovec v = {&c, 1};
	struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
	struct cmsghdr *h = CMSG_FIRSTHDR(&m);
	h->cmsg_level = SOL_SOCKET, h->cmsg_type = SCM_RIGHTS, h->cmsg_len = CMSG_LEN(sizeof fd);
	memcpy(CMSG_DATA(h), &fd, sizeof fd);
	return sendmsg(to, &m, 0);
}
