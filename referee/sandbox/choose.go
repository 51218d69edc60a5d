package sandbox

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"

	"umpire/referee"
)

// Choose returns a launcher of a level that has kept its promises in a trial run on this
// machine, with what was tried. Auto is the strongest such level; None is none, which only
// has to start a program; any other is that level or, failing it, a stronger one. Where
// there is none such the error says why. It tries no level that has passed a trial since
// the machine was started, under the same conditions and by the same binary: the folder
// keeps that, and is made where it is missing; "": all are tried.
func Choose(level referee.Level, dir string) (Launcher, []Trial, error) {
	levels, err := candidates(level)
	if err != nil {
		return nil, nil, err
	}
	var trials []Trial
	var failures []string
	for _, l := range levels {
		launcher, trial, err := newTried(l, dir)
		if err != nil {
			return nil, trials, err
		}
		trials = append(trials, trial)
		if trial.OK {
			return launcher, trials, nil
		}
		failures = append(failures, fmt.Sprintf("%s: %s", l, trial.Reason))
	}
	return nil, trials, fmt.Errorf("isolate at level %s: %s", level, strings.Join(failures, "; "))
}

// UntriedError reports a level that can't be tried as umpire itself lacks something, such as
// descriptors, processes, memory, or room in TMPDIR. That says nothing of the level, and the
// next one would be too weak.
type UntriedError struct {
	Level  referee.Level
	reason error
}

func (e *UntriedError) Error() string { return fmt.Sprintf("try level %s: %v", e.Level, e.reason) }

func (e *UntriedError) Unwrap() error { return e.reason }

// ownError marks the error of what umpire needs for itself, such as its folder in TMPDIR.
type ownError struct{ error }

func (e *ownError) Unwrap() error { return e.error }

// newTried is New, and tries what the level promises, unless a folder, which may be empty,
// keeps that it has passed. None promises nothing: what fails there is umpire's own. The
// error is an UntriedError.
func newTried(level referee.Level, dir string) (Launcher, Trial, error) {
	known := false
	l, err := New(level)
	if err == nil {
		l, known, err = tryOnce(l, dir)
	}
	if errors.Is(err, syscall.EAGAIN) {
		err = fmt.Errorf("%w: umpire's user or control group has as many processes and threads as it may (ulimit -u, pids.max)", err)
	}
	switch {
	case err != nil && (level == referee.LevelNone || isMachines(err) || errors.As(err, new(*ownError))):
		return nil, Trial{}, &UntriedError{level, err}
	case err != nil:
		return nil, Trial{Level: level, Reason: err.Error()}, nil
	}
	return l, Trial{Level: level, OK: true, Known: known}, nil
}

// candidates are the levels to be tried, in order.
func candidates(level referee.Level) ([]referee.Level, error) {
	list := referee.Levels()
	i := slices.Index(list, level)
	switch {
	case level == referee.LevelAuto:
		slices.Reverse(list)
		return list, nil
	case level == referee.LevelNone:
		return list[:1], nil
	case i < 0:
		return nil, fmt.Errorf("unknown isolation level %q: want auto, none, basic, box or strict", level)
	}
	return list[i:], nil
}
