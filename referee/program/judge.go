package program

import (
	"context"
	"fmt"
	"path/filepath"

	"umpire/referee/program/build"
)

// Judge makes a program of the files in a folder that keep wants, under a name: command is a file of
// them, or a command line that is run there. It is compiled, copied and isolated as a
// bot is.
func (b Resolver) Judge(ctx context.Context, folder, name, command string, keep func(name string) bool) (Bot, error) {
	words := []string{command}
	if !Exists(filepath.Join(folder, command)) {
		var err error
		if words, err = build.SplitWords(command); err != nil {
			return Bot{}, err
		}
	}
	p, err := b.Builder.Part(ctx, folder, keep, words)
	if err != nil {
		return Bot{}, fmt.Errorf("%s %q: %w", name, command, err)
	}
	bot := b.ofProgram(name, p)
	bot.Read = append(bot.Read, b.interpreters()...)
	bot.Entrant = Entrant{Label: command, What: command, Folder: folder, Kind: KindPath}
	bot.Names = bot.Entrant.names("", p.Sources)
	return bot, nil
}

// PackJudge makes the package of the files of a judge's folder that keep wants, from which
// another machine makes the same judge.
func (b Bot) PackJudge(ctx context.Context, keep func(name string) bool) (*Package, error) {
	p := &Package{Name: "game", Folder: true}
	var err error
	if p.Files, _, _, err = build.ReadFiles(ctx, b.Entrant.Folder, keep); err != nil {
		return nil, err
	}
	p.Needs, err = b.needs()
	return p, err
}

// UnpackJudge returns the folder of the files of a judge's package, which it writes to
// folder dir as Unpack does.
func (b Resolver) UnpackJudge(dir string, p *Package) (string, error) {
	return p.unpack(b.Builder, dir)
}
