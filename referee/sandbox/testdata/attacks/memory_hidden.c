// expects(holes cut leader): none=any basic=memory box=memory strict=memory
// expects(deep): none=any basic=any box=memory strict=memory
// expects(mappings): none=memory basic=memory box=memory strict=memory
// expects(zero): none=any basic=ok box=ok strict=ok
// expects(large): none=any basic=ok box=ok strict=memory
// expects(unaccepted messages): none=any basic=ok box=memory strict=memory
// memory: 64 MiB
#include "attack.h"
#include <pthread.h>
// Memory that stands in no process's account.
enum { MIB = 1 << 20 };

// share fills shared memory, of which it keeps a page mapped, or a hole.
static int share(size_t size, int fd, int flags, int cut) {
	char *p = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED | flags, fd, 0);
	if (p == MAP_FAILED) return 0;
	memset(p, 1, size);
	if (cut) munmap(p + 4096, size - 4096);
	else madvise(p, size, MADV_DONTNEED);
	return 1;
}
static void *shares(void *cut) {
	for (int i = 0; i < 50; i++) share(4 * MIB, -1, MAP_ANONYMOUS, cut != 0);
	hold();
	got("memory");
	exit(0);
}
static void mappings(void) {
	for (long i = 0; i < 60000; i++) {
		volatile char *p = mmap((void *)(0x10000000000 + i * 8192), 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (p == MAP_FAILED) break;
	}
	for (int i = 0; i < 60; i++) {
		if (fork() == 0) {
			hold();
			_exit(0);
		}
	}
}
static void fill(int fd) {
	static char b[32 << 10];
	while (send(fd, b, sizeof b, MSG_DONTWAIT) > 0) {
	}
	close(fd);
}
// unaccepted fills connections that nobody accepts.
static int unaccepted(void) {
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	strcpy(to.sun_path + 1, "umpire-attack-full");
	int s = socket(AF_UNIX, SOCK_STREAM, 0);
	if (s < 0 || bind(s, (void *)&to, sizeof to) || listen(s, 4096)) return 0;
	for (int i = 0; i < 1000; i++) {
		int c = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
		if (c < 0 || connect(c, (void *)&to, sizeof to)) break;
		fill(c);
	}
	return 1;
}
// messages puts full sockets on their way in messages.
static int messages(void) {
	int over[2], done = 0;
	for (int i = 0; i < 400; i++) {
		int s[2];
		if (i % 100 == 0 && socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, over)) break; // not all fit in one
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, s)) break;
		if (send_fd(over[0], s[1]) < 0) return done;
		close(s[1]);
		fill(s[0]);
		done = 1;
	}
	return done;
}
int main(int argc, char **argv) {
	const char *how = argc > 1 ? argv[1] : "";
	pthread_t thread;
	if (!strcmp(how, "holes")) shares(0);
	if (!strcmp(how, "cut")) shares("cut");
	if (!strcmp(how, "deep") && (chdir(env("TMPDIR")) || map_deep(30) == MAP_FAILED)) return 0;
	if (!strcmp(how, "deep")) shares("cut");
	if (!strcmp(how, "leader")) { // the process's own files in /proc are empty once its first thread has ended
		pthread_create(&thread, 0, shares, 0);
		pthread_exit(0);
	}
	if (!strcmp(how, "zero") && !share(200 * MIB, open("/dev/zero", O_RDWR), 0, 1)) return 0;
	if (!strcmp(how, "large") && !share(200 * MIB, -1, MAP_ANONYMOUS, 1)) return 0;
	if (!strcmp(how, "mappings")) mappings();
	if (!strcmp(how, "unaccepted") && !unaccepted()) return 0;
	if (!strcmp(how, "messages") && !messages()) return 0;
	hold();
	got("memory");
	return 0;
}
