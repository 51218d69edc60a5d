// expects: none=memory basic=memory box=memory strict=ok+mappings
// memory: 1024 MiB
#include "attack.h"
// More mappings than the processes of a contestant may have together where umpire counts
// them: forking takes less time than counting. They take less memory than the limit.
int main(void) {
	for (long i = 0; i < 50000; i++) {
		void *p = mmap((void *)(0x10000000000 + i * 8192), 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (p == MAP_FAILED) return 0;
	}
	for (int i = 0; i < 6; i++) {
		if (fork() == 0) {
			hold();
			_exit(0);
		}
	}
	hold();
	got("mappings");
	return 0;
}
