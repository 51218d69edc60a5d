package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/urfave/cli/v2"

	"umpire/bots"
	botcatalog "umpire/bots/catalog"
	gamecatalog "umpire/protocols/catalog"
	"umpire/referee/arena"
	"umpire/referee/cli/shell"
	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/report"
	"umpire/referee/session"
	"umpire/referee/stall"
)

// Exit codes.
const (
	exitOK        = 0
	exitNo        = 1   // the answer is no
	exitUsage     = 2   // wrong usage or bad input
	exitFailed    = 3   // umpire could not do its work
	exitSignalled = 128 // ended by the signal whose number is added, as shells say it
)

// answer is an error that carries its exit code.
type answer struct {
	code int
	err  error // nil: everything has been printed
}

func (a *answer) Error() string {
	if a.err == nil {
		return "no"
	}
	return a.err.Error()
}

func (a *answer) Unwrap() error { return a.err }

// usage marks an error as the user's.
func usage(err error) error {
	return session.Mistaken(err)
}

// usagef returns a new error of the user's.
func usagef(format string, args ...any) error {
	return session.Mistaken(fmt.Errorf(format, args...))
}

// isUsage reports whether an error is the user's.
func isUsage(err error) bool { return errors.As(err, new(*session.Mistake)) }

var errNo = &answer{code: exitNo}

// yes is nil where the answer is yes, and otherwise the error that ends umpire with no.
func yes(is bool) error {
	if is {
		return nil
	}
	return errNo
}

// app is one run of the command line.
type app struct {
	umpire   *session.Umpire
	files    *session.Files  // results files and standard input
	stdout   io.Writer       // for bots and exports; everything else prints to out
	out      *report.Printer // standard output
	err      *report.Printer // standard error, without colours
	guides   fs.FS           // the READMEs of rooms, for help
	bots     []bots.Bot
	status   *shell.Status // standard error; nil if it is no terminal
	endless  bool          // the command ends only when it is interrupted
	lasting  bool          // the command goes on when standard output can't be written to
	events   *eventStream  // of --events; nil without
	exports  []export      // of --export
	log      *logged       // standard error, for the library; everything else prints to err
	signal   atomic.Int32  // that has interrupted the command
	muted    atomic.Bool   // nobody reads what the command says
	drain    *drain
	claims   arena.Claims // of processors
	trust    build.Trust  // in builds that are in the cache
	stalls   *stall.Clock // of this process
	stopSaid bool         // the user has been told what was finished at the interrupt
}

// export is one value of --export.
type export struct {
	format string
	file   string // "": standard output
}

// newApp makes a run of the command line with all games and bots.
func newApp(in io.Reader, out, err io.Writer, cases fs.FS) *app {
	log := &logged{Writer: err}
	a := &app{
		stdout: out, log: log, out: report.NewPrinter(out), err: report.NewPrinter(log), bots: botcatalog.Bots(), drain: new(drain), stalls: new(stall.Clock),
		umpire: &session.Umpire{Games: gamecatalog.Games(), Cases: cases, Release: Version, Version: version(), Steady: make(map[string]session.Steady)},
	}
	a.signal.Store(int32(syscall.SIGINT))
	a.umpire.Path, _ = os.Executable() // else bots can't be resolved, which is told then
	for _, b := range a.bots {
		a.umpire.Bots = append(a.umpire.Bots, b.Game+"/"+b.Name)
		if !b.Timed {
			a.umpire.Steady[b.Game+"/"+b.Name] = func(game string, seat, seats int, in io.Reader, out io.Writer) error {
				return bots.Run(b, bots.NewTable(game, seat, seats, in, out))
			}
		}
	}
	a.files = &session.Files{In: in, Context: context.Background(), Notice: a.note}
	return a
}

// printf prints to standard output.
func (a *app) printf(format string, args ...any) { a.out.Printf(format, args...) }

// fileLink is the name of a file or folder, which a terminal opens at a click if it is there.
func fileLink(p *report.Printer, name string) report.Text {
	path := session.Absolute(name)
	if !program.Exists(path) {
		return report.SafeLine(name)
	}
	return p.Link((&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String(), name)
}

// note prints to standard error.
func (a *app) note(format string, args ...any) {
	if !a.muted.Load() {
		a.err.Say(format, args...)
	}
}

// tell returns what prints what a session tells.
func (a *app) tell(c *cli.Context) session.Tell {
	tell := session.Tell{Warn: a.note, Note: a.note}
	if c.Bool("quiet") {
		tell.Note = func(string, ...any) {}
	}
	return tell
}

// output is standard output. It keeps the first error, since most callers that
// print check for none, and writes nothing after it.
type output struct {
	io.Writer
	err    error
	failed func(error) // called at the first error
}

func (o *output) Write(b []byte) (n int, err error) {
	if o.err != nil {
		return 0, o.err
	}
	if n, err = o.Writer.Write(b); err != nil {
		o.err = err
		if o.failed != nil {
			o.failed(err)
		}
	}
	return n, err
}

// code reports an error to the user, and returns its exit code.
func (a *app) code(err error) int {
	if err == nil {
		return exitOK
	}
	var ans *answer
	switch {
	case errors.As(err, &ans):
	case errors.As(err, new(*shell.UsageError)), isUsage(err):
		ans = &answer{exitUsage, err}
	default:
		ans = &answer{exitFailed, err}
	}
	if ans.err != nil {
		for _, text := range texts(err) {
			a.note("umpire: %s\n", text)
		}
	}
	return ans.code
}

// texts returns what an error says, or each of those that it joins.
func texts(err error) (list []string) {
	if joined, ok := errors.AsType[interface {
		error
		Unwrap() []error
	}](err); ok {
		for _, one := range joined.Unwrap() {
			list = append(list, texts(one)...)
		}
	}
	if text := err.Error(); strings.Join(list, "\n") != text { // it says more
		return []string{text}
	}
	return list
}
