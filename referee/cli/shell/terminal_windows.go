package shell

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// openTerminal fails: a console is read and written by two files.
func openTerminal() (*os.File, error) {
	return nil, errors.New("keys are not read one by one on Windows; --quiet, --list and --html show a record otherwise")
}

// notifyResize does nothing: no signal tells of it. The next line is drawn as wide as the
// console is then.
func notifyResize(chan<- os.Signal) {}

// interruptSelf sends the programs of this console, umpire among them, a Ctrl-C.
func interruptSelf() { _ = windows.GenerateConsoleCtrlEvent(windows.CTRL_C_EVENT, 0) }

// stopSelf does nothing: no key stops a program.
func stopSelf() error { return nil }
