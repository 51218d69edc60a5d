package solitarschack

import (
	"math/rand/v2"
	"slices"

	"umpire/protocols"
	"umpire/protocols/solitarschack/board"
)

// group is a group of the case set, with the types its cases are made of.
type group struct {
	name  string
	types []board.Piece
}

var groups = []group{
	{"1", []board.Piece{board.Springare}},
	{"2", []board.Piece{board.One}},
	{"3", []board.Piece{board.One, board.Two}},
	{"4", []board.Piece{board.Torn, board.Lopare, board.Dam}},
	{"5", []board.Piece{board.One, board.Two, board.Three, board.Four}},
	{"6", []board.Piece{board.One, board.Two, board.Three, board.Four, board.Torn, board.Lopare, board.Dam, board.Springare}},
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
