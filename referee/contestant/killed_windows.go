package contestant

import (
	"syscall"

	"golang.org/x/sys/windows"

	"umpire/protocols"
)

// exceptions are the statuses that programs end with when they have broken down, and
// what they mean. Any program may also exit with them.
var exceptions = map[windows.NTStatus]string{
	windows.STATUS_ACCESS_VIOLATION:         "an access violation",
	windows.STATUS_STACK_OVERFLOW:           "a stack overflow",
	windows.STATUS_INTEGER_DIVIDE_BY_ZERO:   "a division by zero",
	windows.STATUS_FLOAT_DIVIDE_BY_ZERO:     "a division by zero",
	windows.STATUS_ILLEGAL_INSTRUCTION:      "an illegal instruction",
	windows.STATUS_PRIVILEGED_INSTRUCTION:   "a privileged instruction",
	windows.STATUS_HEAP_CORRUPTION:          "a corrupted heap",
	windows.STATUS_STACK_BUFFER_OVERRUN:     "a fail-fast exception, as after abort or a buffer overrun",
	windows.STATUS_ARRAY_BOUNDS_EXCEEDED:    "an index out of bounds",
	windows.STATUS_BREAKPOINT:               "a breakpoint",
	windows.STATUS_DLL_NOT_FOUND:            "the lack of a DLL",
	windows.STATUS_ENTRYPOINT_NOT_FOUND:     "the lack of a function in a DLL",
	windows.STATUS_DLL_INIT_FAILED:          "a DLL that could not be initialised",
	windows.STATUS_NO_MEMORY:                "a lack of memory",
	windows.STATUS_COMMITMENT_LIMIT:         "a lack of memory",
	windows.STATUS_CONTROL_C_EXIT:           "Ctrl-C",
	windows.STATUS_IN_PAGE_ERROR:            "a page that could not be read",
	windows.STATUS_NONCONTINUABLE_EXCEPTION: "an exception",
}

// killed judges a contestant that an exception has ended without a reply; nil if none
// has.
func (f *facts) killed() *protocols.Failure {
	status := windows.NTStatus(f.status.ExitCode)
	what, ok := exceptions[status]
	if !ok {
		return nil
	}
	return fail(protocols.KindCrash, "ended by %s (0x%08X) before answering%s", what, uint32(status), f.unended("; "))
}

// pretended returns nil, and endSignal "": there are no signals.
func (*facts) pretended(string) *protocols.Failure { return nil }
func endSignal(syscall.WaitStatus) string          { return "" }
