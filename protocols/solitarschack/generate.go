package solitarschack

import (
	"math/rand/v2"
	"slices"

	"umpire/protocols"
	"umpire/protocols/solitarschack/board"
)

// groupNames lists the groups, the last one first: it is the default, as it has
// all types. The first two have only one board each.
func groupNames() []string {
	out := []string{board.Groups[len(board.Groups)-1].Name}
	for _, g := range board.Groups[:len(board.Groups)-1] {
		out = append(out, g.Name)
	}
	return out
}

// generate draws all three layers uniformly from the types of a group.
func generate(name string, seed uint64) (protocols.Case, error) {
	i := slices.IndexFunc(board.Groups, func(g board.Group) bool { return g.Name == name })
	if i < 0 {
		return nil, &protocols.UnknownGroup{Game: "solitarschack", Group: name, Known: groupNames()}
	}
	rng := rand.New(rand.NewPCG(seed, uint64(i+1)))
	types := board.Groups[i].Types
	c := new(Case)
	for layer := range c {
		for s := range c[layer] {
			c[layer][s] = types[rng.IntN(len(types))]
		}
	}
	return c, nil
}
