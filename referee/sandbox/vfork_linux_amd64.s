#include "textflag.h"

// func vfork(im *image, flags, stack, pidfd uintptr) (pid, errno uintptr)
//
// The child runs on a stack of its own, so nothing of the parent's is touched,
// which waits until the child has executed a program or ended.
TEXT ·vfork(SB), NOSPLIT, $0-48
	MOVQ	im+0(FP), R12
	MOVQ	flags+8(FP), DI
	MOVQ	stack+16(FP), SI
	MOVQ	pidfd+24(FP), DX
	XORL	R10, R10
	XORL	R8, R8
	MOVL	$56, AX // clone
	SYSCALL
	TESTQ	AX, AX
	JZ	child
	XORL	CX, CX
	CMPQ	AX, $0xfffffffffffff001
	JLS	done
	MOVQ	AX, CX
	NEGQ	CX
done:
	MOVQ	AX, pid+32(FP)
	MOVQ	CX, errno+40(FP)
	RET
child:
	MOVQ	R12, 0(SP)
	LEAQ	·runProgram(SB), AX
	CALL	AX // the linker is not to add up the depths of two stacks
	INT	$3 // not reached
