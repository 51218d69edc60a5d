#include "textflag.h"

// func vfork(im *image, number, a, b, c uintptr) (pid, errno uintptr)
//
// The child runs on a stack of its own, so nothing of the parent's is touched,
// which waits until the child has executed a program or ended.
TEXT ·vfork(SB), NOSPLIT, $0-56
	MOVD	im+0(FP), R19
	MOVD	number+8(FP), R8
	MOVD	a+16(FP), R0
	MOVD	b+24(FP), R1
	MOVD	c+32(FP), R2
	MOVD	ZR, R3
	MOVD	ZR, R4
	SVC
	CBZ	R0, child
	MOVD	ZR, R1
	CMN	$4095, R0
	BCC	done
	NEG	R0, R1
done:
	MOVD	R0, pid+40(FP)
	MOVD	R1, errno+48(FP)
	RET
child:
	MOVD	R19, 8(RSP)
	MOVD	$·runProgram(SB), R1
	BL	(R1) // the linker is not to add up the depths of two stacks
	BRK	$0 // not reached
