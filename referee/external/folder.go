package external

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"umpire/protocols"
	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/record"
	"umpire/referee/talk"
)

// Folder is a game in a folder.
type Folder struct {
	Manifest
	Dir    string // absolute
	Digest string // of everything that determines how matches go
	Rules  string // rules.md
	// Draw runs the manifest's `generate:` for a group and a seed; nil: that can't be run.
	Draw func(group string, seed uint64) (string, error)
}

// Load reads a folder. An error is its author's to mend, and names file and line.
func Load(ctx context.Context, dir string) (*Folder, error) {
	f, err := load(ctx, dir)
	if err != nil {
		return nil, err
	}
	if f.House != "" {
		if _, err := os.Stat(filepath.Join(f.Dir, f.House)); err != nil {
			return nil, fmt.Errorf("%s:%d: house: found no file %s", filepath.Join(dir, ManifestFile), f.houseLine, f.House)
		}
	}
	rules, err := build.ReadFile(ctx, filepath.Join(f.Dir, "rules.md"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if f.Rules = string(rules); f.Rules == "" {
		f.Rules = f.Facts.Title + ": its author has written no rules.md.\n"
	}
	return f, nil
}

// load reads what determines how matches go.
func load(ctx context.Context, dir string) (*Folder, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	shown := filepath.Join(dir, ManifestFile)
	text, err := build.ReadFile(ctx, filepath.Join(abs, ManifestFile))
	switch {
	case errors.Is(err, fs.ErrNotExist) && !program.Exists(abs):
		return nil, fmt.Errorf("found no folder %s", dir)
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: found no %s, which makes a folder a game", dir, ManifestFile)
	case err != nil:
		return nil, err
	}
	f := &Folder{Dir: abs}
	if f.Manifest, err = parseManifest(shown, text); err != nil {
		return nil, err
	}
	if err := f.digest(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return f, nil
}

// decides reports whether a file, or what is in a folder, whose name ends in a slash,
// determines how matches go. The judge sees no others.
func (f *Folder) decides(name string) bool {
	top, _, below := strings.Cut(name, "/")
	switch {
	case strings.HasSuffix(name, "/") && record.IsOutput(filepath.Join(f.Dir, name)), record.IsOutputOf(top) && record.IsOutput(f.Dir):
		return false
	case below:
		return !slices.Contains([]string{"bots", "starters", "cases"}, top)
	case strings.HasPrefix(strings.ToUpper(name), "README"):
		return false
	}
	return !slices.Contains([]string{"rules.md", "viewer.html", ManifestFile}, name)
}

// digest sets the digest: the files that decide, and the manifest but what describes
// the game.
func (f *Folder) digest(ctx context.Context) error {
	files, _, _, err := build.ReadFiles(ctx, f.Dir, f.decides)
	if err != nil {
		return err
	}
	parts := slices.Clone(f.decisive)
	for _, file := range files {
		parts = append(parts, file.Name, fmt.Sprint(file.Mode&0o111 != 0), string(file.Data))
	}
	f.Digest = build.Digest(parts...)
	return nil
}

// Package is what records say of the game.
func (f *Folder) Package() *record.Package {
	return &record.Package{Format: record.FormatUmpire, Digest: f.Digest, Facts: f.Facts}
}

// Game returns the facts of the game.
func (f *Folder) Game() protocols.Game {
	g := f.Facts.Game(f.Name)
	g.Rules, g.DefaultOpponent = f.Rules, stem(f.House)
	g.Parse = func(text string) (protocols.Case, error) { return talk.ParseCase(f.Facts, text, f.Limits) }
	switch g.Groups = f.Groups; {
	case f.Generate == "" && !f.hasCases():
		g.Groups = []string{oneGroup}
	case f.Generate != "" && len(f.Groups) == 0:
		g.Groups = []string{drawnGroup}
	}
	g.Generate = func(group string, seed uint64) (protocols.Case, error) {
		switch {
		case f.Generate == "" && f.hasCases():
			return nil, fmt.Errorf("%s draws no cases: add `generate: COMMAND` to its %s", f.Name, ManifestFile)
		case !slices.Contains(g.Groups, group):
			return nil, &protocols.UnknownGroup{Game: f.Name, Group: group, Known: g.Groups}
		case f.Generate == "":
			return g.Parse("") // the judge's seed makes a difference
		case f.Draw == nil:
			return nil, fmt.Errorf("generate: %s can't be run here", f.Generate)
		}
		text, err := f.Draw(group, seed)
		if err != nil {
			return nil, err
		}
		return g.Parse(text)
	}
	return g
}

// Bots are the bots of the folder, by their names: file names without suffix.
func (f *Folder) Bots() map[string]string {
	bots := program.BotsIn(f.Dir)
	if f.House != "" {
		bots[stem(f.House)] = filepath.Join(f.Dir, f.House)
	}
	return bots
}

// Starters are the programs that contestants may start from, by the names of their files.
func (f *Folder) Starters(ctx context.Context) (map[string][]byte, error) {
	files, _, _, err := build.ReadFiles(ctx, filepath.Join(f.Dir, "starters"), nil)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	list := make(map[string][]byte)
	for _, file := range files {
		if !strings.Contains(file.Name, "/") {
			list[file.Name] = file.Data
		}
	}
	return list, err
}

// stem is the name of a file without its folder and suffix.
func stem(name string) string {
	base := path.Base(filepath.ToSlash(name))
	if name == "" {
		return ""
	}
	return strings.TrimSuffix(base, path.Ext(base))
}

func (f *Folder) hasCases() bool {
	info, err := os.Stat(filepath.Join(f.Dir, "cases"))
	return err == nil && info.IsDir()
}

// oneGroup is the group of the one case, which is empty, of a game without cases.
const oneGroup = "game"

// drawnGroup is the group of generated cases where the manifest names none.
const drawnGroup = "random"

//go:embed onecase
var oneCase embed.FS

// Cases is the set of the game's cases.
func (f *Folder) Cases() fs.FS {
	if f.hasCases() {
		return os.DirFS(filepath.Join(f.Dir, "cases"))
	}
	one, _ := fs.Sub(oneCase, "onecase")
	return one
}
