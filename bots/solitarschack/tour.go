package solitarschack

import (
	rules "umpire/protocols/solitarschack/board"
)

// tour is a closed tour of the board by steps of one type: the next square of
// every square. A board with only that type can be toured three times, which
// takes every piece and is the best possible.
type tour [rules.Area]rules.Square

// tourOf returns a tour for p, nil if p has none: only 1 and springare do.
func tourOf(p rules.Piece) *tour {
	switch p {
	case rules.One:
		return follow([rules.Area]int8{
			1, 2, 3, 4, 5, 6,
			36, 11, 10, 9, 8, 7,
			35, 12, 13, 14, 15, 16,
			34, 21, 20, 19, 18, 17,
			33, 22, 23, 24, 25, 26,
			32, 31, 30, 29, 28, 27,
		})
	case rules.Springare:
		return follow([rules.Area]int8{
			1, 28, 21, 12, 3, 34,
			20, 11, 2, 35, 22, 13,
			27, 36, 29, 14, 33, 4,
			10, 19, 8, 23, 30, 15,
			7, 26, 17, 32, 5, 24,
			18, 9, 6, 25, 16, 31,
		})
	}
	return nil
}

// follow makes a tour that visits the squares in the order of their numbers,
// from 1.
func follow(numbers [rules.Area]int8) *tour {
	var at [rules.Area]rules.Square
	for q, n := range numbers {
		at[n-1] = rules.Square(q)
	}
	t := new(tour)
	for i, q := range at {
		t[q] = at[(i+1)%rules.Area]
	}
	return t
}
