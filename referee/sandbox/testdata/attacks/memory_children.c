// expects: none=memory basic=memory box=memory strict=memory
// memory: 64 MiB
#include "attack.h"
int main(void) {
	for (int i = 0; i < 5; i++) {
		if (fork() == 0) {
			char *p = malloc(40 << 20);
			memset(p, 1, 40 << 20);
			hold();
			_exit(0);
		}
	}
	hold();
	got("memory");
	return 0;
}
