package protocols

import (
	"fmt"
	"strconv"
	"strings"
)

// Places ranks n seats, numbered from 0: 1 is the best place, and ties share the
// better one. Before reports whether seat a ranks before seat b.
func Places(n int, before func(a, b int) bool) []int {
	places := make([]int, n)
	for i := range places {
		places[i] = 1
		for other := range n {
			if before(other, i) {
				places[i]++
			}
		}
	}
	return places
}

// CheckSeats panics, as Case.Start must, unless the game allows that many
// seats: low to high.
func CheckSeats(game string, seats, low, high int) {
	if seats >= low && seats <= high {
		return
	}
	expected := strconv.Itoa(low)
	if high > low {
		expected += " to " + strconv.Itoa(high)
	}
	panic(fmt.Sprintf("%s: found %d seats, expected %s", game, seats, expected))
}

// UnknownGroup is the error of Generate for a group the game does not have.
type UnknownGroup struct {
	Game, Group string
	Known       []string
}

func (e *UnknownGroup) Error() string {
	expected := strings.Join(e.Known, ", ")
	if len(e.Known) > 1 {
		expected = "one of " + expected
	}
	return fmt.Sprintf("generate %s: found group %s, expected %s", e.Game, Quote(e.Group), expected)
}
