package cases

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"umpire/protocols"
	"umpire/referee/suggest"
)

// Choice selects cases of a game.
type Choice struct {
	From  string // folder or file with the cases; "": the standard cases
	N     int    // number of cases to generate instead; 0: none
	Seed  uint64 // seed of the generated cases
	Group string // only cases of this group; "": all groups, or for generated cases the first
	One   string // only the case with this name, in this file or with this text; "": all
}

// Source is where cases are read. Names are as the user gave them.
type Source struct {
	Standard fs.FS // the standard cases, one folder per game
	// Open opens a folder, or else reads a file.
	Open func(name string) (folder fs.FS, text []byte, err error)
	// ReadFile reads a file.
	ReadFile func(name string) ([]byte, error)
}

// Choose returns the selected cases. Errors name the flag.
func (s Source) Choose(g protocols.Game, c Choice) (Set, error) {
	set, err := s.Whole(g, c)
	if err != nil {
		return Set{}, err
	}
	if c.One != "" {
		return s.one(set, g, c)
	}
	if c.Group == "" || c.N > 0 {
		return set, nil
	}
	picked := set.Filter(func(have Case) bool { return have.Group == c.Group })
	if len(picked.Cases) == 0 {
		return Set{}, fmt.Errorf("--group: found %q, expected one of %s", c.Group, strings.Join(set.GroupNames(), ", "))
	}
	return picked, nil
}

// GroupNames returns the names of the set's groups.
func (s Set) GroupNames() []string {
	var names []string
	for _, g := range s.Groups {
		names = append(names, g.Name)
	}
	return names
}

// Whole returns the set before one case or group is picked.
func (s Source) Whole(g protocols.Game, c Choice) (Set, error) {
	switch {
	case c.N > 0 && c.From != "":
		return Set{}, errors.New("-n generates cases, and --cases reads them: expected one of the two")
	case c.N > 0:
		list := make([]Case, c.N)
		for i := range list {
			var err error
			if list[i], err = Generate(g, c.Group, c.Seed, i+1); err != nil {
				return Set{}, err
			}
		}
		return NewSet(g, list...), nil
	case c.From == "":
		return Load(s.Standard, g.Name, g)
	}
	return s.read(g, c.From)
}

// read reads the cases of a folder or file.
func (s Source) read(g protocols.Game, from string) (Set, error) {
	folder, text, err := s.Open(from)
	if err != nil {
		return Set{}, fmt.Errorf("--cases: %w", err)
	}
	if folder != nil {
		set, err := Load(folder, ".", g)
		if err != nil {
			err = fmt.Errorf("--cases %s: %w", from, err)
		}
		return set, err
	}
	list, err := ParseMany(g, labelOf(from), string(text))
	if err != nil {
		return Set{}, fmt.Errorf("--cases: %w", err)
	}
	return NewSet(g, list...), nil
}

// one resolves a name: a case of the set, a generated one if nobody has named the set, a
// file, or the text itself.
func (s Source) one(set Set, g protocols.Game, choice Choice) (Set, error) {
	name := choice.One
	if c, ok, err := set.named(name); ok || err != nil {
		one := set.Filter(func(have Case) bool { return have.Name == c.Name })
		one.Cases = one.Cases[:min(1, len(one.Cases))]
		return one, err
	}
	if c, ok, err := Generated(g, name); ok && choice.From == "" {
		if err != nil {
			return Set{}, fmt.Errorf("--case: %w", err)
		}
		return NewSet(g, c), nil
	}
	text, err := s.ReadFile(name)
	label, isText := labelOf(name), strings.ContainsAny(name, " \n")
	if err != nil {
		text, label = []byte(name), "text"
	}
	c, wrong := g.Parse(string(text))
	switch {
	case wrong == nil && (err == nil || isText || !g.AnyText):
		return NewSet(g, Case{Name: label, Group: label, Case: c}), nil
	case err == nil || isText:
		return Set{}, fmt.Errorf("--case %s: %w", label, wrong)
	case errors.Is(err, fs.ErrNotExist):
		var names []string
		for _, c := range set.Cases {
			names = append(names, c.Name)
		}
		return Set{}, fmt.Errorf("--case: unknown case %q%s", name,
			suggest.DidYouMean(name, names, "expected a case such as "+names[0]+", a file, or a case's text"))
	}
	return Set{}, fmt.Errorf("--case: %w", err)
}

// labelOf returns what the case of a file is called, in UTF-8, as records have it.
func labelOf(file string) string { return strings.ToValidUTF8(filepath.Base(file), "�") }

// shortName is the name of a case in its group.
func shortName(c Case) string { return strings.TrimPrefix(c.Name, c.Group+"/") }

// named finds a case of the set by its name, or by the part after the group,
// which may omit leading zeros, if that is unique.
func (s Set) named(name string) (found Case, ok bool, err error) {
	for _, is := range []func(Case) bool{
		func(c Case) bool { return c.Name == name },
		func(c Case) bool { return shortName(c) == name },
		func(c Case) bool { return strings.TrimLeft(shortName(c), "0") == name },
	} {
		switch all := s.Filter(is).Cases; {
		case len(all) == 1 || len(all) > 1 && all[0].Name == name:
			return all[0], true, nil
		case len(all) > 1:
			return found, false, fmt.Errorf("--case: found %q, which may be %s or %s", name, all[0].Name, all[1].Name)
		}
	}
	return found, false, nil
}
