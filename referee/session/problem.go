package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/external"
	"umpire/referee/external/kattis"
	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/record"
)

// packageFormats are the formats of problem packages, by the file that makes a folder
// one. A folder with an umpire.yaml is none.
var packageFormats = []struct {
	marker string
	load   func(ctx context.Context, dir string) (*external.Problem, error)
}{
	{kattis.Marker, kattis.Load},
}

// packageMarkers are the files that make folders problem packages, judged or not.
func packageMarkers() (list []string) {
	for _, f := range packageFormats {
		list = append(list, f.marker)
	}
	for _, f := range unjudged {
		list = append(list, f.marker)
	}
	return list
}

// unjudged are the markers of formats that umpire does not judge.
var unjudged = []struct{ marker, format string }{
	{"problem.xml", "Polygon"}, {"task.yaml", "CMS"}, {"init.yml", "DMOJ"},
}

// loadProblem reads the problem package in a folder or an archive; nil if it is none.
func loadProblem(ctx context.Context, dir string) (*external.Problem, error) {
	if !external.IsArchive(dir) {
		return loadFolder(ctx, dir)
	}
	cache, err := build.CacheDir()
	if err != nil {
		return nil, err
	}
	unpacked, err := external.UnpackArchive(ctx, dir, filepath.Join(cache, "packages"))
	if err != nil {
		return nil, Mistaken(err)
	}
	p, err := loadFolder(ctx, unpacked)
	if err == nil && p == nil {
		err = mistakef("%s: found no problem package, expected %s at its top, or in its only folder", dir, kattis.Marker)
	}
	if p != nil {
		if p.Archive, err = filepath.Abs(dir); err == nil {
			p.Name = external.NameOf(strings.TrimSuffix(filepath.Base(dir), filepath.Ext(dir)))
		}
	}
	return p, err
}

// loadFolder reads the problem package in a folder; nil if it is none.
func loadFolder(ctx context.Context, dir string) (*external.Problem, error) {
	if _, err := os.Stat(filepath.Join(dir, external.ManifestFile)); err == nil {
		return nil, nil
	}
	for _, f := range packageFormats {
		if _, err := os.Stat(filepath.Join(dir, f.marker)); err == nil {
			p, err := f.load(ctx, dir)
			return p, Mistaken(err)
		}
	}
	for _, f := range unjudged {
		if _, err := os.Stat(filepath.Join(dir, f.marker)); err == nil {
			return nil, mistakef("%s: packages of %s are not judged; those of Kattis and the ICPC (%s) are", filepath.Join(dir, f.marker), f.format, kattis.Marker)
		}
	}
	return nil, nil
}

// addProblem makes a package's problem known by the name that it was asked for, and its own.
func (u *Umpire) addProblem(name string, p *external.Problem) protocols.Game {
	if u.problems == nil {
		u.problems = make(map[string]*external.Problem)
	}
	u.problems[name], u.problems[p.Name] = p, p
	return p.Game()
}

// Problem returns the problem package that a game is; nil: it is none.
func (u *Umpire) Problem(g protocols.Game) *external.Problem {
	if !g.AnyText { // a built-in game may have the name, too
		return nil
	}
	return u.problems[g.Name]
}

// openProblem makes the judge of the session's problem package.
func openProblem(ctx context.Context, s *Session, p *external.Problem, r program.Resolver) error {
	launcher, err := s.Machine.Launcher()
	if err != nil {
		return err
	}
	if err := s.Machine.trusts(p, launcher.Level()); err != nil {
		return err
	}
	for _, w := range p.Warnings {
		s.Machine.Tell.Note("warning: %s\n", w)
	}
	relay := external.Relay{Problem: p, Launcher: launcher, Stalls: s.Machine.Stalls}
	if p.Judge != "" {
		if relay.Judge, err = partOf(ctx, p, p.Judge, r); err != nil {
			return err
		}
	}
	s.runner.Conductor = func(c protocols.Case, again func(context.Context) (referee.Contestant, error)) (_ referee.Conductor, err error) {
		one := relay
		one.Again = again
		one.Case, err = p.Find(c)
		return one, err
	}
	return nil
}

// trusts reports an error where the programs of a package from an archive, whose author
// may be anybody, could do more than a contestant may, and the user has not said so.
func (m *Machine) trusts(p *external.Problem, level referee.Level) error {
	if p.Archive == "" || m.Trusting || level != referee.LevelNone && level != referee.LevelBasic {
		return nil
	}
	return mistakef("%s: isolation %s does not keep the programs of an archive from your files: --trust runs them nevertheless, --isolation box or strict holds them", fromHere(p.Archive), level)
}

// checkRelayed has the judge of a problem package judge a match again, if its folder is
// given.
func (j *JudgeAgain) checkRelayed(ctx context.Context, r record.Record, v *record.Verification) error {
	if j.Dir == "" || !v.Valid || r.Error != "" {
		return nil
	}
	if j.relay == nil {
		if err := j.openRelay(ctx); err != nil {
			return err
		}
	}
	p := j.relay.Problem
	if p.Digest != r.Package.Digest {
		return mistakef("--game %s: found %s (digest %s), expected %s (digest %s), as in record %s: its files have changed, or it is another problem",
			j.Dir, p.Name, p.Digest, r.Game, r.Package.Digest, r.Called())
	}
	_, c, err := r.Parse(nil)
	if err != nil {
		return err
	}
	one := *j.relay
	if one.Case, err = p.Find(c); err != nil {
		v.Add(err)
		return nil
	}
	seen, err := r.Seen()
	if err == nil {
		err = one.JudgeAgain(ctx, seen)
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, external.ErrCut):
	case err != nil:
		v.Judge = ""
		v.Add(err)
	default:
		v.Judge = record.JudgeAgrees
	}
	return nil
}

// openRelay makes the judge of the problem package in Dir.
func (j *JudgeAgain) openRelay(ctx context.Context) error {
	p, err := loadProblem(ctx, j.Dir)
	if err == nil && p == nil {
		err = mistakef("--game %s: found no problem package, expected that of the records", j.Dir)
	}
	if err != nil {
		return err
	}
	relay := external.Relay{Problem: p, Stalls: j.Machine.Stalls}
	if relay.Launcher, err = j.Machine.Launcher(); err == nil {
		err = j.Machine.trusts(p, relay.Launcher.Level())
	}
	if err != nil {
		return err
	}
	if p.Judge != "" {
		r, err := j.Machine.Resolver(ctx, j.Umpire, p.Name)
		if err != nil {
			return err
		}
		if relay.Judge, err = partOf(ctx, p, p.Judge, r); err != nil {
			return err
		}
	}
	j.relay = &relay
	return nil
}

// partOf makes a program of a part of a package: a file or a folder in it.
func partOf(ctx context.Context, p *external.Problem, name string, r program.Resolver) (program.Bot, error) {
	r.Private, r.Own = nil, nil
	path := filepath.Join(p.Dir, filepath.FromSlash(name))
	bot, err := r.Resolve(ctx, program.Entrant{Label: fromHere(path), What: path, Kind: program.KindPath})
	if broken, ok := errors.AsType[*program.BrokenError](err); ok {
		err = errors.Unwrap(broken.Unwrap()) // without "bot"
	}
	if err != nil {
		err = mistakef("%s: %w", fromHere(path), err)
	}
	return bot, err
}

// submissionsOf are the submissions of a package, by the names that users give them.
func submissionsOf(p *external.Problem) map[string]string {
	files := make(map[string]string)
	for _, s := range p.Submissions {
		files[s.Name] = filepath.Join(p.Dir, "submissions", filepath.FromSlash(s.Name))
	}
	return files
}

// errGuest is the error of a player from outside on a problem package.
func errGuest(label string) error {
	return &Mistake{fmt.Errorf("bot %q: problem packages are for programs of this machine", label)}
}
