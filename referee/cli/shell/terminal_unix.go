//go:build unix

package shell

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/term"
)

// terminal is the terminal that controls umpire.
type terminal struct{ file *os.File }

// openTerminal opens it anew, since reads of a terminal opened by others can't be ended.
func openTerminal() (*terminal, error) {
	f, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	return &terminal{f}, err
}

// close ends the reading, which closes read, and the terminal.
func (t *terminal) close(read <-chan struct{}) {
	if read != nil && t.file.SetReadDeadline(time.Now()) == nil {
		<-read // elsewhere the next key ends the reading
	}
	t.file.Close()
}

func (t *terminal) read(b []byte) (int, error) { return t.file.Read(b) }

func (t *terminal) write(text string) error {
	_, err := t.file.WriteString(text)
	return err
}

// makeRaw has keys read one by one, until restore is called.
func (t *terminal) makeRaw() (restore func(), err error) {
	var before *term.State
	if failed := t.control(func(fd int) { before, err = term.MakeRaw(fd) }); failed != nil || err != nil {
		return nil, errors.Join(failed, err)
	}
	return func() { _ = t.control(func(fd int) { _ = term.Restore(fd, before) }) }, nil
}

// size returns how many cells the terminal is wide and high; 0 if that is unknown.
func (t *terminal) size() (width, height int) {
	_ = t.control(func(fd int) { width, height, _ = term.GetSize(fd) })
	return width, height
}

// control calls f with the terminal's descriptor, which stays as it is: Fd would
// make it block.
func (t *terminal) control(f func(fd int)) error {
	raw, err := t.file.SyscallConn()
	if err != nil {
		return err
	}
	return raw.Control(func(fd uintptr) { f(int(fd)) })
}

// movesCursor reports whether a terminal can move its cursor, as far as the system knows.
func movesCursor(*os.File) bool { return true }

// isNamed reports whether the environment says what the terminal is.
func isNamed() bool { return os.Getenv("TERM") != "" }

// endOfInput is the key that ends what is typed.
const endOfInput = "Ctrl-D"

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
