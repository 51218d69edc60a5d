// expects: none=any basic=ok box=ok strict=ok
// memory: 64 MiB
#include "attack.h"
#include <pthread.h>
// Fills files in memory on all CPUs, faster than anybody looks: where there is no more,
// the kernel kills others first.
static void *fill(void *p) {
	int fd = memfd_create("x", 0);
	for (int i = 0; i < 25 && fd >= 0; i++)
		if (write(fd, p, 1 << 20) < 0) break;
	return 0;
}
int main(void) {
	char *p = malloc(1 << 20);
	memset(p, 1, 1 << 20);
	pthread_t threads[8];
	for (int i = 0; i < 8; i++) pthread_create(&threads[i], 0, fill, p);
	for (int i = 0; i < 8; i++) pthread_join(threads[i], 0);
	return 0;
}
