package cli

import (
	"context"
	"fmt"
	"io/fs"
	"os"

	"github.com/urfave/cli/v2"

	"umpire/protocols"
	"umpire/referee/cases"
	"umpire/referee/program/build"
)

// caseSet returns the cases that the flags choose.
func (a *app) caseSet(c *cli.Context, g protocols.Game) (cases.Set, error) {
	choice, err := caseChoice(c)
	if err != nil {
		return cases.Set{}, err
	}
	return a.caseSource(c.Context).Choose(g, choice)
}

// wholeSet returns the set before --case or --group narrows it.
func (a *app) wholeSet(c *cli.Context, g protocols.Game) (cases.Set, error) {
	choice, err := caseChoice(c)
	if err != nil {
		return cases.Set{}, err
	}
	return a.caseSource(c.Context).Whole(g, choice)
}

func caseChoice(c *cli.Context) (cases.Choice, error) {
	n, err := countFlag(c, "n")
	return cases.Choice{From: c.String("cases"), N: n, Seed: c.Uint64("seed"), Group: c.String("group"), One: c.String("case")}, err
}

// caseSource reads cases from this machine.
func (a *app) caseSource(ctx context.Context) cases.Source {
	read := func(name string) ([]byte, error) { return build.ReadFile(ctx, name) }
	return cases.Source{Standard: a.cases, ReadFile: read, Open: func(name string) (fs.FS, []byte, error) {
		info, err := os.Stat(name)
		if err != nil {
			return nil, nil, err
		}
		if info.IsDir() {
			return inputs{os.DirFS(name)}, nil, nil
		}
		text, err := read(name)
		return nil, text, err
	}}
}

// inputs is a folder whose files are checked to be regular and not too large to
// be read whole.
type inputs struct{ folder fs.FS }

func (i inputs) Open(name string) (fs.File, error) {
	info, err := fs.Stat(i.folder, name)
	if err == nil && !info.IsDir() && (!info.Mode().IsRegular() || info.Size() > build.MaxInput) {
		err = fmt.Errorf("%s: expected a regular file of at most %d MiB", name, build.MaxInput>>20)
	}
	if err != nil {
		return nil, err
	}
	return i.folder.Open(name)
}
