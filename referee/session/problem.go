package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/external"
	"umpire/referee/external/cms"
	"umpire/referee/external/judging"
	"umpire/referee/external/kattis"
	"umpire/referee/external/lone"
	"umpire/referee/external/polygon"
	"umpire/referee/external/problem"
	"umpire/referee/external/tree"
	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/record"
)

// Reading says how a path that is given for a game is read.
type Reading struct {
	Format string // name of a format of folders; "": the first whose markers are there
	// Judge, if its command is not "", judges cases that lie in the path.
	Judge LoneJudge
}

// LoneJudge is a judge without a package.
type LoneJudge = lone.Judge

// JudgeFormatNames are the formats that a lone judge may have.
func JudgeFormatNames() []string { return lone.FormatNames() }

// format is a format of folders that are games.
type format struct {
	name    string   // as --format names it
	title   string   // of who has made it
	markers []string // patterns of files, of all of which one must be in the folder
	// load reads a problem package; nil: the folder is none.
	load func(ctx context.Context, dir string) (*problem.Problem, error)
}

// formats are tried in this order.
var formats = []format{
	{"umpire", "umpire's own", []string{external.ManifestFile}, nil},
	{"kattis", "Kattis and the ICPC", []string{kattis.Marker}, kattis.Load},
	{"polygon", "Polygon", []string{polygon.Marker}, polygon.Load},
	{"cms", "CMS", []string{cms.Marker}, cms.Load},
}

// unjudged are formats that umpire does not judge.
var unjudged = []format{
	{"dmoj", "DMOJ", []string{"init.yml"}, nil},
}

// FormatNames are the names that Reading.Format may have.
func FormatNames() (names []string) {
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// marked reports whether a folder has the format's markers.
func (f format) marked(dir string) bool {
	return !slices.ContainsFunc(f.markers, func(pattern string) bool {
		found, _ := filepath.Glob(filepath.Join(globQuoted(dir), pattern))
		return len(found) == 0
	})
}

// globQuoted returns a pattern that a path alone matches.
func globQuoted(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// String names the format with its markers.
func (f format) String() string {
	return fmt.Sprintf("%s (%s)", strings.Join(f.markers, " with "), f.title)
}

// formatOf returns the format of a folder, which is shown to the user by another path: the
// format of a name or, if that is "", the first whose markers are there.
func formatOf(dir, shown, name string) (format, error) {
	var looked []string
	for _, f := range formats {
		if name == "" && f.marked(dir) || name == f.name && f.marked(dir) {
			return f, nil
		}
		if name == "" || name == f.name {
			looked = append(looked, f.String())
		}
	}
	if len(looked) == 0 {
		return format{}, mistakef("--format: found %q, expected %s", name, strings.Join(FormatNames(), ", "))
	}
	for _, f := range unjudged {
		if name == "" && f.marked(dir) {
			return format{}, mistakef("%s: packages of %s are not judged, expected %s", filepath.Join(shown, f.markers[0]), f.title, strings.Join(looked, ", "))
		}
	}
	return format{}, mistakef("%s: found no %s", shown, strings.Join(looked, ", and no "))
}

// loadProblem reads the problem package in a folder or an archive; nil if the folder is that
// of a game of its author's own.
func (u *Umpire) loadProblem(ctx context.Context, dir string) (*problem.Problem, error) {
	if u.Reading.Judge.Command != "" {
		p, err := lone.Load(ctx, dir, u.Reading.Judge)
		return p, Mistaken(err)
	}
	if !tree.IsArchive(dir) {
		return u.loadFolder(ctx, dir)
	}
	cache, err := build.CacheDir()
	if err != nil {
		return nil, err
	}
	root, unpacked, err := tree.Unpack(ctx, dir, filepath.Join(cache, "packages"))
	if err != nil {
		return nil, Mistaken(err)
	}
	if u.unpacked == nil {
		u.unpacked = make(map[string]string)
	}
	u.unpacked[root] = dir
	f, err := formatOf(unpacked, dir, u.Reading.Format)
	if err == nil && f.load == nil {
		err = mistakef("%s: is a game of its author's own, and no problem package: unpack it", dir)
	}
	if err != nil {
		return nil, err
	}
	p, err := f.load(ctx, unpacked)
	if wrong, ok := errors.AsType[*tree.FileError](err); ok {
		wrong.Folder = u.shown(unpacked)
	}
	if err != nil {
		return nil, Mistaken(err)
	}
	p.Archive, err = filepath.Abs(dir)
	p.Name = problem.NameOf(strings.TrimSuffix(filepath.Base(dir), filepath.Ext(dir)))
	return p, err
}

// shown is a path as it is shown to users: where it was unpacked from an archive, it is that in
// the archive.
func (u *Umpire) shown(path string) string {
	for root, archive := range u.unpacked {
		if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
			return filepath.Join(archive, rel)
		}
	}
	return fromHere(path)
}

// loadFolder reads the problem package in a folder; nil if it is that of a game of its
// author's own.
func (u *Umpire) loadFolder(ctx context.Context, dir string) (*problem.Problem, error) {
	f, err := formatOf(dir, dir, u.Reading.Format)
	if err != nil || f.load == nil {
		return nil, err
	}
	p, err := f.load(ctx, dir)
	return p, Mistaken(err)
}

// addProblem makes a package's problem known by the name that it was asked for, and its own.
func (u *Umpire) addProblem(name string, p *problem.Problem) protocols.Game {
	if u.problems == nil {
		u.problems = make(map[string]*problem.Problem)
	}
	u.problems[name], u.problems[p.Name] = p, p
	return p.Game()
}

// Problem returns the problem package that a game is; nil: it is none.
func (u *Umpire) Problem(g protocols.Game) *problem.Problem {
	if !g.AnyText { // a built-in game may have the name, too
		return nil
	}
	return u.problems[g.Name]
}

// openProblem makes the judge of the session's problem package.
func openProblem(ctx context.Context, s *Session, p *problem.Problem, r program.Resolver) error {
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
	relay := judging.Relay{Problem: p, Launcher: launcher, Stalls: s.Machine.Stalls}
	if err := makeJudges(ctx, s.Umpire, &relay, r); err != nil {
		return err
	}
	s.runner.Conductor = func(c protocols.Case, again func(context.Context) (referee.Contestant, error)) (_ referee.Conductor, err error) {
		one := relay
		one.Again = again
		one.Case, err = p.Find(c)
		return &one, err
	}
	return inferLimit(ctx, s, p, launcher, r)
}

// trusts reports an error where the programs of a package from an archive, whose author
// may be anybody, could do more than a contestant may, and the user has not said so.
func (m *Machine) trusts(p *problem.Problem, level referee.Level) error {
	if p.Archive == "" || m.Trusting || level != referee.LevelNone && level != referee.LevelBasic {
		return nil
	}
	return mistakef("%s: isolation %s does not keep the programs of an archive from your files: --trust runs them nevertheless, --isolation box or strict holds them", fromHere(p.Archive), level)
}

// checkRelayed has the judge of a problem package judge a match of a results file again, if
// the package's folder is given.
func (j *JudgeAgain) checkRelayed(ctx context.Context, file string, r record.Record, v *record.Verification) error {
	if j.Dir == "" || !v.Valid || r.Error != "" {
		return nil
	}
	if j.relay == nil {
		if err := j.openRelay(ctx); err != nil {
			return err
		}
	}
	if err := checkPackage(j.relay.Problem, j.Dir, r); err != nil {
		return err
	}
	_, c, err := r.Parse(nil)
	if err != nil {
		return err
	}
	one := *j.relay
	if one.Case, err = findBeside(one.Problem, c, file); err != nil {
		v.Unchecked = err.Error()
		return nil
	}
	seen, err := r.Seen()
	if err == nil {
		err = one.JudgeAgain(ctx, seen)
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, judging.ErrCut):
	case err != nil:
		v.Judge = ""
		v.Add(err)
	default:
		v.Judge = record.JudgeAgrees
	}
	return nil
}

// findBeside returns a case of a package, or one that lies beside a results file, where --stress
// puts what it finds.
func findBeside(p *problem.Problem, c protocols.Case, results string) (one problem.Case, err error) {
	if one, err = p.Find(c); err == nil {
		return one, nil
	}
	name, _, _ := strings.Cut(c.String(), " ")
	input := filepath.Join(filepath.Dir(results), name+".in")
	if filepath.Base(name) == name {
		if _, none := extraCase(p, input); none == nil {
			if one, err = p.Find(c); err == nil {
				return one, nil
			}
		}
	}
	return one, fmt.Errorf("the judge was not run: %s has no case %s, and that is not in %s", p.Name, name, input)
}

// checkPackage reports an error where a problem, which is in dir, is not that of a record.
func checkPackage(p *problem.Problem, dir string, r record.Record) error {
	if p.Digest == r.Package.Digest {
		return nil
	}
	return mistakef("--game %s: found %s (digest %s), expected %s (digest %s), as in record %s: its files have changed, or it is another problem",
		dir, p.Name, p.Digest, r.Game, r.Package.Digest, r.Called())
}

// ProblemOf reads the problem package in dir, which must be that of a record, for submissions
// to be started as on a case of it.
func (u *Umpire) ProblemOf(ctx context.Context, m *Machine, dir string, r record.Record) (*problem.Problem, error) {
	p, err := u.problemIn(ctx, m, dir)
	if err == nil {
		err = checkPackage(p, dir, r)
	}
	return p, err
}

// problemIn reads the problem package in dir, whose programs may run here.
func (u *Umpire) problemIn(ctx context.Context, m *Machine, dir string) (*problem.Problem, error) {
	p, err := u.loadProblem(ctx, dir)
	if err == nil && p == nil {
		err = mistakef("--game %s: found no problem package, expected that of the records", dir)
	}
	if err != nil {
		return nil, err
	}
	launcher, err := m.Launcher()
	if err == nil {
		err = m.trusts(p, launcher.Level())
	}
	return p, err
}

// openRelay makes the judge of the problem package in Dir.
func (j *JudgeAgain) openRelay(ctx context.Context) error {
	p, err := j.Umpire.problemIn(ctx, j.Machine, j.Dir)
	if err != nil {
		return err
	}
	relay := judging.Relay{Problem: p, Stalls: j.Machine.Stalls}
	if relay.Launcher, err = j.Machine.Launcher(); err != nil {
		return err
	}
	r, err := j.Machine.Resolver(ctx, j.Umpire, p.Name)
	if err != nil {
		return err
	}
	j.relay = &relay
	return makeJudges(ctx, j.Umpire, j.relay, r)
}

// makeJudges makes the programs that judge.
func makeJudges(ctx context.Context, u *Umpire, relay *judging.Relay, r program.Resolver) (err error) {
	p := relay.Problem
	switch {
	case p.Command != "":
		relay.Judge, err = u.commandOf(ctx, "--judge", p.Command, r)
	case p.Judge != "":
		relay.Judge, err = u.partOf(ctx, p, p.Judge, r)
	}
	if err == nil && p.Checker != "" {
		relay.Checker, err = u.partOf(ctx, p, p.Checker, r)
	}
	return err
}

// commandOf makes a program of what a flag says: a source file, or a command line.
func (u *Umpire) commandOf(ctx context.Context, flag, command string, r program.Resolver) (bot program.Bot, err error) {
	e := program.ParseEntrant("", command)
	if e.Kind == program.KindPath {
		return u.programOf(ctx, e.What, r)
	}
	if bot, err = r.Resolve(ctx, e); err != nil {
		err = mistakef("%s: %w", flag, err)
	}
	return bot, err
}

// partOf makes a program of a part of a package: a file or a folder in it.
func (u *Umpire) partOf(ctx context.Context, p *problem.Problem, name string, r program.Resolver) (program.Bot, error) {
	return u.programOf(ctx, filepath.Join(p.Dir, filepath.FromSlash(name)), r)
}

// programOf makes a program of a file, with the headers beside it, or of a folder.
func (u *Umpire) programOf(ctx context.Context, path string, r program.Resolver) (bot program.Bot, err error) {
	r.Private, r.Own = nil, nil
	dir, base := filepath.Split(path)
	headers, _ := filepath.Glob(filepath.Join(globQuoted(filepath.Clean(dir)), "*.h*"))
	if info, there := os.Stat(path); len(headers) > 0 && there == nil && info.Mode().IsRegular() {
		bot, err = r.Judge(ctx, filepath.Clean(dir), base, base, func(name string) bool {
			return name == base || !strings.Contains(name, "/") && slices.Contains([]string{".h", ".hpp"}, filepath.Ext(name))
		})
		if err != nil {
			err = errors.Unwrap(err) // without its name
		}
	} else {
		bot, err = r.Resolve(ctx, program.Entrant{Label: u.shown(path), What: path, Kind: program.KindPath, Scripts: true})
	}
	if broken, ok := errors.AsType[*program.BrokenError](err); ok {
		err = errors.Unwrap(broken.Unwrap()) // without "bot"
	}
	if err != nil {
		err = mistakef("%s: %w", u.shown(path), err)
	}
	return bot, err
}

// errGuest is the error of a player from outside on a problem package.
func errGuest(label string) error {
	return &Mistake{fmt.Errorf("bot %q: problem packages are for programs of this machine", label)}
}
