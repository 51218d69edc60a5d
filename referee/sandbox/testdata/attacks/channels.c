// expects: none=any basic=ok box=ok strict=ok
// looks: channels
#include "attack.h"
#include <sys/ipc.h>
// Ways by which two contestants of one owner could talk; the test looks
// whether the other end sees something.
static void make(const char *dir) {
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", dir, env("ABSTRACT"));
	open(path, O_WRONLY | O_CREAT, 0666);
}
int main(int argc, char **argv) {
	int fd = open(argv[0], O_RDONLY);
	if (fd >= 0) flock(fd, LOCK_EX | LOCK_NB);
	struct flock l = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_len = 1};
	if (fd >= 0) fcntl(fd, F_SETLK, &l);
	make("/dev/shm");
	make("/tmp");
	syscall(SYS_shmget, env_int("PORT"), 4096, IPC_CREAT | 0666);
	printf("ready\n");
	fflush(stdout);
	hold();
	return 0;
}
