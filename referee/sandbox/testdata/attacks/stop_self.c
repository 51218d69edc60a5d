// expects: none=idle basic=idle box=idle strict=idle
#include "attack.h"
int main(void) {
	printf("stopping\n");
	fflush(stdout);
	raise(SIGSTOP);
	return 0;
}
