package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"umpire/protocols"
	"umpire/referee/external"
	"umpire/referee/external/problem"
	"umpire/referee/external/tree"
	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/suggest"
	"umpire/referee/userfile"
	"umpire/referee/yamlfile"
)

// Game finds a game: a built-in one by its name or title, in upper or lower case, one
// that was added by its name, or that of a folder with a manifest by its path.
func (u *Umpire) Game(name string) (protocols.Game, error) {
	var names []string
	for _, g := range u.Games {
		if strings.EqualFold(g.Name, name) || strings.EqualFold(g.Title, name) {
			return g, nil
		}
		names = append(names, g.Name)
	}
	if own := u.own[name]; own != nil {
		return own.Game(), nil
	}
	added, err := u.added()
	if err != nil {
		return protocols.Game{}, err
	}
	if dir := added[name]; dir != "" {
		g, err := u.loadGame(name, dir)
		if file, _ := addedFile(); err != nil {
			err = mistakef("%w (%s has it as %s; umpire games --remove %s takes it out)", err, file, name, name)
		}
		return g, err
	}
	if IsGameFolder(name) || u.Reading.Judge.Command != "" {
		return u.loadGame(name, name)
	}
	if strings.ContainsAny(name, `/\`) && !program.Exists(name) {
		return protocols.Game{}, &UnknownGame{mistakef("found no folder %s, expected that of a game", name), ""}
	}
	names = append(names, slices.Sorted(maps.Keys(added))...)
	hint := suggest.DidYouMean(name, names, "the games are "+strings.Join(names, ", "))
	return protocols.Game{}, &UnknownGame{mistakef("unknown game %q%s", name, hint), hint}
}

// UnknownGame is the mistake of naming a game that there is not.
type UnknownGame struct {
	error
	Hint string // which was probably meant, or which there are; "" for a path
}

func (u *UnknownGame) Unwrap() error { return u.error }

// loadGame reads the game in a folder or an archive, which is asked for by the name with
// which it was added, or by its path.
func (u *Umpire) loadGame(name, dir string) (protocols.Game, error) {
	p, err := u.loadProblem(context.Background(), dir)
	switch {
	case err != nil:
		return protocols.Game{}, err
	case p != nil:
		return u.keepOwn(p, name, p.Name), nil
	}
	f, err := external.Load(context.Background(), dir)
	if err != nil {
		return protocols.Game{}, Mistaken(err)
	}
	if name != dir && name != f.Name {
		return protocols.Game{}, mistakef("%s is called %s now: add it again", dir, f.Name)
	}
	f.Draw = u.drawer(f)
	return u.keepOwn(f, name, f.Name), nil
}

// ownGame is a game that is not built in: an *external.Folder or a *problem.Problem.
type ownGame interface{ Game() protocols.Game }

// keepOwn makes a game known by names: the one that it was asked for by, and its own.
func (u *Umpire) keepOwn(own ownGame, names ...string) protocols.Game {
	if u.own == nil {
		u.own = make(map[string]ownGame)
	}
	for _, name := range names {
		u.own[name] = own
	}
	return own.Game()
}

// ownOf returns what a game is that is not built in; nil: it is.
func (u *Umpire) ownOf(g protocols.Game) ownGame {
	if !g.AnyText { // a built-in game may have the name, too
		return nil
	}
	return u.own[g.Name]
}

// drawer returns what draws cases of a folder's game, on the umpire's machine.
func (u *Umpire) drawer(f *external.Folder) func(group string, seed uint64) (string, error) {
	var bot *program.Bot
	return func(group string, seed uint64) (string, error) {
		ctx := context.Background()
		if u.Machine == nil {
			return "", fmt.Errorf("generate: %s can't be run here", f.Generate)
		}
		launcher, err := u.Machine.Launcher()
		if err != nil {
			return "", err
		}
		if bot == nil {
			r, err := u.Machine.Resolver(ctx, u, f.Name)
			if err != nil {
				return "", err
			}
			made, err := f.ResolveGenerator(ctx, r)
			if err != nil {
				return "", fmt.Errorf("%s: %w", f.Name, err)
			}
			bot = &made
		}
		return f.DrawWith(ctx, launcher, *bot, group, seed)
	}
}

// IsGameFolder reports whether a path is that of a folder with a manifest, of a problem
// package or of an archive of one, or can be meant for nothing else.
func IsGameFolder(path string) bool {
	if path == "" {
		return false
	}
	if tree.IsArchive(path) {
		return true
	}
	info, err := os.Stat(path)
	isDir := err == nil && info.IsDir()
	return isDir && (strings.ContainsAny(path, `/\`) || slices.ContainsFunc(append(slices.Clone(formats), unjudged...), func(f format) bool { return f.marked(path) }))
}

// Folder returns the folder of a game that was found in one; nil: it was in none.
func (u *Umpire) Folder(g protocols.Game) *external.Folder {
	f, _ := u.ownOf(g).(*external.Folder)
	return f
}

// addedFile is the file, in the user's configuration folder, of the games that were
// added: `name: folder`.
func addedFile() (string, error) {
	dir, err := os.UserConfigDir()
	return filepath.Join(dir, "umpire", "games.yaml"), err
}

// added returns the folders of the games that were added, by name.
func (u *Umpire) added() (map[string]string, error) {
	file, err := addedFile()
	if err != nil {
		return nil, nil // the system has no such folder
	}
	text, err := build.ReadFile(context.Background(), file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var added map[string]string
	if err == nil {
		err = yamlfile.Decode(file, text, &added)
	}
	if err != nil {
		return nil, mistakef("%w; expected lines `NAME: FOLDER`", err)
	}
	return added, nil
}

// AllGames returns the built-in games, and those that were added. Wrong is called with
// each of these that can't be read.
func (u *Umpire) AllGames(wrong func(name string, err error)) ([]protocols.Game, error) {
	added, err := u.added()
	games := slices.Clone(u.Games)
	for _, name := range slices.Sorted(maps.Keys(added)) {
		if g, err := u.Game(name); err != nil {
			wrong(name, err)
		} else {
			games = append(games, g)
		}
	}
	return games, err
}

// AddGame gives the game of a folder its name, for later commands. It returns the game,
// and the file that says so.
func (u *Umpire) AddGame(ctx context.Context, dir string) (g protocols.Game, file string, err error) {
	f, err := external.Load(ctx, dir)
	if err != nil {
		return g, "", Mistaken(err)
	}
	if u.IsBuiltIn(f.Name) {
		return g, "", mistakef("%s: game: found %s, which is built in: choose another name", filepath.Join(dir, external.ManifestFile), f.Name)
	}
	file, err = u.changeAdded(func(added map[string]string) error {
		if other := added[f.Name]; other != "" && other != f.Dir {
			return mistakef("%s is the game in %s: choose another name, or take that one out: umpire games --remove %s", f.Name, other, f.Name)
		}
		maps.DeleteFunc(added, func(_, dir string) bool { return dir == f.Dir }) // by the name that it had
		added[f.Name] = f.Dir
		return nil
	})
	return f.Game(), file, err
}

// IsBuiltIn reports whether a built-in game has a name, which AddGame then refuses.
func (u *Umpire) IsBuiltIn(name string) bool {
	return slices.ContainsFunc(u.Games, func(g protocols.Game) bool { return g.Name == name })
}

// AddedNames are the names that AddGame has given.
func (u *Umpire) AddedNames() []string {
	added, _ := u.added()
	return slices.Sorted(maps.Keys(added))
}

// RemoveGame takes a name away that AddGame has given, and returns the file that said so.
// The folder, which need not be there any more, is left alone.
func (u *Umpire) RemoveGame(name string) (file string, err error) {
	return u.changeAdded(func(added map[string]string) error {
		if added[name] == "" {
			known := slices.Sorted(maps.Keys(added))
			return mistakef("--remove: found no game %q that was added%s", name, suggest.DidYouMean(name, known, listed("added game", known)))
		}
		delete(added, name)
		return nil
	})
}

// changeAdded changes the games that were added, and returns the file that lists them.
func (u *Umpire) changeAdded(change func(added map[string]string) error) (file string, err error) {
	added, err := u.added()
	if err != nil {
		return "", err
	}
	if added == nil {
		added = make(map[string]string)
	}
	if err := change(added); err != nil {
		return "", err
	}
	if file, err = addedFile(); err != nil {
		return "", err
	}
	text, err := yaml.Marshal(added)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(file), 0o755)
	}
	if err == nil {
		err = userfile.Replace(file, text, 0o666)
	}
	return file, err
}

// StandardCases are the case sets, by game: the built-in ones, and those of folders.
func (u *Umpire) StandardCases() fs.FS { return caseSets{u} }

type caseSets struct{ umpire *Umpire }

func (s caseSets) Open(name string) (fs.File, error) {
	game, rest, _ := strings.Cut(name, "/")
	if rest == "" {
		rest = "."
	}
	switch own := s.umpire.own[game].(type) {
	case *external.Folder:
		return own.Cases().Open(rest)
	case *problem.Problem:
		set, err := own.CaseSet()
		if err != nil {
			return nil, err
		}
		return set.Open(rest)
	}
	return s.umpire.Cases.Open(name)
}

// Where implements cases.Located.
func (s caseSets) Where(name string) string {
	game, rest, _ := strings.Cut(name, "/")
	if f, ok := s.umpire.own[game].(*external.Folder); ok {
		return fromHere(filepath.Join(f.Dir, "cases", rest))
	}
	return name
}

// GameWord is how a game is named in configurations and in commands of any folder: by
// its own folder, unless its name is enough.
func (u *Umpire) GameWord(g protocols.Game) string {
	if f := u.Folder(g); f != nil {
		if added, _ := u.added(); added[f.Name] != f.Dir {
			return f.Dir
		}
	}
	if p := u.Problem(g); p != nil {
		return cmp.Or(p.Archive, p.Dir)
	}
	return g.Name
}

// makeJudge makes the judge of a folder.
func makeJudge(ctx context.Context, m *Machine, f *external.Folder, r program.Resolver) (external.Judge, error) {
	launcher, err := m.Launcher()
	if err != nil {
		return external.Judge{}, err
	}
	bot, err := f.Resolve(ctx, r)
	if err != nil {
		return external.Judge{}, Mistaken(fmt.Errorf("%s: %w", f.Name, err))
	}
	return external.Judge{Folder: f, Bot: bot, Launcher: launcher}, nil
}

// judgeOf makes the judge of a folder, as far as it needs no session.
func (u *Umpire) judgeOf(ctx context.Context, m *Machine, f *external.Folder) (external.Judge, error) {
	resolver, err := m.Resolver(ctx, u, f.Name)
	if err != nil {
		return external.Judge{}, err
	}
	return makeJudge(ctx, m, f, resolver)
}

// folderOf finds the folder of the game that records are of: dir or, if that is "", the one
// that was added under the name and has not changed since; nil if there is none. What
// says in words which records they are.
func (u *Umpire) folderOf(ctx context.Context, dir, name, digest, what string) (*external.Folder, error) {
	given := dir != ""
	if !given {
		added, err := u.added()
		if err != nil {
			return nil, err
		}
		if dir = added[name]; dir == "" {
			return nil, nil
		}
	}
	f, err := external.Load(ctx, dir)
	switch {
	case !given && (err != nil || f.Digest != digest):
		return nil, nil // that folder is not what the records are about
	case err != nil:
		return nil, Mistaken(err)
	case f.Digest != digest || f.Name != name:
		return nil, mistakef("--game %s: found %s (digest %s), expected %s (digest %s), as in %s: its files have changed, or it is another game",
			dir, f.Name, f.Digest, name, digest, what)
	}
	return f, nil
}
