package tournament

import (
	"math/rand/v2"
	"slices"
)

// Seating is how a round robin of more than two seats is seated. A run keeps the one it
// began with.
type Seating int

const (
	// Rotations has the same order of turns on every case, as the earliest versions do.
	Rotations Seating = iota
	// Neighbours changes the order of turns from case to case so that every bot sits
	// behind every other equally often: exactly so after each (seats-1)! cases, for up to
	// six seats, and nearly so in between.
	Neighbours
)

// maxArranged is the most seats of which all orders of turns are used; for more, some
// are drawn.
const (
	maxArranged   = 6
	drawnArranged = 60
)

// arrangements returns the orders of turns that follow each other from case to case, and
// begin again after the last. Each lists the places at a table by seat; the first is
// that of the table, and seat 1 always keeps its place, since shifting tables through
// all bots rotates them. Of those left, the next is the one that keeps the numbers of
// times most even that one sits right behind another, the first seat behind the last;
// then those of sitting further behind.
func arrangements(seats int) [][]int {
	left := candidates(seats)
	list := [][]int{left[0]}
	behind := make([][][]int, seats) // by how far, who, and whom
	for far := range behind {
		behind[far] = make([][]int, seats)
		for i := range behind[far] {
			behind[far][i] = make([]int, seats)
		}
	}
	for {
		last := list[len(list)-1]
		left = slices.DeleteFunc(left, func(a []int) bool { return slices.Equal(a, last) })
		for far := 1; far < seats; far++ {
			for i, place := range last {
				behind[far][last[(i+far)%seats]][place]++
			}
		}
		if len(left) == 0 {
			return list
		}
		uneven := func(a []int) []int {
			cost := make([]int, seats-1)
			for far := 1; far < seats; far++ {
				for i, place := range a {
					cost[far-1] += behind[far][a[(i+far)%seats]][place]
				}
			}
			return cost
		}
		list = append(list, slices.MinFunc(left, func(a, b []int) int { return slices.Compare(uneven(a), uneven(b)) }))
	}
}

// candidates returns the orders of turns to choose from, each once.
func candidates(seats int) (list [][]int) {
	first := make([]int, seats)
	for i := range first {
		first[i] = i
	}
	if seats <= maxArranged {
		for more := true; more; more = nextOrder(first[1:]) {
			list = append(list, slices.Clone(first))
		}
		return list
	}
	list = append(list, first)
	rng := rand.New(rand.NewPCG(uint64(seats), 0x7365617473))
	for len(list) < drawnArranged {
		drawn, back := []int{0}, []int{0}
		for _, n := range rng.Perm(seats - 1) {
			drawn = append(drawn, n+1)
		}
		for _, n := range slices.Backward(drawn[1:]) {
			back = append(back, n)
		}
		for _, a := range [][]int{drawn, back} {
			if !slices.ContainsFunc(list, func(b []int) bool { return slices.Equal(a, b) }) {
				list = append(list, a)
			}
		}
	}
	return list
}

// seated returns a table in an order of turns.
func seated(table, arrangement []int) []int {
	list := make([]int, len(table))
	for seat, place := range arrangement {
		list[seat] = table[place]
	}
	return list
}
