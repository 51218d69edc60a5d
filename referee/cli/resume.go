package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"umpire/referee"
	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/tournament"
)

// A run that is resumed is played on under the conditions it was begun under.
// What decides a result is taken over from the run folder; to say something else
// is another tournament, and refused. What may change a result without
// deciding it is said, and kept in run.json. Bots may come, change and go.

// resumed holds what the run folder says about earlier runs.
type resumed struct {
	config tournament.Config
	info   tournament.Info
}

// first is how the run was begun.
func (r *resumed) first() tournament.InfoRun {
	if len(r.info.Runs) == 0 {
		return tournament.InfoRun{}
	}
	return r.info.Runs[0]
}

// readRun reads what the run folder that is resumed says, and makes flags of it
// that the user has not given.
func (s *organised) readRun() error {
	config, info, err := tournament.Before(s.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !tournament.Played(s.dir) && s.c.NArg() > 0:
		return nil // it was stopped before it began
	case errors.Is(err, fs.ErrNotExist) && tournament.Played(s.dir):
		return usagef("--resume: %s holds results and not how they were played: %w", s.dir, err)
	case err != nil:
		return usagef("--resume: %w", err)
	}
	s.past = &resumed{config, info}
	if s.past.config.Folder == "" {
		s.past.config.Folder = s.past.first().Folder
	}
	if level := s.c.String("isolation"); level == "" || level == string(referee.LevelAuto) || !s.c.IsSet("isolation") {
		s.past.config.Isolation = s.past.first().Isolation
		if err := s.c.Set("isolation", s.past.config.Isolation); err != nil {
			return err
		}
	}
	if info.Seats > 0 {
		s.past.config.Seats = &info.Seats
	}
	s.past.config.Languages = ""
	if path := filepath.Join(s.dir, tournament.LanguagesFile); exists(path) {
		s.past.config.Languages = absolute("", path)
	}
	return s.takeFlags(filepath.Join(s.dir, tournament.ConfigFile), &s.past.config)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// sameTournament refuses to resume a run under other conditions.
func (s *organised) sameTournament() error {
	if s.past == nil {
		return nil
	}
	var differ []string
	compare := func(what, found, expected string) {
		if found != expected {
			differ = append(differ, fmt.Sprintf("%s: found %s, expected %s", what, cmp.Or(found, "the game's"), cmp.Or(expected, "the game's")))
		}
	}
	compare("game", s.game.Name, s.past.info.Game)
	now := s.resolved()
	for _, k := range tournament.Flags() {
		expected := s.past.config.Get(k)
		if k.Decides && !(expected == "" && k.Always) {
			compare(k.Flag(), k.Canonical(now.Get(k)), k.Canonical(expected))
		}
	}
	if digest := s.past.info.CasesDigest; digest != "" && digest != s.casesDigest() {
		differ = append(differ, fmt.Sprintf("cases: found %s, expected the %s of this run, unchanged",
			plural(len(s.set.Cases), "case"), plural(len(s.past.info.Cases), "case")))
	}
	isolation := "isolation"
	if os.Getenv("UMPIRE_ISOLATION") != "" {
		isolation = "isolation (--isolation or UMPIRE_ISOLATION)"
	}
	compare(isolation, string(s.launcher.Level()), s.past.first().Isolation)
	if row, err := s.otherLanguage(); err != nil {
		return usage(err)
	} else if row != "" {
		differ = append(differ, fmt.Sprintf("--languages: found another row for %s, expected the table of this run, %s", row, s.past.config.Languages))
	}
	if len(differ) == 0 {
		return nil
	}
	return usagef("--resume: %s is another tournament:\n  %s\ngo on with it as it is (%s), or name another folder",
		s.dir, strings.Join(differ, "\n  "), s.resumeCommand())
}

// otherLanguage names a language whose row is not that of the run; "" if all
// are.
func (s *organised) otherLanguage() (string, error) {
	if s.past.config.Languages == "" {
		return "", nil
	}
	expected, err := build.LoadLanguages(s.c.Context, s.past.config.Languages)
	if err != nil {
		return "", err
	}
	found, err := build.LoadLanguages(s.c.Context, s.c.String("languages"))
	if err != nil {
		return "", err
	}
	return found.Differ(expected), nil
}

func (s *organised) casesDigest() string {
	var parts []string
	for _, c := range s.set.Cases {
		parts = append(parts, c.Name, c.Group, number(c.Points), c.String())
	}
	return build.Digest(parts...)
}

// sayChanges says what has changed since the run before that does not decide
// results, and may change them.
func (s *organised) sayChanges() {
	if s.past == nil || s.c.Bool("quiet") || len(s.past.info.Runs) == 0 {
		return
	}
	before, now := s.past.info.Runs[len(s.past.info.Runs)-1], s.thisRun()
	say := func(what, was, is string) {
		if was != is && was != "" {
			s.note("notice: %s: so far %s, now %s\n", what, was, is)
		}
	}
	say("umpire", before.Umpire, now.Umpire)
	say("--jobs", fmt.Sprint(before.Jobs), fmt.Sprint(now.Jobs))
	say("--affinity", before.Affinity, now.Affinity)
	say("machine", machine(before.Machine), machine(now.Machine))
	if before.Environment != nil {
		for _, v := range now.Environment {
			if !slices.Contains(before.Environment, v) {
				s.note("notice: environment: %s was not so in the run before\n", v)
			}
		}
		for _, v := range before.Environment {
			name, _, _ := strings.Cut(v, "=")
			if os.Getenv(name) == "" {
				s.note("notice: environment: %s was there in the run before\n", v)
			}
		}
	}
	for _, b := range s.bots {
		i := slices.IndexFunc(s.past.info.Bots, func(old tournament.InfoBot) bool { return old.Name == b.Name })
		if i >= 0 && s.past.info.Bots[i].Digest != b.Digest {
			s.note("notice: %s is another program than in the run before; its matches until now do not count\n", b.Name)
		}
	}
}

func machine(m tournament.Machine) string {
	return fmt.Sprintf("%s, %s, %s, %d CPUs", m.Name, m.Kernel, m.CPU, m.CPUs)
}

// inherited is what bots get of the environment.
func inherited() []string { return append([]string{}, program.Inherited()...) }
