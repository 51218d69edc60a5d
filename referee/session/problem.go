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
	"umpire/referee/external/judging"
	"umpire/referee/external/lone"
	"umpire/referee/external/problem"
	"umpire/referee/external/tree"
	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/record"
)

// loadProblem reads the problem package in a folder or an archive; nil if the folder is that
// of a game of its author's own.
func (u *Umpire) loadProblem(ctx context.Context, dir string) (*problem.Problem, error) {
	if u.Reading.Judge.Command != "" {
		p, err := lone.Load(ctx, dir, u.Reading.Judge)
		return p, Mistaken(err)
	}
	root, unpacked := "", dir
	if tree.IsArchive(dir) {
		cache, err := build.CacheDir()
		if err != nil {
			return nil, err
		}
		if root, unpacked, err = tree.Unpack(ctx, dir, filepath.Join(cache, "packages")); err != nil {
			return nil, Mistaken(err)
		}
		if u.unpacked == nil {
			u.unpacked = make(map[string]string)
		}
		u.unpacked[root] = dir
	}
	f, err := formatOf(unpacked, dir, u.Reading.Format)
	switch {
	case err != nil:
		return nil, err
	case f.load == nil && root != "":
		return nil, mistakef("%s: is a game of its author's own, and no problem package: unpack it", dir)
	case f.load == nil:
		return nil, nil
	}
	p, err := f.load(ctx, unpacked)
	if wrong, ok := errors.AsType[*tree.FileError](err); ok && root != "" {
		wrong.Folder = u.shown(unpacked)
	}
	if err != nil || root == "" {
		return p, Mistaken(err)
	}
	p.Archive, err = filepath.Abs(dir)
	p.Name = problem.NameOf(strings.TrimSuffix(filepath.Base(dir), filepath.Ext(dir)))
	return p, err
}

// Problem returns the problem package that a game is; nil: it is none.
func (u *Umpire) Problem(g protocols.Game) *problem.Problem {
	p, _ := u.ownOf(g).(*problem.Problem)
	return p
}

// trusts reports an error where the programs of a package from an archive, whose author
// may be anybody, could do more than a contestant may, and the user has not said so.
func (m *Machine) trusts(p *problem.Problem) error {
	launcher, err := m.Launcher()
	if err != nil {
		return err
	}
	level := launcher.Level()
	if p.Archive == "" || m.Trusting || level != referee.LevelNone && level != referee.LevelBasic {
		return nil
	}
	return mistakef("%s: isolation %s does not keep the programs of an archive from your files: --trust runs them nevertheless, --isolation box or strict holds them", fromHere(p.Archive), level)
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
	return p, m.trusts(p)
}

// relayOf makes the judge of a problem package.
func relayOf(ctx context.Context, u *Umpire, m *Machine, p *problem.Problem, r program.Resolver) (relay judging.Relay, err error) {
	relay = judging.Relay{Problem: p, Stalls: m.Stalls}
	if relay.Launcher, err = m.Launcher(); err != nil {
		return relay, err
	}
	switch {
	case p.Command != "":
		relay.Judge, err = u.commandOf(ctx, "--judge", p.Command, r)
	case p.Judge != "":
		relay.Judge, err = u.partOf(ctx, p, p.Judge, r)
	}
	if err == nil && p.Checker != "" {
		relay.Checker, err = u.partOf(ctx, p, p.Checker, r)
	}
	return relay, err
}

// commandOf makes a program of what a flag says: a source file, or a command line.
func (u *Umpire) commandOf(ctx context.Context, flag, command string, r program.Resolver) (bot program.Bot, err error) {
	e := program.ParseEntrant("", command)
	if e.Kind == program.KindPath {
		bot, err = u.programOf(ctx, e.What, r)
	} else {
		if bot, err = r.Resolve(ctx, e); err != nil {
			err = fmt.Errorf("%s: %w", command, withoutBot(err))
		}
	}
	if err != nil {
		err = mistakef("%s: %w", flag, err)
	}
	return bot, err
}

// withoutBot returns the reason of an error of Resolver.Resolve, where the program is no bot.
func withoutBot(err error) error {
	if broken, ok := errors.AsType[*program.BrokenError](err); ok {
		err = broken.Unwrap()
	}
	return errors.Unwrap(err)
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
		err = withoutBot(err)
	}
	if err != nil {
		err = mistakef("%s: %w", u.shown(path), err)
	}
	return bot, err
}

// checkPackage reports an error where a problem, which is in dir, is not that of a record.
func checkPackage(p *problem.Problem, dir string, r record.Record) error {
	if p.Digest == r.Package.Digest {
		return nil
	}
	return mistakef("--game %s: found %s (digest %s), expected %s (digest %s), as in record %s: its files have changed, or it is another problem",
		dir, p.Name, p.Digest, r.Game, r.Package.Digest, r.Called())
}
