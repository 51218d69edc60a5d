// expects: none=skip basic=ok box=ok strict=ok
#include "attack.h"
// What cleans up must not follow it.
int main(void) {
	if (chdir(env("TMPDIR")) != 0) return 0;
	if (symlink(env("OUTSIDE"), "out") != 0) return 0;
	mkdir("locked", 0700);
	if (symlink(env("SECRET"), "locked/secret") != 0) return 0;
	chmod("locked", 0);
	return 0;
}
