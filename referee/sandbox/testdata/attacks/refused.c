// expects: none=any basic=ok box=ok strict=ok
#include "attack.h"
// Calls that are refused, but that a runtime may try.
static void try(const char *what, long nr, long a, long b) {
	if (syscall(nr, a, b, 0, 0, 0, 0) >= 0 || (errno != EPERM && errno != ENOSYS)) got(what);
}
int main(void) {
	try("io_uring", SYS_io_uring_setup, 1, 0);
	try("perf_event_open", SYS_perf_event_open, 0, 0);
	try("clone3", SYS_clone3, 0, 0);
	try("pidfd_getfd", SYS_pidfd_getfd, -1, 0);
	try("name_to_handle_at", SYS_name_to_handle_at, -1, 0);
	try("statmount", 457, 0, 0);
	try("listmount", 458, 0, 0);
	try("lsm_set_self_attr", 460, 0, 0);
	try("listns", 470, 0, 0);
	try("memfd_secret", 447, 0, 0);
	try("cachestat", 451, 0, 0);
	try("core scheduling", SYS_prctl, 62, 0);
	if (syscall(SYS_prctl, 78, 1, 16, 0, 0) == 0) got("futexes of its own"); // PR_FUTEX_HASH, which takes memory
	try("a call in no list", SYS_sync, 0, 0);
	try("a call in no list", 444, 0, 0); // landlock_create_ruleset
	for (long nr = 472; nr < 512; nr++) try("a call of a later kernel", nr, 0, 0);
	return 0;
}
