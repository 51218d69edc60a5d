// Package ioiwari holds the built-in bots for ioiwari. Each keeps its own board
// from the lines it reads, and plays either seat.
package ioiwari

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"umpire/bots"
	"umpire/protocols"
	"umpire/protocols/ioiwari"
)

// Bots returns the bots for ioiwari, weakest first.
func Bots() []bots.Bot {
	return []bots.Bot{
		{
			Game: "ioiwari", Name: "random",
			About: "any pit that is not empty, drawn from a seed made of its seat and the lines it has read",
			Play:  func(t *bots.Table) error { return play(t, random) },
		},
		{
			Game: "ioiwari", Name: "greedy",
			About: "the pit that brings its bank the most beads now; of equal ones the lowest label",
			Play:  func(t *bots.Table) error { return play(t, greedy) },
		},
		{
			Game: "ioiwari", Name: "optimal",
			About: "plays perfectly: the largest difference of the banks; of equal pits the lowest label",
			Play: func(t *bots.Table) error {
				solver := new(ioiwari.Solver)
				return play(t, func(v view) int {
					pit, _ := solver.Best(v.board)
					return pit
				})
			},
		},
	}
}

// view is a bot's knowledge when it has to move.
type view struct {
	seat  int
	board ioiwari.Board // not empty
	read  []string      // the lines read so far
}

// play plays a match at t; choose returns the label of a pit.
func play(t *bots.Table, choose func(view) int) error {
	v := view{seat: t.Seat}
	if err := v.readBoard(t); err != nil {
		return err
	}
	for mover := 1; v.board.Beads() > 0; mover = 3 - mover {
		var pit int
		var err error
		if mover == v.seat {
			pit = choose(v)
			err = t.Say(strconv.Itoa(pit))
		} else {
			pit, err = v.readPit(t)
		}
		if err != nil {
			return err
		}
		v.board.Sow(pit)
	}
	return nil
}

func (v *view) readBoard(t *bots.Table) error {
	line, err := t.Line()
	if err != nil {
		return err
	}
	v.read = append(v.read, line)
	fields := protocols.Fields(line)
	if len(fields) != ioiwari.Pits {
		return fmt.Errorf("read %s, expected %d pits", protocols.Quote(line), ioiwari.Pits)
	}
	for i, field := range fields {
		beads, foul := protocols.Integer(field, "beads", 0, ioiwari.PitMax)
		if foul != nil {
			return fmt.Errorf("read %s: %w", protocols.Quote(line), foul)
		}
		v.board[i] = int8(beads)
	}
	return nil
}

func (v *view) readPit(t *bots.Table) (int, error) {
	line, err := t.Line()
	if err != nil {
		return 0, err
	}
	v.read = append(v.read, line)
	pit, foul := protocols.Integer(line, "a pit", 1, ioiwari.Pits)
	if foul != nil || v.board[pit-1] == 0 {
		return 0, fmt.Errorf("read %s, expected a pit that is not empty", protocols.Quote(line))
	}
	return pit, nil
}

// random picks any pit. Its choice follows from the lines it has read.
func random(v view) int {
	var filled []int
	for i, beads := range v.board {
		if beads > 0 {
			filled = append(filled, i+1)
		}
	}
	rng := rand.New(rand.NewPCG(bots.Seed(v.read...), uint64(v.seat)))
	return filled[rng.IntN(len(filled))]
}

// greedy picks the pit that gains most now.
func greedy(v view) int {
	pit, most := 0, 0
	for i, beads := range v.board {
		if beads == 0 {
			continue
		}
		after := v.board
		if own, _ := after.Sow(i + 1); pit == 0 || own > most {
			pit, most = i+1, own
		}
	}
	return pit
}
