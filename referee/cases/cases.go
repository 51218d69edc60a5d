// Package cases handles case sets: folders of cases in groups, with their
// points. It knows cases only through protocols, and plays nothing.
package cases

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"umpire/protocols"
	"umpire/referee/record"
)

// Set is an ordered set of cases to be played, and their groups.
type Set struct {
	Groups []Group
	Cases  []Case
}

// Case is a case with its name and points.
type Case struct {
	Name     string // GROUP/NAME, or GROUP#SEED.N for a generated one
	Group    string
	Points   float64 // P
	Baseline float64 // Y, if the set or the game gives one; 0: no baseline
	Combine  Combine // how its group in its set combines; "": it is not from a set
	Order    int     // its place in its set, from 1; 0: it is not from a set
	Limited  Limits  // by its set, beyond its group's
	protocols.Case
}

// Record returns the case in the form of records.
func (c Case) Record() record.Case {
	return record.Case{
		Name: c.Name, Group: c.Group, Points: c.Points, Text: c.String(), Combine: string(c.Combine), Baseline: c.Baseline, Order: c.Order,
	}
}

// Combine is how the scores of a group's cases are combined into the group's
// score.
type Combine string

// A case's score is the formula's value for it, with the case's P.
const (
	// Sum adds the scores of the group's cases. The group's points are shared
	// equally unless it lists the points of each case: each case's P is the
	// points divided by the number of cases.
	Sum Combine = "sum"
	// Min takes the worst case's score for the whole group. Each case's P is the
	// group's points.
	Min Combine = "min"
	// All is all or nothing: the sum, as with Sum, if every case is passed,
	// else 0. A case is passed if all its matches are ok and, if the formula
	// uses P, its score reaches P.
	All Combine = "all"
)

// Group is one group of a set.
type Group struct {
	Name     string
	Points   float64 // points of the whole group
	Combine  Combine // "" means Sum
	Baseline float64 // Y of its cases; 0: the game's
	Limits   Limits  // of its cases
}

// Points returns the points of a case whose set does not give any.
func Points(g protocols.Game) float64 {
	if g.Points == 0 {
		return 1
	}
	return g.Points
}

// NewSet makes a set of single cases: name and text of each.
func NewSet(g protocols.Game, list ...Case) Set {
	var set Set
	for _, c := range list {
		if c.Points == 0 {
			c.Points = Points(g)
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

// MaxGenerated is the length of the series of cases that belongs to a seed.
const MaxGenerated = 100_000

// Generate draws the n-th case, from 1 to MaxGenerated, of a group's series that
// belongs to seed. An empty group is the game's first.
func Generate(g protocols.Game, group string, seed uint64, n int) (Case, error) {
	if group == "" && len(g.Groups) > 0 {
		group = g.Groups[0]
	}
	c, err := g.Generate(group, caseSeed(seed, n))
	if err != nil {
		return Case{}, err
	}
	return Case{Name: fmt.Sprintf("%s#%d.%d", group, seed, n), Group: group, Case: c}, nil
}

// caseSeed returns a game's seed for the n-th case of a series. Series of small
// seeds never share a seed; those of large ones, for which 64 bits are too few,
// do so only by chance.
func caseSeed(seed uint64, n int) uint64 {
	if seed < 1<<32 {
		return seed<<32 + uint64(n)
	}
	return rand.NewPCG(seed, uint64(n)).Uint64()
}

// Generated returns the case that Generate has given a name; ok reports whether
// the name has that form.
func Generated(g protocols.Game, name string) (c Case, ok bool, err error) {
	group, rest, found := strings.Cut(name, "#")
	seed, n, dot := strings.Cut(rest, ".")
	s, err1 := strconv.ParseUint(seed, 10, 64)
	i, err2 := strconv.Atoi(n)
	if !found || !dot || err1 != nil || err2 != nil || i < 1 || i > MaxGenerated {
		return Case{}, false, nil
	}
	c, err = Generate(g, group, s, i)
	return c, true, err
}

// Filter returns the cases to keep, with their groups.
func (s Set) Filter(keep func(Case) bool) Set {
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

// Match makes a set of the cases found in records: those of this set, in its
// order, then the others in that of theirs, or by name. A case belongs to this set if name and text
// agree and the record, if it gives points and combine, gives the same; a case
// without a name is identified by its text. It is an error if records disagree
// about a group.
func (s Set) Match(g protocols.Game, found []Case) (Set, error) {
	var rest []Case
	mine := make(map[string]bool) // by text
	for _, f := range found {
		if slices.ContainsFunc(s.Cases, f.as) {
			mine[f.String()] = true
		}
	}
	out := s.Filter(func(c Case) bool { return mine[c.String()] })
	for _, f := range found {
		if !slices.ContainsFunc(out.Cases, f.as) {
			rest = append(rest, f)
		}
	}
	slices.SortStableFunc(rest, func(a, b Case) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.Group, b.Group), cmp.Compare(len(a.Name), len(b.Name)), cmp.Compare(a.Name, b.Name))
	})
	for _, c := range rest {
		if c.Name == "" {
			c.Name = strings.ReplaceAll(c.String(), "\n", " ")
		}
		if c.Baseline == 0 {
			c.Baseline = g.Baseline
		}
		if err := out.join(c); err != nil {
			return Set{}, err
		}
	}
	return out, nil
}

// Has reports whether cases found in records are all of this set, as Match tells them.
func (s Set) Has(found []Case) bool {
	return !slices.ContainsFunc(found, func(f Case) bool { return !slices.ContainsFunc(s.Cases, f.as) })
}

// as reports whether c, from a record, is the case known from a set.
func (c Case) as(known Case) bool {
	return (c.Name == known.Name || c.Name == "") && c.String() == known.String() &&
		(c.Points == 0 || c.Points == known.Points) &&
		(c.Baseline == 0 || c.Baseline == known.Baseline) &&
		(c.Combine == "" || c.Combine == known.Combine)
}

// join adds a case to its group, which it creates if necessary.
func (s *Set) join(c Case) error {
	i := slices.IndexFunc(s.Groups, func(have Group) bool { return have.Name == c.Group })
	combine := cmp.Or(c.Combine, Sum)
	if i < 0 {
		s.Groups = append(s.Groups, Group{Name: c.Group, Combine: combine, Baseline: c.Baseline})
	} else if have := cmp.Or(s.Groups[i].Combine, Sum); have != combine {
		return fmt.Errorf("group %q: found cases that combine as %s and others as %s; choose a set with --cases", c.Group, have, combine)
	}
	s.Cases = append(s.Cases, c)
	return nil
}

// ParseMany parses a text that holds one case or several: it tries the whole
// text first, then pieces separated by blank lines, then lines. The error is
// that of the attempt that got furthest.
func ParseMany(g protocols.Game, name, text string) ([]Case, error) {
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
