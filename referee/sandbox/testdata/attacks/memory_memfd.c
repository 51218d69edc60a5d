// expects: none=ok+memory basic=ok box=ok strict=ok
// memory: 64 MiB
#include "attack.h"
int main(void) {
	char *p = malloc(1 << 20);
	memset(p, 1, 1 << 20);
	for (int i = 0; i < 5; i++) {
		int fd = memfd_create("x", 0);
		if (fd < 0) return 0;
		if (i == 2) sleep(2); // long enough to be seen holding more than the limit
		for (int k = 0; k < 40; k++)
			if (write(fd, p, 1 << 20) < 0) return 0;
	}
	hold();
	got("memory");
	return 0;
}
