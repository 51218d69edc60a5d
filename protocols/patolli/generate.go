package patolli

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"umpire/protocols"
)

// caseGroup is a kind of generated case: how many lines it has.
type caseGroup struct {
	name  string
	lines int
}

// caseGroups lists the kinds of generated cases, the default first.
func caseGroups() []caseGroup {
	return []caseGroup{{"generated", LinesPerTest}, {"large", 10_000}}
}

func groupNames() (names []string) {
	for _, g := range caseGroups() {
		names = append(names, g.name)
	}
	return names
}

// Generate draws the seed's case of a group.
func Generate(group string, seed uint64) (protocols.Case, error) {
	for i, g := range caseGroups() {
		if g.name != group {
			continue
		}
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		c := &Case{}
		for range g.lines {
			c.lines = append(c.lines, draw(r))
		}
		return c.finish(), nil
	}
	return nil, fmt.Errorf("generate patolli: found group %s, expected one of %s",
		protocols.Quote(group), strings.Join(groupNames(), ", "))
}

// draw draws a line: 5 to 20 rolls, and the player's markers anywhere, or near
// the start, or near the end, where they block each other and leave the grid.
func draw(r *rand.Rand) Line {
	const shortest, longest = 5, 20
	low, high := 1, Last-1
	switch r.IntN(3) {
	case 1:
		high = 20
	case 2:
		low = 38
	}
	numbers := make([]int, 0, 2*Markers+1+longest)
	add := func(location int) {
		if !slices.Contains(numbers, location) {
			numbers = append(numbers, location)
		}
	}
	for len(numbers) < Markers {
		add(1 + r.IntN(Last-1))
	}
	for len(numbers) < 2*Markers {
		add(low + r.IntN(high-low+1))
	}
	rolls := shortest + r.IntN(longest-shortest+1)
	numbers = append(numbers, rolls)
	for range rolls {
		numbers = append(numbers, 1+r.IntN(6))
	}
	line, fault := ParseLine(join(numbers))
	if fault != nil {
		panic(fault)
	}
	return line
}
