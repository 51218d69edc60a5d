// expects: none=skip basic=output+any box=ok strict=ok
#include "attack.h"
static long total;
static void fill(const char *dir) {
	static char block[1 << 20];
	for (int i = 0; i < 8 && total < 200 << 20; i++) {
		char path[4096];
		snprintf(path, sizeof path, "%s/umpire-attack-%d", dir, i);
		int fd = open(path, O_WRONLY | O_CREAT, 0600);
		if (fd < 0) return;
		while (total < 200 << 20 && write(fd, block, sizeof block) > 0) total += sizeof block;
		close(fd);
	}
	if (total >= 200 << 20) hold(); // until it is found
	for (int i = 0; i < 8; i++) {
		char path[4096];
		snprintf(path, sizeof path, "%s/umpire-attack-%d", dir, i);
		unlink(path);
	}
}
int main(void) {
	alarm(BOUND);
	signal(SIGXFSZ, SIG_IGN);
	fill("/dev/shm");
	fill("/tmp");
	fill(env("TMPDIR"));
	if (total >= 200 << 20) got("disk");
	return 0;
}
