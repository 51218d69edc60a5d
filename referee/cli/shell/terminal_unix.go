//go:build unix

package shell

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// openTerminal opens the terminal that controls umpire.
func openTerminal() (*os.File, error) { return os.OpenFile("/dev/tty", os.O_RDWR, 0) }

// notifyResize has c told when the terminal's size changes.
func notifyResize(c chan<- os.Signal) { signal.Notify(c, syscall.SIGWINCH) }

// interruptSelf sends umpire the signal that Ctrl-C sends.
func interruptSelf() { _ = syscall.Kill(syscall.Getpid(), syscall.SIGINT) }

// stopSelf stops umpire until the user continues it.
func stopSelf() error {
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGTSTP); err != nil {
		return err
	}
	select {
	case <-continued:
	case <-time.After(ignored): // nobody could continue umpire, so it goes on
	}
	return nil
}

// ignored is after how long a signal to stop has been ignored.
const ignored = 200 * time.Millisecond
