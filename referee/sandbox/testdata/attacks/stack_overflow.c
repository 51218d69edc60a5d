// expects: none=crash basic=crash box=crash strict=crash
#include "attack.h"
static int deeper(volatile char *p) {
	volatile char frame[4096];
	frame[0] = p ? p[0] : 1;
	return deeper(frame) + frame[0];
}
int main(void) { return deeper(0); }
