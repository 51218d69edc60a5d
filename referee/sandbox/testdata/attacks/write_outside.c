// expects: none=any basic=ok box=ok strict=ok
#include "attack.h"
static void try(const char *path, const char *what) {
	if (open(path, O_WRONLY | O_CREAT, 0666) >= 0) got(what);
}
int main(void) {
	char path[4096];
	snprintf(path, sizeof path, "%s/written", env("OUTSIDE"));
	try(path, "write outside");
	snprintf(path, sizeof path, "%s/made", env("OUTSIDE"));
	if (mkdir(path, 0777) == 0) got("folder outside");
	if (truncate(env("SECRET"), 0) == 0) got("truncate");
	if (open(env("SECRET"), O_RDONLY | O_TRUNC) >= 0) got("open and cut off");
	if (open(env("SECRET"), O_ACCMODE | O_TRUNC) >= 0) got("cut off without reading or writing");
	if (unlink(env("SECRET")) == 0) got("unlink");
	if (chmod("/proc/self/exe", 0777) == 0) got("chmod of itself");
	if (chmod(env("SECRET"), 0) == 0) got("chmod");
	if (utimes(env("SECRET"), 0) == 0) got("utimes");
	snprintf(path, sizeof path, "%s/written", env("WORK"));
	try(path, "write in working directory");
	return 0;
}
