// expects(always bursts): none=ok basic=ok box=ok strict=ok
#include "attack.h"
#include <time.h>
// Takes the processor from its opponent, in children that have left its session: all
// the time, or for a millisecond in three, which is hard to see.
int main(int argc, char **argv) {
	int bursts = argc > 1 && strcmp(argv[1], "bursts") == 0;
	for (int i = 0; i < 6; i++) {
		if (fork() == 0) {
			setsid();
			alarm(BOUND);
			for (;;) {
				struct timespec began, now;
				clock_gettime(CLOCK_MONOTONIC, &began);
				do {
					clock_gettime(CLOCK_MONOTONIC, &now);
				} while ((now.tv_sec - began.tv_sec) * 1000000000L + now.tv_nsec - began.tv_nsec < 1000000);
				if (bursts) usleep(2000);
			}
		}
	}
	hold();
	return 0;
}
