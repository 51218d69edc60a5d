// expects(fifos watches texts): none=any basic=memory box=memory strict=memory
// memory: 64 MiB
#include "attack.h"
#include <sys/epoll.h>
#include <sys/eventfd.h>
// Memory that the kernel keeps for descriptors.
enum { MANY = 240 };

// fifos fills FIFOs that have, or had, a name.
static void fifos(void) {
	static char b[64 << 10];
	for (int i = 0; i < MANY; i++) {
		char name[32];
		snprintf(name, sizeof name, "f%d", getpid());
		if (mkfifo(name, 0600)) return;
		int fd = open(name, O_RDWR | O_NONBLOCK);
		unlink(name);
		if (write(fd, b, sizeof b) < 0 && write(fd, b, 4096) < 0) return;
	}
}
// watches has each of many epolls watch each of many descriptors.
static void watches(void) {
	int watched[MANY], event = eventfd(0, 0);
	for (int i = 0; i < MANY; i++) watched[i] = dup(event);
	for (int i = 0; i < MANY; i++) {
		int epoll = epoll_create1(0);
		for (int k = 0; k < MANY; k++) {
			struct epoll_event e = {.events = EPOLLIN};
			if (epoll_ctl(epoll, EPOLL_CTL_ADD, watched[k], &e)) return;
		}
	}
}
// texts reads a byte each of files of /proc whose first line was long.
static void texts(void) {
	char c;
	void *p = map_deep(16); // no longer than a path may be
	if (p == MAP_FAILED) return;
	for (int i = 0; i < 2 * MANY; i++)
		if (read(open("/proc/self/maps", O_RDONLY), &c, 1) != 1) break;
	munmap(p, 4096);
}
int main(int argc, char **argv) {
	const char *how = argc > 1 ? argv[1] : "";
	if (chdir(env("TMPDIR"))) return 0;
	int processes = strcmp(how, "fifos") ? 7 : 40; // of most FIFOs the kernel takes 8 KiB alone
	for (int i = 0; i < processes; i++) {
		if (fork() == 0) {
			if (!strcmp(how, "fifos")) fifos();
			if (!strcmp(how, "watches")) watches();
			if (!strcmp(how, "texts")) texts();
			hold();
			_exit(0);
		}
	}
	hold();
	got("memory");
	return 0;
}
