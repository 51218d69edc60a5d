// Package cases is case sets: folders of cases in groups, with what each is
// worth. It knows what a case is only through protocols, and plays nothing.
package cases

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"

	"umpire/protocols"
)

// Set is the cases to be played, and the groups they are in, in order.
type Set struct {
	Groups []Group
	Cases  []Case
}

// Case is a case with its name and what it is worth.
type Case struct {
	Name     string // GROUP/NAME, or GROUP#SEED.N for a generated one
	Group    string
	Points   float64 // P
	Baseline float64 // Y, where the set or the game names one; 0: none
	protocols.Case
}

// Combine is how the scores of a group's cases make the group's score.
type Combine string

const (
	Sum Combine = "sum" // they are added up
	Min Combine = "min" // the worst case, times their number
	All Combine = "all" // all points if every case gets its full points, else none
)

// Group is one group of a set.
type Group struct {
	Name     string  `yaml:"name"`
	Points   float64 `yaml:"points"`   // of all its cases together, shared equally; 0: the game's points a case
	Combine  Combine `yaml:"combine"`  // "" is Sum
	Baseline float64 `yaml:"baseline"` // Y of its cases; 0: the game's
}

// GroupsFile is the name of the file that says what a set's groups are worth.
const GroupsFile = "groups.yaml"

// Load reads the set in folder dir: GROUP/NAME.txt, with GroupsFile beside the
// groups. Without that file, the groups are the folders in order of their
// names, and every case is worth the game's points.
func Load(fsys fs.FS, dir string, g protocols.Game) (Set, error) {
	var set Set
	groups, err := loadGroups(fsys, path.Join(dir, GroupsFile))
	if err != nil {
		return Set{}, err
	}
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return Set{}, fmt.Errorf("read case set: %w", err)
	}
	for _, e := range entries {
		known := slices.ContainsFunc(groups, func(g Group) bool { return g.Name == e.Name() })
		if e.IsDir() && !known {
			groups = append(groups, Group{Name: e.Name()})
		}
	}
	for _, group := range groups {
		if err := set.load(fsys, dir, group, g); err != nil {
			return Set{}, err
		}
	}
	if len(set.Cases) == 0 {
		return Set{}, fmt.Errorf("case set %s: found no GROUP/NAME.txt", dir)
	}
	return set, nil
}

func loadGroups(fsys fs.FS, name string) ([]Group, error) {
	text, err := fs.ReadFile(fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var file struct {
		Groups []Group `yaml:"groups"`
	}
	if err := yaml.UnmarshalWithOptions(text, &file, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("%s: %s", name, yaml.FormatError(err, false, true))
	}
	for _, g := range file.Groups {
		if g.Points < 0 || g.Baseline < 0 {
			return nil, fmt.Errorf("%s: group %q: found a negative number, expected points and baseline of 0 or more", name, g.Name)
		}
		if !slices.Contains([]Combine{"", Sum, Min, All}, g.Combine) {
			return nil, fmt.Errorf("%s: group %q: found combine %q, expected sum, min or all", name, g.Name, g.Combine)
		}
	}
	return file.Groups, nil
}

func (s *Set) load(fsys fs.FS, dir string, group Group, g protocols.Game) error {
	folder := path.Join(dir, group.Name)
	files, err := fs.Glob(fsys, path.Join(folder, "*.txt"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("group %q: found no %s/*.txt", group.Name, folder)
	}
	slices.Sort(files)
	if group.Points == 0 {
		group.Points = points(g) * float64(len(files))
	}
	s.Groups = append(s.Groups, group)
	for _, file := range files {
		text, err := fs.ReadFile(fsys, file)
		if err != nil {
			return err
		}
		parsed, err := g.Parse(string(text))
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		s.Cases = append(s.Cases, Case{
			Name:  group.Name + "/" + strings.TrimSuffix(path.Base(file), ".txt"),
			Group: group.Name, Points: group.Points / float64(len(files)), Baseline: baseline(group, g), Case: parsed,
		})
	}
	return nil
}

func points(g protocols.Game) float64 {
	if g.Points == 0 {
		return 1
	}
	return g.Points
}

func baseline(group Group, g protocols.Game) float64 {
	if group.Baseline != 0 {
		return group.Baseline
	}
	return g.Baseline
}

// Of makes a set of single cases: name and text of each.
func Of(g protocols.Game, list ...Case) Set {
	var set Set
	for _, c := range list {
		if c.Points == 0 {
			c.Points = points(g)
		}
		if c.Baseline == 0 {
			c.Baseline = g.Baseline
		}
		i := slices.IndexFunc(set.Groups, func(have Group) bool { return have.Name == c.Group })
		if i < 0 {
			i = len(set.Groups)
			set.Groups = append(set.Groups, Group{Name: c.Group})
		}
		set.Groups[i].Points += c.Points
		set.Cases = append(set.Cases, c)
	}
	return set
}

// Generate draws the n-th case, from 1, of a group's series that belongs to
// seed. An empty group is the game's first.
func Generate(g protocols.Game, group string, seed uint64, n int) (Case, error) {
	if group == "" {
		group = g.Groups[0]
	}
	c, err := g.Generate(group, seed<<32+uint64(n))
	if err != nil {
		return Case{}, err
	}
	return Case{Name: fmt.Sprintf("%s#%d.%d", group, seed, n), Group: group, Case: c}, nil
}

// Generated finds the case that Generate named; ok tells whether it is such a
// name.
func Generated(g protocols.Game, name string) (c Case, ok bool, err error) {
	group, rest, found := strings.Cut(name, "#")
	seed, n, dot := strings.Cut(rest, ".")
	s, err1 := strconv.ParseUint(seed, 10, 32)
	i, err2 := strconv.Atoi(n)
	if !found || !dot || err1 != nil || err2 != nil || i < 1 {
		return Case{}, false, nil
	}
	c, err = Generate(g, group, s, i)
	return c, true, err
}

// Pick returns the cases of a group, or those of a name, which may be GROUP/NAME
// or NAME where that is unique.
func (s Set) Pick(keep func(Case) bool) Set {
	var out Set
	for _, c := range s.Cases {
		if keep(c) {
			out.Cases = append(out.Cases, c)
		}
	}
	for _, g := range s.Groups {
		if slices.ContainsFunc(out.Cases, func(c Case) bool { return c.Group == g.Name }) {
			out.Groups = append(out.Groups, g)
		}
	}
	return out
}

// Several reads a text that holds one case or several: the whole is tried
// first, then pieces between blank lines, then lines. The error is that of the
// reading that got furthest.
func Several(g protocols.Game, name, text string) ([]Case, error) {
	one, err := g.Parse(text)
	if err == nil {
		return []Case{{Name: name, Group: name, Case: one}}, nil
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	for _, separator := range []string{"\n\n", "\n"} {
		if list, ok := pieces(g, name, text, separator); ok {
			return list, nil
		}
	}
	return nil, fmt.Errorf("%s: %w", name, err)
}

func pieces(g protocols.Game, name, text, separator string) (list []Case, ok bool) {
	for piece := range strings.SplitSeq(text, separator) {
		if strings.TrimSpace(piece) == "" {
			continue
		}
		c, err := g.Parse(strings.Trim(piece, "\n"))
		if err != nil {
			return nil, false
		}
		list = append(list, Case{Name: fmt.Sprintf("%s:%d", name, len(list)+1), Group: name, Case: c})
	}
	return list, len(list) > 0
}
