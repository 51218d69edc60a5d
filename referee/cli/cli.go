// Package cli is the command line: the commands, one file each, and what they
// share. It decides what is printed where, and the exit code; the work is done
// in the packages it calls.
package cli

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/term"

	"umpire/referee/cli/shell"
	"umpire/referee/sandbox"
)

// newTerminalApp makes a run of the command line on the standard streams, which
// may be a terminal. Standard output is out.
func newTerminalApp(out *output, cases fs.FS) *app {
	var errs io.Writer = os.Stderr
	var status *shell.Status
	if shell.CanRedraw(os.Stderr) {
		status = shell.NewStatus(os.Stderr)
		errs = status.Above(os.Stderr)
		if shell.CanRedraw(os.Stdout) {
			out.Writer = status.Above(os.Stdout)
		}
	}
	a := newApp(os.Stdin, out, errs, cases)
	a.status = status
	a.out.Colour = shell.CanRedraw(os.Stdout) && os.Getenv("NO_COLOR") == ""
	a.err.Colour = shell.CanRedraw(os.Stderr) && os.Getenv("NO_COLOR") == ""
	a.out.ASCII = os.Getenv("TERM") == "dumb"
	if term.IsTerminal(int(os.Stdout.Fd())) {
		a.out.Columns, a.out.Rows = shell.ColumnsOf(os.Stdout), shell.RowsOf(os.Stdout)
	}
	if term.IsTerminal(int(os.Stderr.Fd())) {
		a.err.Columns = shell.ColumnsOf(os.Stderr)
	}
	return a
}

// Main runs umpire with the arguments after the program's name and returns its
// exit code. Cases holds the standard case sets, a folder a game; guides holds the
// READMEs of the repository's folders that help prints.
func Main(args []string, cases, guides fs.FS) int {
	out := &output{Writer: os.Stdout}
	a := newTerminalApp(out, cases)
	a.guides = guides
	// Bot processes are short and frequent: skip setting up the command line.
	if len(args) == 2 && args[0] == "bot" && !strings.HasPrefix(args[1], "-") {
		return a.code(runBot(a, args[1]))
	}
	settleTemp()
	ctx, stop := a.interrupts()
	defer stop()
	out.failed, a.files.Context = outputFails(a, stop), ctx
	defer a.stalls.Start(ctx)()
	defer sandbox.WatchScope(a.scopeEnds(stop))()
	defer a.trust.End()
	// Writing to a pipe without a reader is an error like any other, and must
	// not end umpire immediately: the processes it has started must be ended
	// first.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	err := interruptible(ctx, func() error { return a.run(ctx, args) })
	switch {
	case a.lasting && a.endless:
	case errors.Is(out.err, syscall.EPIPE):
		return exitSignalled + int(syscall.SIGPIPE)
	case out.err != nil:
		return exitFailed // which has been said
	}
	if a.endless && ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = nil // it was abandoned, as it took too long to end
	}
	drained := a.drain.begun.Load() && errors.Is(err, context.Canceled)
	if drained || ctx.Err() != nil && !a.endless && (err == nil || errors.Is(err, context.Canceled)) {
		if !a.stopSaid {
			a.note("umpire: interrupted; to run it again: umpire %s\n", commandLine(args))
		}
		return exitSignalled + int(a.signal.Load())
	}
	if left := sandbox.RemoveTemp(); left != nil {
		a.note("umpire: warning: can't remove what contestants have left: %v\n", left)
	}
	return a.code(err)
}

// settleTemp makes the folder for temporary files absolute, as most programs run in other folders.
func settleTemp() {
	if dir, err := filepath.Abs(os.TempDir()); err == nil && !filepath.IsAbs(os.TempDir()) {
		_ = os.Setenv("TMPDIR", dir)
	}
}

// scopeEnds returns what is called when the scope that contestants play in is ended from
// outside, after which no program can be started: it stops the command as Ctrl-C does.
func (a *app) scopeEnds(stop func()) func() {
	return func() {
		advice := "; to let it outlive your last session, once: loginctl enable-linger"
		if scope, ok := sandbox.OwnScope(); ok && scope.Lingers {
			advice = ""
		}
		a.note("umpire: %v%s\n", sandbox.ErrScopeEnded, advice)
		stop()
	}
}

// outputFails returns what is called when standard output can't be written to. A reader
// that has closed its pipe needs no message, anyone else gets it before others that follow
// from it. It stops the command, unless that has more to do than to print.
func outputFails(a *app, stop func()) func(error) {
	return func(err error) {
		if errors.Is(err, syscall.EPIPE) {
			a.muted.Store(true)
		} else {
			a.note("umpire: %v\n", err)
		}
		if !a.lasting {
			stop()
		}
	}
}

// endSignals returns the signals on which umpire ends what it has started and
// keeps finished matches. A closed terminal sends SIGHUP, which nohup ignores.
func endSignals() []os.Signal {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

// oneInterrupt is how long an interrupt that stops the command is one with those after it: timeout,
// for one, signals umpire and then the group that it is in.
const oneInterrupt = 500 * time.Millisecond

// interrupts returns a context that ends at an interrupt that stops the command,
// or when it is cancelled. The next one after that ends umpire immediately.
func (a *app) interrupts() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, endSignals()...)
	go func() {
		defer signal.Stop(signals)
		for {
			select {
			case s := <-signals:
				if number, ok := s.(syscall.Signal); ok {
					a.signal.Store(int32(number))
				}
				if !a.drain.begin() {
					cancel()
					time.Sleep(oneInterrupt)
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return ctx, cancel
}
