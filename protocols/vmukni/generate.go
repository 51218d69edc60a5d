package vmukni

import (
	"math/rand/v2"

	"umpire/protocols"
)

// caseGroup is a kind of generated case: how it draws N, K and P.
type caseGroup struct {
	name string
	size func(seed uint64, r *rand.Rand) (moves, faceUp, pictures int)
}

// caseGroups lists the kinds of generated cases, the default first.
func caseGroups() []caseGroup {
	return []caseGroup{
		{"small", sized(10, 40)},
		{"medium", sized(50, 100)},
		{"large", sized(MaxMoves, MaxMoves)},
		{"extreme", extreme},
	}
}

func groupNames() (names []string) {
	for _, g := range caseGroups() {
		names = append(names, g.name)
	}
	return names
}

// sized draws N in lo..hi, both even, K in 1..10 and P.
func sized(lo, hi int) func(uint64, *rand.Rand) (int, int, int) {
	return func(_ uint64, r *rand.Rand) (moves, faceUp, pictures int) {
		moves = lo + 2*r.IntN((hi-lo)/2+1)
		return moves, 1 + r.IntN(10), MinPictures + r.IntN(MaxPictures-MinPictures+1)
	}
}

// extreme takes the seed's bits for the bounds of N, K and P, so that eight
// seeds in a row give all their combinations.
func extreme(seed uint64, _ *rand.Rand) (moves, faceUp, pictures int) {
	moves, faceUp, pictures = MaxMoves, 1, MaxPictures
	if seed&1 != 0 {
		moves = 2
	}
	if seed&2 != 0 {
		faceUp = moves
	}
	if seed&4 != 0 {
		pictures = MinPictures
	}
	return moves, faceUp, pictures
}

// generate draws the seed's case of a group: N, K and P by the group, and every
// tile with equal chances from the pictures that make no run of three.
func generate(name string, seed uint64) (protocols.Case, error) {
	for i, g := range caseGroups() {
		if g.name == name {
			r := rand.New(rand.NewPCG(seed, uint64(i)))
			return draw(r, seed, g), nil
		}
	}
	return nil, &protocols.UnknownGroup{Game: "vmukni", Group: name, Known: groupNames()}
}

func draw(r *rand.Rand, seed uint64, g caseGroup) *Case {
	moves, faceUp, pictures := g.size(seed, r)
	c := &Case{pictures: pictures, faceUp: faceUp, queue: make([]int, moves)}
	for row := 1; row <= Size; row++ {
		for column := 1; column <= Size; column++ {
			for again := true; again; {
				c.board.Put(row, column, 1+r.IntN(pictures))
				_, again = c.board.completes(row, column)
			}
		}
	}
	for i := range c.queue {
		c.queue[i] = 1 + r.IntN(pictures)
	}
	return c
}
