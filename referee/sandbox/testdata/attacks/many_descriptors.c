// expects: none=any basic=ok box=ok strict=ok
#include "attack.h"
int main(void) {
	struct rlimit l = {100000, 100000};
	setrlimit(RLIMIT_NOFILE, &l);
	int n = 0;
	while (n < 100000 && dup(0) >= 0) n++;
	if (n > 1000) got("descriptors");
	return 0;
}
