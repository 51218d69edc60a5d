// expects: none=any basic=ok box=ok strict=ok
#include "attack.h"
#include <linux/fs.h>
// Leaves a number, and flags, in a folder it may read, for the next match.
int main(void) {
	int fd = open(env("WORK"), O_RDONLY), flags = 0, version = 42;
	struct fsxattr attributes = {0};
	if (fd < 0) return 0;
	long ext4_version = 0x40086604; // EXT4_IOC_SETVERSION
	if (!ioctl(fd, FS_IOC_SETVERSION, &version) || !ioctl(fd, ext4_version, &version)) got("version");
	if (!ioctl(fd, FS_IOC_SETFLAGS, &flags)) got("flags");
	if (!ioctl(fd, FS_IOC_FSSETXATTR, &attributes)) got("attributes");
	return 0;
}
