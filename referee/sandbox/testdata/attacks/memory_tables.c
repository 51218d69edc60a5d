// expects: none=memory basic=memory box=memory strict=memory
// memory: 64 MiB
#include "attack.h"
int main(void) {
	size_t size = 64ul << 30;
	volatile char *p = mmap(0, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED) return 0;
	for (size_t at = 0; at < size; at += 2 << 20) (void)p[at]; // the page of zeros, in a table of its own
	hold();
	got("memory");
	return 0;
}
