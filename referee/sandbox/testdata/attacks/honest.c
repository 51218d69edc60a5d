// no attack
// The opponent of attacks in a match: for each line that it reads it uses 4 ms of CPU
// time, and writes one.
#include <stdio.h>
#include <time.h>
int main(void) {
	char line[64];
	struct timespec began, now;
	while (fgets(line, sizeof line, stdin)) {
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &began);
		do {
			clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
		} while ((now.tv_sec - began.tv_sec) * 1000000000L + now.tv_nsec - began.tv_nsec < 4000000);
		puts("done");
		fflush(stdout);
	}
	return 0;
}
