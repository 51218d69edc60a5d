// expects(ptrace keyctl add_key unshare clone setns mount open_tree_attr umount bpf userfaultfd): none=skip basic=security box=security strict=security
// expects(process_vm_writev open_by_handle_at init_module kexec_load chroot): none=skip basic=security box=security strict=security
#include "attack.h"
// One forbidden call, named by the first argument.
static const struct { const char *name; long nr; long a[6]; } calls[] = {
	{"ptrace", SYS_ptrace, {PTRACE_TRACEME}},
	{"keyctl", SYS_keyctl, {0, -3, 1}},
	{"add_key", SYS_add_key, {(long)"user", (long)"umpire-attack", (long)"x", 1, -3}},
	{"unshare", SYS_unshare, {CLONE_NEWUSER}},
	{"clone", SYS_clone, {CLONE_NEWUSER | SIGCHLD}},
	{"setns", SYS_setns, {-1}},
	{"mount", SYS_mount, {(long)"none", (long)"/nonexistent", (long)"tmpfs"}},
	{"open_tree_attr", 467, {-1, (long)"", 0, 0, 0}},
	{"umount", SYS_umount2, {(long)"/nonexistent"}},
	{"bpf", SYS_bpf, {0, 0, 0}},
	{"userfaultfd", SYS_userfaultfd, {0}},
	{"process_vm_writev", SYS_process_vm_writev, {1, 0, 0, 0, 0, 0}},
	{"open_by_handle_at", SYS_open_by_handle_at, {-1, 0, 0}},
	{"init_module", SYS_init_module, {0, 0, 0}},
	{"kexec_load", SYS_kexec_load, {0, 0, 0, 0}},
	{"chroot", SYS_chroot, {(long)"/nonexistent"}},
};
int main(int argc, char **argv) {
	for (size_t i = 0; argc > 1 && i < sizeof calls / sizeof *calls; i++) {
		if (strcmp(calls[i].name, argv[1])) continue;
		const long *a = calls[i].a;
		long r = syscall(calls[i].nr, a[0], a[1], a[2], a[3], a[4], a[5]);
		if (calls[i].nr == SYS_clone && r == 0) _exit(0);
		got("past the filter");
	}
	return 0;
}
