#include "attack.h"
int main(void) {
	struct rlimit l = {RLIM_INFINITY, RLIM_INFINITY};
	setrlimit(RLIMIT_CORE, &l);
	if (chdir(env("TMPDIR")) != 0) return 0;
	abort();
}
