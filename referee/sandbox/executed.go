package sandbox

import "errors"

// ErrNotExecuted is wrapped by the error of a Launcher for a program that the
// kernel refuses to execute, for a reason that lies in the program.
var ErrNotExecuted = errors.New("the program can't be executed")

// notExecuted is the kernel's reason not to execute a program.
type notExecuted struct{ error }

func (e notExecuted) Unwrap() error { return e.error }

func (notExecuted) Is(target error) bool { return target == ErrNotExecuted }

// markRefusal marks the error of an execution with ErrNotExecuted, unless the
// machine is to blame: it lacks memory, processes or descriptors, or the file is
// still being written.
func markRefusal(err error) error {
	if isMachines(err) {
		return err
	}
	return notExecuted{err}
}

// isMachines reports whether the machine is to blame for a start that has failed.
func isMachines(err error) bool {
	for _, own := range machineErrors {
		if errors.Is(err, own) {
			return true
		}
	}
	return false
}
