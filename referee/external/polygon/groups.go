package polygon

import (
	"cmp"
	"math/big"
	"slices"

	"umpire/referee/external/problem"
)

// group is a group of tests, as problem.xml says it.
type group struct {
	*problem.Group          // with Break, all of its tests must be accepted
	element        *element // or, if it is named by tests alone, the first of these
	points         *big.Rat // of the group; nil: none are said
	done           bool     // it is in the list
}

// findGroups makes the groups of a problem in which tests or groups have points.
func (f *folder) findGroups() error {
	scored := false
	root := &problem.Group{Score: problem.Sum, Max: new(big.Rat)}
	points := make(map[string]*big.Rat) // by case
	for i, test := range f.testset.child("tests").list("test") {
		n, err := f.pointsOf(test)
		if err != nil {
			return err
		}
		scored = scored || n != nil
		worth, name := cmp.Or(n, new(big.Rat)), f.Cases[i].Name
		if points[name] = worth; test.attributes["group"] == "" {
			root.Items = append(root.Items, problem.Item{Case: name})
			root.Max.Add(root.Max, worth)
		}
	}
	groups, order, err := f.readGroups()
	if err != nil {
		return err
	}
	for _, g := range groups {
		scored = scored || g.points != nil
	}
	if !scored {
		return nil
	}
	for i, c := range f.Cases {
		f.Cases[i].Worth = &problem.Worth{Accept: points[c.Name]}
	}
	for _, name := range order {
		g := groups[name]
		sum := new(big.Rat)
		for _, c := range f.groups[name] {
			g.Items = append(g.Items, problem.Item{Case: c})
			sum.Add(sum, points[c])
		}
		switch {
		case sum.Sign() > 0 || g.points == nil:
			g.Max = sum
		case g.Break: // the points are those of the group alone
			g.Score, g.Max = problem.PassFail, g.points
		default:
			return f.wrong(g.element.line, "group %s: found points of the group, which its policy each-test needs of its tests", name)
		}
		root.Items = append(root.Items, problem.Item{Group: g.Group})
		root.Max.Add(root.Max, g.Max)
	}
	f.Grading = root
	return nil
}

// pointsOf returns the points of a test or a group; nil if it says none.
func (f *folder) pointsOf(e *element) (*big.Rat, error) {
	text, there := e.attributes["points"]
	if !there {
		return nil, nil
	}
	n, err := problem.ParseNumber(text)
	if err == nil && n.Sign() < 0 {
		n = nil
	}
	if n == nil {
		return nil, f.wrong(e.line, "points: found %q, expected a number of 0 or more", text)
	}
	return n, nil
}

// readGroups reads the groups, and orders them so that each comes after those that it
// depends on.
func (f *folder) readGroups() (groups map[string]*group, order []string, err error) {
	groups = make(map[string]*group)
	var names []string
	for _, e := range f.testset.child("groups").list("group") {
		name := e.attributes["name"]
		if groups[name] != nil {
			return nil, nil, f.wrong(e.line, "group %q is there twice", name)
		}
		if len(f.groups[name]) == 0 {
			f.Warn("%s:%d: group %q has no tests", Marker, e.line, name)
			continue
		}
		g := &group{Group: &problem.Group{Name: name, Score: problem.Sum}, element: e}
		switch policy := e.attributes["points-policy"]; policy {
		case "complete-group":
			g.Break, g.Reject = true, new(big.Rat)
		case "each-test", "":
		default:
			return nil, nil, f.wrong(e.line, "points-policy: found %q, expected complete-group or each-test", policy)
		}
		if g.points, err = f.pointsOf(e); err != nil {
			return nil, nil, err
		}
		for _, d := range e.child("dependencies").list("dependency") {
			g.Require = append(g.Require, d.attributes["group"])
		}
		groups[name], names = g, append(names, name)
	}
	for _, test := range f.testset.child("tests").list("test") {
		if name := test.attributes["group"]; name != "" && groups[name] == nil {
			groups[name] = &group{Group: &problem.Group{Name: name, Score: problem.Sum}, element: test}
			names = append(names, name)
		}
	}
	for _, name := range names {
		if err := f.place(groups, name, nil, &order); err != nil {
			return nil, nil, err
		}
	}
	return groups, order, nil
}

// place appends a group to the order, after those that it depends on. Path are the groups
// on the way to it.
func (f *folder) place(groups map[string]*group, name string, path []string, order *[]string) error {
	g := groups[name]
	if g.done {
		return nil
	}
	for _, need := range g.Require {
		switch {
		case groups[need] == nil:
			return f.wrong(g.element.line, "group %s: depends on %q, which has no tests", name, need)
		case need == name || slices.Contains(path, need):
			return f.wrong(g.element.line, "group %s: depends on group %s, which depends on it", name, need)
		}
		if err := f.place(groups, need, append(slices.Clone(path), name), order); err != nil {
			return err
		}
	}
	g.done = true
	*order = append(*order, name)
	return nil
}
