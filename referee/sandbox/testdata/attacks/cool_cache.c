// expects: none=any basic=ok box=ok strict=ok
#include "attack.h"
// Throws a file of the system out of the machine's memory, so that the opponent's start
// has to read it from the disk. What is told to be done must not have been.
static long blocks_read(int fd) {
	static char b[64 << 10];
	struct rusage before, after;
	getrusage(RUSAGE_SELF, &before);
	lseek(fd, 0, SEEK_SET);
	while (read(fd, b, sizeof b) > 0) {
	}
	getrusage(RUSAGE_SELF, &after);
	return after.ru_inblock - before.ru_inblock;
}
int main(void) {
	int fd = open("/bin/bash", O_RDONLY);
	if (fd < 0) return 0;
	blocks_read(fd);
	if (posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED)) got("an error, on which a program gives up");
	if (blocks_read(fd)) got("a cold file");
	return 0;
}
