// expects: none=any basic=ok box=ok strict=ok
// memory: 64 MiB
#include "attack.h"
// Keeps large pages in pipes, by a byte of each: they are mapped nowhere, and in no
// process's account.
int main(void) {
	size_t large = 2 << 20;
	for (int i = 0; i < 125; i++) {
		static int p[2];
		if (i % 16 == 0 && pipe(p)) return 0;
		if (i == 45) sleep(2); // long enough to be seen holding more than the limit
		char *m = mmap(0, 2 * large, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (m == MAP_FAILED) return 0;
		char *page = (char *)(((size_t)m + large - 1) & ~(large - 1));
		madvise(page, large, MADV_HUGEPAGE);
		memset(page, 1, large);
		struct iovec v = {page, 1};
		if (vmsplice(p[1], &v, 1, 0) < 0) return 0;
		munmap(m, 2 * large);
	}
	hold();
	got("memory");
	return 0;
}
