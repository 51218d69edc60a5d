package cli

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee/external"
	"umpire/referee/external/kits"
	"umpire/referee/program/build"
	"umpire/referee/report"
)

// newGame writes a game of one's own to begin with, in the language of --lang.
func newGame(a *app, c *cli.Context, dir string) error {
	if c.NArg() > 0 {
		return usagef("--game: found %d arguments as well, expected none", c.NArg())
	}
	table, err := build.LoadLanguages(c.Context, c.String("languages"))
	if err != nil {
		return usage(err)
	}
	lang := c.String("lang")
	var words []string
	for _, k := range kits.Kits {
		l, known := table.ForFile(k.Judge())
		if strings.EqualFold(strings.TrimPrefix(lang, "."), k.Lang) || known && strings.EqualFold(lang, l.Name) {
			return writeGame(a, dir, k, l.Missing())
		}
		words = append(words, k.Lang)
	}
	if lang == "" {
		return usagef("in which language? add --lang and one of %s", strings.Join(words, ", "))
	}
	return usagef("--lang: found %q, expected one of %s; a judge may be in any language, see umpire help topic own-games", lang, strings.Join(words, ", "))
}

// writeGame makes the folder of a game, which has its name if a game may be called so;
// missing is the tool that its language lacks here.
func writeGame(a *app, dir string, k kits.Kit, missing string) error {
	game := "ttt"
	if full, err := filepath.Abs(dir); err == nil && external.IsName(filepath.Base(full)) {
		game = filepath.Base(full)
	}
	files, err := k.Files(game)
	if err != nil {
		return err
	}
	if err := emptyFolder(dir); err != nil {
		return usage(err)
	}
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return usage(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			return usage(err)
		}
	}
	shown := report.Safe(quote(dir))
	a.printf("wrote tic-tac-toe to %s: README.md there says what each file is\n", fileLink(a.out, dir))
	if missing != "" {
		a.note("umpire: the game needs %s, which is not installed, or not in PATH\n", missing)
	}
	a.printf("next: umpire games --check %s\n", shown)
	return nil
}
