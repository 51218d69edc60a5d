package cli

import (
	"context"
	"io"
	"time"

	"umpire/referee"
)

// patience is how long an interrupted command may take to end: killing the
// contestants of all jobs takes well under a second.
const patience = 5 * time.Second

// interruptible runs a command. An interrupted command ends by itself, unless
// it is blocked in a read of a pipe or from a dead server: such a command is
// abandoned, and everything still running dies with umpire.
func interruptible(ctx context.Context, run func() error) error {
	done := make(chan error, 1)
	go func() { done <- referee.Guard(run) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(patience):
		return context.Cause(ctx)
	}
}

// input returns a reader of a file or of standard input that ends with the
// cause of an interrupt. A read that is blocked then is abandoned.
func (a *app) input(in io.Reader) io.Reader { return &input{in: in, stop: a.stop} }

type input struct {
	in   io.Reader
	stop <-chan struct{}
	buf  []byte
}

func (i *input) Read(b []byte) (int, error) {
	select {
	case <-i.stop:
		return 0, context.Canceled
	default:
	}
	if cap(i.buf) < len(b) {
		i.buf = make([]byte, len(b))
	}
	type read struct {
		n   int
		err error
	}
	done := make(chan read, 1)
	go func() {
		n, err := i.in.Read(i.buf[:len(b)])
		done <- read{n, err}
	}()
	select {
	case r := <-done:
		return copy(b, i.buf[:r.n]), r.err
	case <-i.stop:
		return 0, context.Canceled
	}
}

// stopped reports whether umpire has been interrupted.
func (a *app) stopped() bool {
	select {
	case <-a.stop:
		return true
	default:
		return false
	}
}
