// expects: none=skip basic=ok box=ok strict=ok
#include "attack.h"
#include <ftw.h>
// Opens what the kernel is set by for writing, and writes nothing.
static int opened;
static int look(const char *path, const struct stat *st, int type, struct FTW *f) {
	if (type != FTW_F) return 0;
	int fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0) return 0;
	close(fd);
	if (opened++ < 3) {
		printf("GOT %s\n", path);
		fflush(stdout);
	}
	return 0;
}
int main(void) {
	const char *trees[] = {
		"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs", "/proc/acpi", "/proc/scsi", "/proc/driver",
		"/proc/mtrr", "/proc/asound", "/proc/self/oom_score_adj", "/proc/self/autogroup", "/proc/self/coredump_filter",
		"/sys/kernel", "/sys/power", "/sys/fs/cgroup", "/sys/module",
	};
	for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) nftw(trees[i], look, 16, FTW_PHYS | FTW_MOUNT);
	// Files of /proc/sys belong to the kernel's own user 0.
	struct stat st;
	if (stat("/proc/sys/kernel/core_pattern", &st) == 0 && st.st_uid == geteuid()) got("the kernel's user 0");
	return 0;
}
