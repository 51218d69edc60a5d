#include "attack.h"
int main(void) {
	if (kill(env_int("UMPIRE"), SIGCONT) == 0) got("signal umpire");
	if (kill(env_int("OPPONENT"), SIGKILL) == 0) got("kill opponent");
	return 0;
}
