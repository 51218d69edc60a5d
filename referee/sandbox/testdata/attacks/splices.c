// expects: none=any basic=ok box=ok strict=ok
#include "attack.h"
#include <sys/sendfile.h>
// Puts pages into pipes, where one byte keeps a large page. Errors but EINVAL are not those
// upon which runtimes copy by read and write.
static void try(const char *what, ssize_t n) {
	if (n >= 0 || errno != EINVAL) got(what);
}
int main(void) {
	int p[2], q[2], fd = open("/proc/self/exe", O_RDONLY);
	char c = 'x';
	struct iovec v = {&c, 1};
	if (pipe(p) || pipe(q) || fd < 0 || write(p[1], &c, 1) != 1) return 1;
	try("vmsplice", vmsplice(p[1], &v, 1, 0));
	try("tee", tee(p[0], q[1], 1, SPLICE_F_NONBLOCK));
	try("splice", splice(fd, 0, p[1], 0, 1, SPLICE_F_NONBLOCK));
	try("sendfile", sendfile(p[1], fd, 0, 1));
	return 0;
}
