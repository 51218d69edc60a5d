// expects(open mapped unreadable deep reserved leader table behind): none=skip basic=output+any box=ok strict=ok
// expects(sent undumpable): none=skip basic=ok box=ok strict=ok
#include "attack.h"
#include <pthread.h>
#include <sys/prctl.h>
// Takes 200 MiB of the disk where a look at the folder does not show it.
enum { BLOCK = 1 << 20, PART = 40 << 20, PARTS = 5 };
static char block[BLOCK];
static long total;
static int create(const char *name) { return open(name, O_RDWR | O_CREAT | O_EXCL, 0600); }
static void fill(int fd) {
	for (long n = 0; fd >= 0 && n < PART && write(fd, block, BLOCK) > 0; n += BLOCK) total += BLOCK;
}
static void removed(int keep) {
	for (int i = 0; i < PARTS; i++) {
		int fd = create("f");
		unlink("f");
		fill(fd);
		if (fd < 0 || keep) continue;
		if (mmap(0, 4096, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED) total -= PART;
		close(fd);
	}
}
static void sent(void) {
	int pair[2];
	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair)) return;
	for (int i = 0; i < PARTS; i++) {
		int fd = create("f");
		unlink("f");
		if (send_fd(pair[0], fd) < 0) return;
		fill(fd);
		close(fd);
	}
}
static void named(void) {
	for (int i = 0; i < PARTS; i++) {
		char name[16];
		snprintf(name, sizeof name, "f%d", i);
		fill(create(name));
	}
}
static void deep(void) {
	static char name[256];
	memset(name, 'd', 255);
	for (int i = 0; i < 20; i++)
		if (mkdir(name, 0700) || chdir(name)) return;
	named();
}
static void unreadable(void) {
	if (mkdir("locked", 0300) == 0 && chdir("locked") == 0) named();
}
static void reserved(void) {
	for (int i = 0; i < PARTS; i++) {
		char name[16];
		snprintf(name, sizeof name, "f%d", i);
		if (fallocate(create(name), FALLOC_FL_KEEP_SIZE, 0, PART) == 0) total += PART;
	}
}
static int own_table;
static void *holder(void *arg) {
	(void)arg;
	if (own_table) syscall(SYS_close_range, 1000, 1000, 2); // CLOSE_RANGE_UNSHARE
	removed(1);
	if (total >= PARTS * PART) got("disk");
	hold();
	_exit(0);
}
// In a thread behind a first one that has ended, or that has other files.
static void thread(int own) {
	pthread_t t;
	own_table = own;
	if (pthread_create(&t, 0, holder, 0) != 0) return;
	if (own) pthread_join(t, 0);
	syscall(SYS_exit, 0);
}
int main(int argc, char **argv) {
	const char *how = argv[1];
	alarm(BOUND);
	signal(SIGXFSZ, SIG_IGN);
	if (chdir(env("TMPDIR")) != 0) return 0;
	if (!strcmp(how, "open")) removed(1);
	if (!strcmp(how, "mapped")) removed(0);
	if (!strcmp(how, "behind") && map_deep(30) != MAP_FAILED) removed(0);
	if (!strcmp(how, "sent")) sent();
	if (!strcmp(how, "deep")) deep();
	if (!strcmp(how, "leader")) thread(0);
	if (!strcmp(how, "table")) thread(1);
	if (!strcmp(how, "unreadable")) unreadable();
	if (!strcmp(how, "reserved")) reserved();
	if (!strcmp(how, "undumpable")) {
		if (prctl(PR_SET_DUMPABLE, 0) == 0) removed(1);
	}
	if (total < PARTS * PART) return 0;
	got("disk");
	hold();
	return 0;
}
