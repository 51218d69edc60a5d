// expects: none=any basic=ok box=ok strict=ok
#include "attack.h"
int main(void) {
	int fd = open("/dev/tty", O_RDWR);
	if (fd >= 0) got("terminal");
	for (int i = 0; i < 3; i++)
		if (ioctl(i, TIOCSTI, "x") == 0) got("type into terminal");
	return 0;
}
