#include "attack.h"
int main(void) {
	printf("stopping\n");
	fflush(stdout);
	raise(SIGSTOP);
	return 0;
}
