#include "attack.h"
int main(void) {
	int n = 0;
	if (chdir(env("TMPDIR")) != 0) return 0;
	for (; n < 20000; n++) {
		char name[32];
		snprintf(name, sizeof name, "f%d", n);
		int fd = open(name, O_WRONLY | O_CREAT, 0600);
		if (fd < 0) break;
		close(fd);
	}
	if (n == 20000) got("files");
	for (int i = 0; i < n; i++) {
		char name[32];
		snprintf(name, sizeof name, "f%d", i);
		unlink(name);
	}
	return 0;
}
