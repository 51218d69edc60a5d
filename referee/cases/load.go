package cases

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"umpire/protocols"
	"umpire/referee/yamlfile"
)

// GroupsFile is the name of the file that lists a set's groups with their
// points.
const GroupsFile = "groups.yaml"

// ErrNoSet is wrapped by Load's error if there is no folder of the set's name.
var ErrNoSet = errors.New("found no such folder, expected one with GROUP/NAME.txt")

// Located is a file system that knows where its user finds its files.
type Located interface{ Where(name string) string }

// where returns how a message names a file.
func where(fsys fs.FS, name string) string {
	if l, ok := fsys.(Located); ok {
		return l.Where(name)
	}
	return name
}

// listed is a group as listed in GroupsFile.
type listed struct {
	Name     string                `yaml:"name"`
	Points   points                `yaml:"points"`
	Combine  Combine               `yaml:"combine"`
	Baseline *float64              `yaml:"baseline,omitempty"`
	Limits   Limits                `yaml:"limits,omitempty"`
	Cases    map[string]listedCase `yaml:"cases,omitempty"` // by their names in the group

	// mistake is an error about a key of the group, which names the line if a file lists it.
	mistake func(key string, err error) error
}

// points is the points of a group as given in GroupsFile: one number for the
// group, a list with a number for each case, or nothing.
type points struct {
	all  *float64
	each []float64
}

// UnmarshalYAML reads a number or a list of numbers.
func (p *points) UnmarshalYAML(node ast.Node) error {
	switch node.Type() {
	case ast.NullType:
		return nil
	case ast.SequenceType:
		return yaml.NodeToValue(node, &p.each)
	}
	p.all = new(float64)
	return yaml.NodeToValue(node, p.all)
}

// MarshalYAML writes what UnmarshalYAML reads.
func (p points) MarshalYAML() (any, error) {
	if p.each != nil {
		return p.each, nil
	}
	return p.all, nil
}

// check returns an error if points are wrong for a group.
func (p points) check(combine Combine) error {
	numbers := p.each
	if p.all != nil {
		numbers = []float64{*p.all}
	}
	for _, n := range numbers {
		if !(n >= 0 && n <= math.MaxFloat64) {
			return fmt.Errorf("found points %v, expected a number of 0 or more", n)
		}
	}
	if p.each != nil && combine == Min {
		return errors.New("found a list of points, expected one number, which min gives to the worst case")
	}
	return nil
}

// share returns the points of each of a group's n cases, and of the group. A
// case is worth single if the group gives no points.
func (p points) share(n int, combine Combine, single float64) (each []float64, all float64, err error) {
	if p.each != nil {
		if len(p.each) != n {
			return nil, 0, fmt.Errorf("found points for %d cases, expected %d, as many as it has", len(p.each), n)
		}
		for _, v := range p.each {
			all += v
		}
		return p.each, all, nil
	}
	share := float64(n)
	if combine == Min {
		share = 1 // the worst case earns what the group is worth
	}
	all = single * share
	if p.all != nil {
		all = *p.all
	}
	return slices.Repeat([]float64{all / share}, n), all, nil
}

// Load reads the set in folder dir: GROUP/NAME.txt, with GroupsFile beside the
// groups. Without that file, the groups are the folders in order of their
// names, and every case is worth the game's points.
func Load(fsys fs.FS, dir string, g protocols.Game) (Set, error) {
	groups, err := loadGroups(fsys, path.Join(dir, GroupsFile))
	if err != nil {
		return Set{}, err
	}
	entries, err := fs.ReadDir(fsys, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return Set{}, fmt.Errorf("case set %s: %w", dir, ErrNoSet)
	}
	if err != nil {
		return Set{}, fmt.Errorf("read case set: %w", err)
	}
	for _, e := range entries {
		known := slices.ContainsFunc(groups, func(g listed) bool { return g.Name == e.Name() })
		if e.IsDir() && !known && !strings.HasPrefix(e.Name(), ".") {
			groups = append(groups, listed{Name: e.Name(), mistake: func(_ string, err error) error {
				return fmt.Errorf("group %q: %w", e.Name(), err)
			}})
		}
	}
	var set Set
	for _, group := range groups {
		if err := set.load(fsys, dir, group, g); err != nil {
			return Set{}, err
		}
	}
	if len(set.Cases) == 0 {
		return Set{}, noCases(dir, entries)
	}
	return set, nil
}

// noCases says that a folder with these entries has no cases.
func noCases(dir string, entries []fs.DirEntry) error {
	in := "case set " + dir + ": "
	if dir == "." { // which whoever has opened it names
		in = ""
	}
	if i := slices.IndexFunc(entries, func(e fs.DirEntry) bool { return path.Ext(e.Name()) == ".txt" }); i >= 0 {
		return fmt.Errorf("%sfound %s, expected GROUP/NAME.txt: the folder of the groups, of which --group plays one", in, entries[i].Name())
	}
	return fmt.Errorf("%sfound no GROUP/NAME.txt", in)
}

// loadGroups reads GroupsFile, if it exists. Errors name the line.
func loadGroups(fsys fs.FS, name string) ([]listed, error) {
	text, err := fs.ReadFile(fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var content struct {
		Groups []listed `yaml:"groups"`
	}
	file, err := yamlfile.Parse(where(fsys, name), text)
	if err == nil {
		err = file.DecodeStrict(&content)
	}
	if err != nil {
		return nil, fmt.Errorf("%w\nexpected `groups:`, a list of name, points, combine, baseline, limits and cases", err)
	}
	for i, group := range content.Groups {
		at := fmt.Sprintf("groups[%d]", i)
		mistake := func(key string, err error) error {
			return file.Mistake(file.Line(at+"."+key, at), "group %q: %w", group.Name, err)
		}
		if key, err := group.check(content.Groups[:i]); err != nil {
			return nil, mistake(key, err)
		}
		content.Groups[i].mistake = mistake
	}
	return content.Groups, nil
}

// GroupsText returns the content of GroupsFile for a set: from it and the set's
// cases in their folders, Load reads the same groups.
func GroupsText(set Set) ([]byte, error) {
	var content struct {
		Groups []listed `yaml:"groups"`
	}
	for _, g := range set.Groups {
		one := listed{Name: g.Name, Points: set.points(g), Combine: cmp.Or(g.Combine, Sum), Limits: g.Limits, Cases: set.ownLimits(g.Name)}
		if g.Baseline != 0 {
			one.Baseline = &g.Baseline
		}
		if _, err := one.check(content.Groups); err != nil {
			return nil, fmt.Errorf("group %q: %w", g.Name, err)
		}
		content.Groups = append(content.Groups, one)
	}
	return yaml.Marshal(content)
}

// points returns the points of the cases of a group that are in the set: if
// they differ, a number for each, in the order in which Load reads them.
func (s Set) points(g Group) points {
	one := s.Filter(func(c Case) bool { return c.Group == g.Name }).Cases
	same := func(c Case) bool { return c.Points == one[0].Points }
	if g.Combine == Min || !slices.ContainsFunc(one, func(c Case) bool { return !same(c) }) {
		all := s.worth(g)
		return points{all: &all}
	}
	slices.SortFunc(one, func(a, b Case) int { return cmp.Compare(a.Name+".txt", b.Name+".txt") })
	each := make([]float64, len(one))
	for i, c := range one {
		each[i] = c.Points
	}
	return points{each: each}
}

// worth returns the sum of points of a group's cases that are in the set: some
// may have been left out.
func (s Set) worth(g Group) float64 {
	const rounding = 1e-9 // if the points are not divisible by the number of cases
	var sum, most float64
	for _, c := range s.Cases {
		if c.Group == g.Name {
			sum, most = sum+c.Points, max(most, c.Points)
		}
	}
	switch {
	case g.Combine == Min:
		return most
	case math.Abs(sum-g.Points) <= rounding*g.Points:
		return g.Points
	}
	return sum
}

// check returns an error if a group is wrong, and the key it concerns.
func (g listed) check(before []listed) (key string, err error) {
	if g.Name == "" || g.Name == ".." || g.Name == "." || strings.ContainsAny(g.Name, `/\`) {
		return "name", errors.New("expected the name of a folder beside this file")
	}
	if slices.ContainsFunc(before, func(other listed) bool { return other.Name == g.Name }) {
		return "name", errors.New("found a second time")
	}
	if err := g.Points.check(g.Combine); err != nil {
		return "points", err
	}
	if g.Baseline != nil && (*g.Baseline == 0 || math.IsNaN(*g.Baseline) || math.IsInf(*g.Baseline, 0)) {
		return "baseline", fmt.Errorf("found baseline %v, expected a number that is not 0", *g.Baseline)
	}
	if err := g.checkLimits(); err != nil {
		return "limits", err
	}
	if !slices.Contains([]Combine{"", Sum, Min, All}, g.Combine) {
		return "combine", fmt.Errorf("found combine %q, expected sum, min or all", g.Combine)
	}
	return "", nil
}

// load adds a group with its cases.
func (s *Set) load(fsys fs.FS, dir string, group listed, g protocols.Game) error {
	folder := path.Join(dir, group.Name)
	entries, err := fs.ReadDir(fsys, folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("group %q: %w", group.Name, err)
	}
	var files []string
	for _, e := range entries {
		if path.Ext(e.Name()) == ".txt" && !strings.HasPrefix(e.Name(), ".") {
			files = append(files, path.Join(folder, e.Name()))
		}
	}
	if len(files) == 0 {
		return group.mistake("name", fmt.Errorf("found no %s/*.txt", group.Name))
	}
	slices.Sort(files)
	each, all, err := group.Points.share(len(files), group.Combine, Points(g))
	if err != nil {
		return group.mistake("points", err)
	}
	baseline := g.Baseline
	if group.Baseline != nil {
		baseline = *group.Baseline
	}
	combine := cmp.Or(group.Combine, Sum)
	s.Groups = append(s.Groups, Group{group.Name, all, combine, baseline, group.Limits})
	for i, file := range files {
		text, err := fs.ReadFile(fsys, file)
		if err != nil {
			return err
		}
		parsed, err := g.Parse(string(text))
		if err != nil {
			return fmt.Errorf("%s: %w", where(fsys, file), err)
		}
		name := strings.TrimSuffix(path.Base(file), ".txt")
		own := group.Cases[name].Limits
		s.Cases = append(s.Cases, Case{
			Name: group.Name + "/" + name, Group: group.Name, Points: each[i], Baseline: baseline, Combine: combine, Order: len(s.Cases) + 1,
			Limited: own, Case: withLimits(parsed, group.Limits, own),
		})
	}
	for name := range group.Cases {
		if !slices.Contains(files, path.Join(folder, name+".txt")) {
			return group.mistake("cases", fmt.Errorf("cases: found %s, expected the name of a case, a file %s/NAME.txt", name, group.Name))
		}
	}
	return nil
}
