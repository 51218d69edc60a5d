package cli

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/urfave/cli/v2"

	"umpire/bots/examples/starters"
	"umpire/protocols"
	"umpire/referee/cases"
	"umpire/referee/external"
	"umpire/referee/external/kits"
	"umpire/referee/program/build"
	"umpire/referee/report"
	"umpire/referee/session"
)

func newCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "new", Usage: "write a starter bot that plays by the rules, with a README; or a game of your own",
		ArgsUsage: "GAME DIR",
		Description: "DIR must be new or an empty folder. With GAME alone, lists the languages for which\n" +
			"there is a starter. With --game, writes a small game, whole, to change into your own.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "lang", Usage: "`LANG`: language of the bot, or of the judge, its name or suffix, such as py"},
			&cli.StringFlag{Name: "game", Usage: "write a game to folder `DIR`: manifest, judge, rules, cases, bots, a starter"},
			languagesFlag(),
		},
		Action: func(c *cli.Context) error {
			if c.IsSet("game") {
				return newGame(a, c, c.String("game"))
			}
			if c.NArg() < 1 || c.NArg() > 2 {
				return usagef("found %d arguments, expected a game and a folder: `umpire new GAME DIR --lang L`", c.NArg())
			}
			g, err := a.gameFirst(c)
			if err != nil {
				return err
			}
			list, err := startersOf(a, c, g)
			if err != nil {
				return err
			}
			if c.NArg() == 1 && !c.IsSet("lang") {
				return listStarters(a, list)
			}
			i, err := chooseStarter(list, c.String("lang"), "")
			if err != nil {
				return err
			}
			if c.NArg() == 1 {
				return usagef("found no folder, expected one: `umpire new %s DIR --lang %s`", g.Name, list[i].word())
			}
			return writeStarter(a, c.Args().Get(1), g, list[i])
		},
	}
}

// starter is a program to start from, with the row of its language.
type starter struct {
	starters.Starter
	language build.Language
}

// word returns the starter's language as --lang accepts it.
func (s starter) word() string { return strings.TrimPrefix(filepath.Ext(s.File), ".") }

// startersOf lists a game's starters, sorted by word.
func startersOf(a *app, c *cli.Context, g protocols.Game) ([]starter, error) {
	table, err := build.LoadLanguages(c.Context, c.String("languages"))
	if err != nil {
		return nil, usage(err)
	}
	all, err := starters.Of(g.Name)
	if f := a.umpire.Folder(g); f != nil {
		var own map[string][]byte
		all = nil
		own, err = f.Starters(c.Context)
		for name, source := range own {
			all = append(all, starters.Starter{File: name, Source: source})
		}
	}
	if err != nil {
		return nil, err
	}
	var list []starter
	for _, s := range all {
		if l, ok := table.ForFile(s.File); ok {
			list = append(list, starter{s, l})
		}
	}
	if len(list) == 0 {
		return nil, usagef("%s has no starter bots", g.Name)
	}
	slices.SortFunc(list, func(x, y starter) int { return strings.Compare(x.word(), y.word()) })
	return list, nil
}

// chooseStarter returns the place in a list of the one in a language; more is said where
// there is none.
func chooseStarter(list []starter, lang, more string) (int, error) {
	var words []string
	for i, s := range list {
		if lang != "" && (strings.EqualFold(strings.TrimPrefix(lang, "."), s.word()) || strings.EqualFold(lang, s.language.Name)) {
			return i, nil
		}
		words = append(words, s.word())
	}
	if lang == "" {
		return 0, usagef("in which language? add --lang and one of %s", strings.Join(words, ", "))
	}
	return 0, usagef("--lang: found %q, expected one of %s%s", lang, strings.Join(words, ", "), more)
}

func listStarters(a *app, list []starter) error {
	t := report.Table{Header: []string{"--lang", "language", "file", "needs"}, PlainHeader: true}
	for _, s := range list {
		needs := "nothing else"
		if tool := s.language.Missing(); tool != "" {
			needs = tool + ", which is not installed"
		}
		t.Add(s.word(), s.language.Name, s.File, needs)
	}
	a.out.Table(t)
	return nil
}

// writeStarter makes the folder with the program and its README.
func writeStarter(a *app, dir string, g protocols.Game, s starter) error {
	readme, err := starterReadme(a, g, s)
	if err != nil {
		return err
	}
	if err := fillFolder(dir, []kits.File{{Name: s.File, Data: s.Source}, {Name: "README.md", Data: readme}}); err != nil {
		return usage(err)
	}
	source := filepath.Join(dir, s.File)
	if strings.ContainsAny(source[:1], "-@") || strings.Contains(source, "=") {
		source = "./" + source // or else it could be taken for a flag, a built-in bot or a name
	}
	a.printf("wrote %s, and a README.md beside it\n", fileLink(a.out, source))
	if tool := s.language.Missing(); tool != "" {
		a.note("umpire: a bot in %s needs %s, which is not installed, or not in PATH\n", s.language.Name, tool)
	}
	a.printf("next: umpire test %s %s\n", report.Safe(quote(a.umpire.GameWord(g))), report.Safe(quote(source)))
	return nil
}

// emptyFolder makes a folder and its parents. A folder that already exists must
// be empty.
func emptyFolder(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return os.MkdirAll(dir, 0o755)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is a file, expected a new or empty folder", dir)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) == 0 {
		return err
	}
	return fmt.Errorf("folder %s holds %s already, expected a new or empty folder", dir, entries[0].Name())
}

// fillFolder writes files to a folder that is new or empty. If that fails, it removes what
// it has made there.
func fillFolder(dir string, files []kits.File) error {
	_, before := os.Stat(dir)
	if err := emptyFolder(dir); err != nil {
		return err
	}
	for i, f := range files {
		err := putFile(filepath.Join(dir, filepath.FromSlash(f.Name)), f.Data)
		if err == nil {
			continue
		}
		for _, made := range files[:i+1] {
			top, _, _ := strings.Cut(made.Name, "/")
			_ = os.RemoveAll(filepath.Join(dir, top))
		}
		if errors.Is(before, fs.ErrNotExist) {
			_ = os.Remove(dir)
		}
		return err
	}
	return nil
}

// putFile writes a file, and makes its folder.
func putFile(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o644)
}

//go:embed new.md
var readmeText string

// starterReadme explains how to test, run and debug a starter. Its examples use
// the game's first standard case.
func starterReadme(a *app, g protocols.Game, s starter) ([]byte, error) {
	set, err := cases.Load(a.umpire.StandardCases(), g.Name, g)
	if err != nil {
		return nil, err
	}
	first := set.Cases[0]
	step := first.Start(g.MaxSeats).Next()
	var input []string
	for _, line := range step.Send {
		if line.Seat == 1 {
			input = append(input, strings.Split(line.Text, "\n")...)
		}
	}
	compile, run := s.language.ByHand(s.File)
	var out bytes.Buffer
	err = template.Must(template.New("README.md").Parse(readmeText)).Execute(&out, map[string]any{
		"Game": quote(a.umpire.GameWord(g)), "Title": g.Title, "Language": s.language.Name, "File": s.File,
		"Case": first.Name, "Opponent": g.DefaultOpponent, "Batch": step.Batch, "Input": input,
		"Compile": commandLine(compile), "Run": commandLine(run),
	})
	return out.Bytes(), err
}

// commandLine returns a command as a person types it, without the secrets in URLs.
func commandLine(words []string) string { return new(again).args(words...).String() }

// newGame writes a game of one's own to begin with, in the language of --lang.
func newGame(a *app, c *cli.Context, dir string) error {
	if c.NArg() > 0 {
		return usagef("--game: found %s as well, expected none", report.Plural(c.NArg(), "argument"))
	}
	table, err := build.LoadLanguages(c.Context, c.String("languages"))
	if err != nil {
		return usage(err)
	}
	var list []starter
	for _, k := range kits.Kits {
		l, _ := table.ForFile(k.Judge())
		list = append(list, starter{starters.Starter{File: k.Judge()}, l})
	}
	i, err := chooseStarter(list, c.String("lang"), "; a judge may be in any language, see umpire help topic own-games")
	if err != nil {
		return err
	}
	return writeGame(a, dir, kits.Kits[i], list[i].language.Missing())
}

// writeGame makes the folder of a game, which has its name if a game may be called so;
// missing is the tool that its language lacks here.
func writeGame(a *app, dir string, k kits.Kit, missing string) error {
	folder := filepath.Base(session.Absolute(dir))
	game := folder
	if !external.IsName(folder) {
		game = "ttt"
	}
	files, err := k.Files(game)
	if err != nil {
		return err
	}
	if err := fillFolder(dir, files); err != nil {
		return usage(err)
	}
	shown := report.Safe(quote(dir))
	a.printf("wrote tic-tac-toe to %s: README.md there says what each file is\n", fileLink(a.out, dir))
	if game != folder {
		a.note("umpire: the game is called %s, since %s can't be the name of a game; to call it otherwise: `game:` in umpire.yaml\n", game, report.Safe(quote(folder)))
	}
	if missing != "" {
		a.note("umpire: the game needs %s, which is not installed, or not in PATH\n", missing)
	}
	a.printf("next: umpire games --check %s\n", shown)
	return nil
}
