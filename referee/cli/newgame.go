package cli

import (
	"path/filepath"

	"github.com/urfave/cli/v2"

	"umpire/bots/examples/starters"
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
	game := "ttt"
	if full, err := filepath.Abs(dir); err == nil && external.IsName(filepath.Base(full)) {
		game = filepath.Base(full)
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
	if missing != "" {
		a.note("umpire: the game needs %s, which is not installed, or not in PATH\n", missing)
	}
	a.printf("next: umpire games --check %s\n", shown)
	return nil
}
