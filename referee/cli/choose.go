package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/protocols"
	"umpire/referee/cases"
	"umpire/referee/program/build"
)

// caseSet gives the cases that the flags choose.
func (a *app) caseSet(c *cli.Context, g protocols.Game) (cases.Set, error) {
	set, err := a.wholeSet(c, g)
	if err != nil {
		return cases.Set{}, err
	}
	if name := c.String("case"); name != "" {
		return oneCase(c.Context, set, g, name)
	}
	group := c.String("group")
	if group == "" || c.Int("n") > 0 {
		return set, nil
	}
	picked := set.Pick(func(c cases.Case) bool { return c.Group == group })
	if len(picked.Cases) == 0 {
		return cases.Set{}, fmt.Errorf("--group: found %q, expected one of %s", group, strings.Join(groupNames(set), ", "))
	}
	return picked, nil
}

func groupNames(set cases.Set) []string {
	var names []string
	for _, g := range set.Groups {
		names = append(names, g.Name)
	}
	return names
}

// wholeSet is the set before one case or group is picked.
func (a *app) wholeSet(c *cli.Context, g protocols.Game) (cases.Set, error) {
	n, err := countFlag(c, "n")
	if err != nil {
		return cases.Set{}, err
	}
	switch from := c.String("cases"); {
	case n > 0 && from != "":
		return cases.Set{}, errors.New("-n generates cases, and --cases reads them: expected one of the two")
	case n > 0:
		list := make([]cases.Case, n)
		for i := range list {
			var err error
			if list[i], err = cases.Generate(g, c.String("group"), c.Uint64("seed"), i+1); err != nil {
				return cases.Set{}, err
			}
		}
		return cases.Of(g, list...), nil
	case from == "":
		return cases.Load(a.cases, g.Name, g)
	default:
		return casesFrom(c.Context, g, from)
	}
}

// inputs are the files of a folder that are fit to be read as a whole.
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

// casesFrom reads the cases of a folder or file.
func casesFrom(ctx context.Context, g protocols.Game, from string) (cases.Set, error) {
	info, err := os.Stat(from)
	if err != nil {
		return cases.Set{}, fmt.Errorf("--cases: %w", err)
	}
	if info.IsDir() {
		set, err := cases.Load(inputs{os.DirFS(from)}, ".", g)
		if err != nil {
			err = fmt.Errorf("--cases %s: %w", from, err)
		}
		return set, err
	}
	text, err := build.ReadFile(ctx, from)
	if err != nil {
		return cases.Set{}, fmt.Errorf("--cases: %w", err)
	}
	list, err := cases.Several(g, filepath.Base(from), string(text))
	if err != nil {
		return cases.Set{}, fmt.Errorf("--cases: %w", err)
	}
	return cases.Of(g, list...), nil
}

// oneCase finds what --case names: a case of the set, a generated one, a file,
// or the text itself.
func oneCase(ctx context.Context, set cases.Set, g protocols.Game, name string) (cases.Set, error) {
	if c, ok, err := named(set, name); ok || err != nil {
		one := set.Pick(func(have cases.Case) bool { return have.Name == c.Name })
		one.Cases = one.Cases[:min(1, len(one.Cases))]
		return one, err
	}
	if c, ok, err := cases.Generated(g, name); ok {
		return cases.Of(g, c), err
	}
	text, err := build.ReadFile(ctx, name)
	label, isText := filepath.Base(name), strings.ContainsAny(name, " \n")
	if err != nil {
		text, label = []byte(name), "text"
	}
	c, wrong := g.Parse(string(text))
	switch {
	case wrong == nil:
		return cases.Of(g, cases.Case{Name: label, Group: label, Case: c}), nil
	case err == nil || isText:
		return cases.Set{}, fmt.Errorf("--case %s: %w", label, wrong)
	case errors.Is(err, fs.ErrNotExist):
		return cases.Set{}, fmt.Errorf("--case: found %q, expected a case such as %s, a file, or a case's text", name, set.Cases[0].Name)
	}
	return cases.Set{}, fmt.Errorf("--case: %w", err)
}

// named finds a case of the set by its name, or by the part behind the group,
// where zeros in front may be left out, if no other case has the same.
func named(set cases.Set, name string) (found cases.Case, ok bool, err error) {
	short := func(c cases.Case) string { return strings.TrimPrefix(c.Name, c.Group+"/") }
	for _, is := range []func(cases.Case) bool{
		func(c cases.Case) bool { return c.Name == name },
		func(c cases.Case) bool { return short(c) == name },
		func(c cases.Case) bool { return strings.TrimLeft(short(c), "0") == name },
	} {
		switch all := set.Pick(is).Cases; {
		case len(all) == 1 || len(all) > 1 && all[0].Name == name:
			return all[0], true, nil
		case len(all) > 1:
			return found, false, fmt.Errorf("--case: found %q, which may be %s or %s", name, all[0].Name, all[1].Name)
		}
	}
	return found, false, nil
}
