// expects: none=time basic=time box=time strict=time
#include "attack.h"
#include <time.h>
int main(void) {
	for (int s = 1; s < 65; s++) signal(s, SIG_IGN);
	struct itimerval t = {{0, 0}, {10, 0}};
	setitimer(ITIMER_REAL, &t, 0);
	printf("busy\n");
	fflush(stdout);
	time_t end = time(0) + 10;
	while (time(0) < end) {
	}
	got("ten seconds");
	return 0;
}
