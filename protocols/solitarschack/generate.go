package solitarschack

import (
	"math/rand/v2"
	"slices"

	"umpire/protocols"
)

// group is a group of the case set, with the types its cases are made of.
type group struct {
	name  string
	types []Piece
}

var groups = []group{
	{"1", []Piece{Springare}},
	{"2", []Piece{One}},
	{"3", []Piece{One, Two}},
	{"4", []Piece{Torn, Lopare, Dam}},
	{"5", []Piece{One, Two, Three, Four}},
	{"6", []Piece{One, Two, Three, Four, Torn, Lopare, Dam, Springare}},
}

// groupNames lists the groups, the last one first: it is the default, as it has
// all types. The first two have only one board each.
func groupNames() []string {
	out := []string{groups[len(groups)-1].name}
	for _, g := range groups[:len(groups)-1] {
		out = append(out, g.name)
	}
	return out
}

// generate draws all three layers uniformly from the types of a group.
func generate(name string, seed uint64) (protocols.Case, error) {
	i := slices.IndexFunc(groups, func(g group) bool { return g.name == name })
	if i < 0 {
		return nil, &protocols.UnknownGroup{Game: "solitarschack", Group: name, Known: groupNames()}
	}
	rng := rand.New(rand.NewPCG(seed, uint64(i+1)))
	types := groups[i].types
	c := new(Case)
	for layer := range c {
		for s := range c[layer] {
			c[layer][s] = types[rng.IntN(len(types))]
		}
	}
	return c, nil
}
