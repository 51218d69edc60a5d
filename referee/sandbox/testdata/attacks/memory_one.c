// expects: none=memory basic=memory box=memory strict=memory
// memory: 64 MiB
#include "attack.h"
int main(void) {
	for (int i = 0; i < 200; i++) {
		char *p = malloc(1 << 20);
		if (!p) return 0;
		memset(p, 1, 1 << 20);
	}
	hold();
	got("memory");
	return 0;
}
