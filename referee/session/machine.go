package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"umpire/referee"
	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/sandbox"
	"umpire/referee/settings"
)

// Launcher chooses the level of isolation, and tells if it is none.
func (m *Machine) Launcher() (sandbox.Launcher, error) {
	m.once.Do(func() { m.launcher, m.err = m.choose() })
	return m.launcher, m.err
}

func (m *Machine) choose() (sandbox.Launcher, error) {
	level := cmp.Or(m.Level, referee.LevelAuto)
	if err := settings.Isolation.Check(string(level)); err != nil {
		return nil, Mistaken(err)
	}
	passed := "" // where passed trials are remembered; nowhere if there is no cache
	if dir, err := build.CacheDir(); err == nil {
		passed = filepath.Join(dir, "trials")
	}
	launcher, trials, err := sandbox.Choose(level, passed)
	if errors.As(err, new(*sandbox.UntriedError)) {
		return nil, fmt.Errorf("--isolation: can't find out what this machine can enforce: %w", err)
	}
	if err != nil {
		return nil, mistakef("--isolation: this machine can't do it (`umpire doctor` says more): %w", err)
	}
	switch launcher.Level() {
	case referee.LevelStrict:
		m.tellScope()
	case referee.LevelBasic, referee.LevelBox:
		if level == referee.LevelAuto && !trials[len(trials)-1].Known {
			m.Tell.Note("umpire: isolation %s: umpire checks the memory of bots while they play; the kernel enforces the limit at strict alone, "+
				"and `umpire doctor` says what that lacks here (said only once)\n", launcher.Level())
		}
	case referee.LevelNone:
		m.Trust.Lose()
		tell := m.Tell.Note
		if level != referee.LevelNone { // nobody has asked for it
			tell = m.Tell.Warn
		}
		tell("umpire: no isolation: contestants can do anything you can, also change builds in the cache and what later runs read: " +
			"nothing protects these. Executables that are not source files, and files that command lines name, play in place: a match in which one is edited is an error\n")
		for _, t := range trials {
			if !t.OK {
				tell("umpire: level %s: %s\n", t.Level, t.Reason)
			}
		}
	}
	return launcher, nil
}

// tellScope says what a user has to know of the scope that contestants play in, if they
// do.
func (m *Machine) tellScope() {
	scope, ok := sandbox.OwnScope()
	if !ok {
		return
	}
	if scope.Whole {
		m.Tell.Warn("umpire: systemd did not take the contestants alone: umpire itself has moved into %s, too\n", scope.Unit)
	}
	if !scope.Lingers && outlivesSession() {
		m.Tell.Warn("umpire: contestants end with your last session, and the run stops; to let it go on then, once: loginctl enable-linger\n")
	}
}

// outlivesSession reports whether umpire was started where a run is often left to itself:
// over ssh, or in tmux or screen.
func outlivesSession() bool {
	for _, name := range []string{"SSH_CONNECTION", "TMUX", "STY"} {
		if os.Getenv(name) != "" {
			return true
		}
	}
	return false
}

// Resolver returns what makes bots of a game's entrants. Compilers are isolated
// like the bots.
func (m *Machine) Resolver(ctx context.Context, u *Umpire, game string) (program.Resolver, error) {
	r := program.Resolver{Game: game, Path: u.Path, Version: u.Release, Names: u.Bots, Launcher: m.Launcher}
	if u.Path == "" {
		return r, errors.New("umpire's own executable can't be found")
	}
	languages, err := build.LoadLanguages(ctx, m.Languages)
	if err != nil {
		return r, Mistaken(err)
	}
	r.Builder = &build.Builder{Languages: languages, Run: r.Compile, Prepare: r.Prepare}
	if m.Stalls != nil {
		r.Builder.Stalled = m.Stalls.Look
	}
	r.Builder.Token = func() (string, error) {
		if _, err := m.Launcher(); err != nil { // it decides on the trust
			return "", err
		}
		return m.Trust.Token()
	}
	r.Builder.Notice = func(source, language string) { m.Tell.Note("compile %s (%s)\n", u.shown(source), language) }
	return r, nil
}
