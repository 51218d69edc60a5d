// expects: none=any basic=ok box=ok strict=ok
#include "attack.h"
static void look(const char *who, const char *what) {
	char path[64], buf[64];
	snprintf(path, sizeof path, "/proc/%d/%s", env_int(who), what);
	int fd = open(path, O_RDONLY | O_NONBLOCK);
	if (fd < 0) return;
	lseek(fd, 0x400000, SEEK_SET);
	// Of a descriptor, to have it is enough.
	if (!strncmp(what, "fd", 2) || !strncmp(what, "cwd", 3) || read(fd, buf, 16) > 0) {
		printf("GOT %s of %s\n", what, who);
	}
	close(fd);
}
int main(void) {
	const char *who[] = {"UMPIRE", "OPPONENT"};
	for (int i = 0; i < 2; i++) {
		look(who[i], "mem");
		look(who[i], "environ");
		look(who[i], "fd/0");
		look(who[i], "cwd/.");
	}
	return 0;
}
