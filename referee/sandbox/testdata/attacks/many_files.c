// expects: none=skip basic=output+any box=ok strict=ok
#include "attack.h"
int main(void) {
	int n = 0;
	alarm(BOUND);
	if (chdir(env("TMPDIR")) != 0) return 0;
	for (; n < 17000; n++) {
		char name[32];
		snprintf(name, sizeof name, "f%d", n);
		int fd = open(name, O_WRONLY | O_CREAT, 0600);
		if (fd < 0) break;
		close(fd);
	}
	if (n == 17000) got("files");
	return 0;
}
