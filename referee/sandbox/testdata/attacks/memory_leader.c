// expects: none=memory basic=memory box=memory strict=memory
// memory: 64 MiB
#include "attack.h"
#include <pthread.h>
// The memory of a process whose first thread has ended is not shown there.
static void *hog(void *arg) {
	(void)arg;
	for (int i = 0; i < 200; i++) {
		char *p = malloc(1 << 20);
		if (!p) _exit(0);
		memset(p, 1, 1 << 20);
	}
	hold();
	got("memory");
	_exit(0);
}
int main(void) {
	pthread_t t;
	if (pthread_create(&t, 0, hog, 0) != 0) return 0;
	syscall(SYS_exit, 0);
}
