// expects: none=memory basic=memory box=memory strict=memory
// memory: 64 MiB
#include "attack.h"
// fill writes what a socket takes.
static void fill(int fd) {
	static char b[32 << 10];
	while (send(fd, b, sizeof b, MSG_DONTWAIT) > 0) {
	}
}
int main(void) {
	for (int i = 0; i < 8; i++) {
		if (fork() == 0) {
			for (int k = 0; k < 60; k++) {
				int s[2];
				if (socketpair(AF_UNIX, SOCK_STREAM, 0, s) < 0) break;
				fill(s[0]);
				fill(s[1]);
			}
			hold();
			_exit(0);
		}
	}
	hold();
	got("memory");
	return 0;
}
