// expects: none=skip basic=ok box=ok strict=ok
#include "attack.h"
int main(void) {
	kill(-1, SIGKILL);
	return 0;
}
