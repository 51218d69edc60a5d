// expects: none=any basic=ok box=ok strict=ok
#include "attack.h"
static void look(const char *path, const char *what) {
	char buf[16];
	int fd = open(path, O_RDONLY);
	if (fd >= 0 && (read(fd, buf, 1) > 0 || errno == EISDIR)) got(what);
}
int main(void) {
	look(env("SECRET"), "secret");
	look("/etc/shadow", "shadow");
	look("/root", "home folder");
	look("/etc/hostname", "host");
	return 0;
}
