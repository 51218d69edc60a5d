// expects: none=any basic=security box=security strict=security
#include "attack.h"
int main(void) {
	if (ptrace(PTRACE_ATTACH, env_int("OPPONENT"), 0, 0) == 0) {
		got("trace");
		waitpid(env_int("OPPONENT"), 0, __WALL);
		ptrace(PTRACE_DETACH, env_int("OPPONENT"), 0, 0);
	}
	return 0;
}
