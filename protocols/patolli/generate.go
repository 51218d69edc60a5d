package patolli

import (
	"math/rand/v2"

	"umpire/protocols"
)

// caseGroup is a kind of generated case: how many lines it has, and of which
// kind.
type caseGroup struct {
	name  string
	lines int
	draw  func(r *rand.Rand) Line
}

// caseGroups lists the kinds of generated cases, the default first. The lines
// of all but the last avoid whatever the statement leaves open.
func caseGroups() []caseGroup {
	return []caseGroup{
		{"generated", LinesPerTest, decided},
		{"large", 10_000, decided},
		{"open", LinesPerTest, open},
	}
}

func groupNames() (names []string) {
	for _, g := range caseGroups() {
		names = append(names, g.name)
	}
	return names
}

// generate draws the seed's case of a group.
func generate(group string, seed uint64) (protocols.Case, error) {
	for i, g := range caseGroups() {
		if g.name != group {
			continue
		}
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		c := &Case{}
		for range g.lines {
			c.lines = append(c.lines, g.draw(r))
		}
		return c.finish(), nil
	}
	return nil, &protocols.UnknownGroup{Game: "patolli", Group: group, Known: groupNames()}
}

// decided draws a line whose result follows from the statement.
func decided(r *rand.Rand) Line {
	return draw(r, func(p *Position, roll int) bool { return !p.open(roll) })
}

// open draws a line with at least one roll whose result the statement leaves
// open.
func open(r *rand.Rand) Line {
	for {
		met := false
		line := draw(r, func(p *Position, roll int) bool {
			met = met || p.open(roll)
			return true
		})
		if met {
			return line
		}
	}
}

// draw draws a line: 5 to 20 rolls, and the player's markers anywhere, or near
// the start, or near the end, where they block each other and leave the grid. A
// roll that does not fit the position is drawn again.
func draw(r *rand.Rand, fits func(p *Position, roll int) bool) Line {
	const shortest, longest = 5, 20
	low, high := 1, Last-1
	switch r.IntN(3) {
	case 1:
		high = 20
	case 2:
		low = 38
	}
	var l Line
	numbers := make([]int, 0, 2*Markers+1+longest)
	add := func(side *set, location int) {
		if !(l.Start.opponent | l.Start.player).has(location) {
			*side |= 1 << location
			numbers = append(numbers, location)
		}
	}
	for len(numbers) < Markers {
		add(&l.Start.opponent, 1+r.IntN(Last-1))
	}
	for len(numbers) < 2*Markers {
		add(&l.Start.player, low+r.IntN(high-low+1))
	}
	l.Rolls = make([]byte, shortest+r.IntN(longest-shortest+1))
	numbers = append(numbers, len(l.Rolls))
	p := l.Start
	for i := range l.Rolls {
		roll := 1 + r.IntN(6)
		for !fits(&p, roll) {
			roll = 1 + r.IntN(6)
		}
		p.Roll(roll)
		l.Rolls[i] = byte(roll)
		numbers = append(numbers, roll)
	}
	l.text = protocols.Join(numbers)
	return l
}
