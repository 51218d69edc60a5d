// expects: none=memory basic=ok box=ok strict=memory
// memory: 64 MiB
#include "attack.h"
int main(void) {
	char *p = mmap(0, 200 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED) return 0;
	memset(p, 1, 200 << 20);
	hold();
	got("memory");
	return 0;
}
