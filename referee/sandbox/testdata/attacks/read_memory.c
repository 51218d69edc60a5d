// expects: none=any basic=security box=security strict=security
#include "attack.h"
int main(void) {
	char buf[16];
	struct iovec local = {buf, 16}, remote = {(void *)0x400000, 16};
	if (process_vm_readv(env_int("UMPIRE"), &local, 1, &remote, 1, 0) >= 0) got("memory");
	return 0;
}
