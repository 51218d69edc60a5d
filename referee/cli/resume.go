package cli

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"umpire/referee"
	"umpire/referee/program/build"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/tournament"
)

// readRun reads the folder of the run that is resumed, and sets the flags that
// the user has not given from it.
func (s *tournamentSession) readRun() (err error) {
	s.past, err = tournament.ReadPast(s.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !record.Played(s.dir) && s.c.NArg() > 0:
		return nil // the run was stopped before it began
	case errors.Is(err, fs.ErrNotExist) && record.Played(s.dir):
		return usagef("--resume: %s holds results but not how they were played: %w", s.dir, err)
	case err != nil:
		return usagef("--resume: %w", err)
	}
	if s.askedIsolation() == "" {
		s.levelLeft = isLeft(s.past.AskedIsolation)
		if err := s.c.Set("isolation", s.past.Config.Isolation); err != nil {
			return err
		}
	}
	return s.takeFlags(filepath.Join(s.dir, tournament.ConfigFile), &s.past.Config)
}

// askedIsolation is the level of isolation that the user asks for, of workers
// too; "" if it is left to each machine.
func (s *session) askedIsolation() referee.Level {
	level := s.c.String("isolation")
	if s.levelLeft || isLeft(level) {
		return ""
	}
	return referee.Level(level)
}

// isLeft reports whether a value of --isolation leaves the level to the machine.
func isLeft(level string) bool { return level == "" || level == string(referee.LevelAuto) }

// sameTournament refuses to resume a run under other conditions.
func (s *tournamentSession) sameTournament() error {
	if s.past == nil {
		return nil
	}
	now := tournament.Conditions{
		Game: s.game.Name, Config: s.resolved(), Cases: len(s.set.Cases), CasesDigest: s.casesDigest(), Isolation: string(s.launcher.Level()),
	}
	var err error
	if now.Language, err = s.otherLanguage(); err != nil {
		return usage(err)
	}
	differ := s.past.Differences(now)
	if len(differ) == 0 {
		return nil
	}
	return usagef("--resume: %s is a different tournament:\n  %s\nresume it unchanged (%s), or name another folder",
		s.dir, strings.Join(differ, "\n  "), s.resumeCommand())
}

// otherLanguage names a language whose row differs from the run's; "" if none
// does.
func (s *tournamentSession) otherLanguage() (string, error) {
	if s.past.Config.Languages == "" {
		return "", nil
	}
	expected, err := build.LoadLanguages(s.c.Context, s.past.Config.Languages)
	if err != nil {
		return "", err
	}
	found, err := build.LoadLanguages(s.c.Context, s.c.String("languages"))
	if err != nil {
		return "", err
	}
	return found.Differ(expected), nil
}

func (s *tournamentSession) casesDigest() string {
	var parts []string
	for _, c := range s.set.Cases {
		parts = append(parts, c.Name, c.Group, report.Number(c.Points), c.String())
	}
	return build.Digest(parts...)
}

// sayChanges prints what has changed since the previous run that may affect
// results without determining them.
func (s *tournamentSession) sayChanges() {
	if s.past == nil || s.c.Bool("quiet") {
		return
	}
	for _, change := range s.past.Changes(s.thisRun(), s.infoBots()) {
		s.note("notice: %s\n", change)
	}
}
