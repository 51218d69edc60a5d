// expects: none=ok basic=ok box=ok strict=ok
// looks: cpu
#include "attack.h"
#include <time.h>
int main(void) {
	for (int i = 0; i < 2; i++) {
		if (fork() == 0) {
			alarm(BOUND);
			while (clock() < CLOCKS_PER_SEC / 5) {
			}
			_exit(0);
		}
	}
	while (wait(0) > 0) {
	}
	hold(); // until it is seen
	return 0;
}
