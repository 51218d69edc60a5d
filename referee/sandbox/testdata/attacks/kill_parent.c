// expects: none=skip basic=ok box=ok strict=ok
#include "attack.h"
int main(void) {
	pid_t parent = getppid();
	kill(parent, SIGKILL);
	usleep(20000);
	if (getppid() != parent) got("parent");
	return 0;
}
