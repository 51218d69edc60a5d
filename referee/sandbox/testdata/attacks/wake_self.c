// no attack
// Counts in the file that is its output, and so does a child that has left its
// session and group. With an argument timers of its own continue it when
// it is stopped.
#include "attack.h"
#include <time.h>
static void nothing(int signal) { (void)signal; }
int main(int argc, char **argv) {
	(void)argv;
	volatile long *counts = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 1, 0);
	if (counts == MAP_FAILED) {
		return 1;
	}
	if (argc == 1 && fork() == 0) {
		setsid();
		counts++;
	}
	if (argc > 1) {
		signal(SIGCONT, nothing); // a timer whose signal is ignored stops
		struct sigevent event = {0};
		event.sigev_notify = SIGEV_SIGNAL;
		event.sigev_signo = SIGCONT;
		// A stop takes a pending continuation with it, and its timer: so several.
		for (int i = 1; i <= 20; i++) {
			timer_t timer;
			struct itimerspec every = {{0, i * 45000000}, {0, i * 45000000}};
			timer_create(CLOCK_MONOTONIC, &event, &timer);
			timer_settime(timer, 0, &every, 0);
		}
	}
	for (;;) {
		++*counts;
	}
}
