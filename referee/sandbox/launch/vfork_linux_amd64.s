#include "textflag.h"

// func vfork(im *image, number, a, b, c uintptr) (pid, errno uintptr)
//
// The child runs on a stack of its own, so nothing of the parent's is touched,
// which waits until the child has executed a program or ended.
TEXT ·vfork(SB), NOSPLIT, $0-56
	MOVQ	im+0(FP), R12
	MOVQ	number+8(FP), AX
	MOVQ	a+16(FP), DI
	MOVQ	b+24(FP), SI
	MOVQ	c+32(FP), DX
	XORL	R10, R10
	XORL	R8, R8
	SYSCALL
	TESTQ	AX, AX
	JZ	child
	XORL	CX, CX
	CMPQ	AX, $0xfffffffffffff001
	JLS	done
	MOVQ	AX, CX
	NEGQ	CX
done:
	MOVQ	AX, pid+40(FP)
	MOVQ	CX, errno+48(FP)
	RET
child:
	MOVQ	R12, 0(SP)
	LEAQ	·runProgram(SB), AX
	CALL	AX // the linker is not to add up the depths of two stacks
	INT	$3 // not reached
