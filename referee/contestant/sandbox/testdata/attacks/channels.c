#include "attack.h"
#include <sys/ipc.h>
// Ways by which two contestants of one owner could talk; the test looks
// whether the other end sees something.
int main(void) {
	int fd = open("/usr/bin/env", O_RDONLY);
	if (fd >= 0) flock(fd, LOCK_EX | LOCK_NB);
	struct flock l = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_len = 1};
	if (fd >= 0) fcntl(fd, F_SETLK, &l);
	open("/dev/shm/umpire-attack-channel", O_WRONLY | O_CREAT, 0666);
	open("/tmp/umpire-attack-channel", O_WRONLY | O_CREAT, 0666);
	syscall(SYS_shmget, 0x756d7069, 4096, IPC_CREAT | 0666);
	printf("ready\n");
	fflush(stdout);
	hold();
	return 0;
}
