//go:build ignore

// A starter for Ioiwari: it plays by the rules and leaves the thinking to you.
// Change choose(); the rest is the protocol (in full: umpire games ioiwari):
//   read   one line with the beads in the pits 1 to 7; seat 1 then moves first
//   write  on your turn the number of a pit that is not empty, 1 to 7
//   read   on the opponent's turn the number of the pit it played

package main

import (
	"fmt"
	"os"
)

// choose is YOUR STRATEGY: the pit to play, 0 to 6. Here: the first that holds a bead.
func choose(pits [7]int) int {
	pit := 0
	for pits[pit] == 0 {
		pit++
	}
	return pit
}

// sow plays a pit and returns the beads it brings. To try a move, play it on a copy.
func sow(pits *[7]int, pit int) int {
	hand, gain := pits[pit], 0
	pits[pit] = 0
	for {
		pit = (pit + 1) % 7
		switch {
		case hand == 1: // the last bead takes a pit of 1 to 4, or is the opponent's
			if pits[pit] >= 1 && pits[pit] <= 4 {
				gain += pits[pit] + 1
				pits[pit] = 0
			}
			return gain
		case pits[pit] == 5: // a full pit gives a bead
			pits[pit]--
			gain++
		default:
			pits[pit]++
			hand--
		}
	}
}

// read reads a number. The input ends when the match is over.
func read() (number int) {
	if _, err := fmt.Scan(&number); err != nil {
		os.Exit(0)
	}
	return number
}

func main() {
	seat := 1
	if os.Getenv("UMPIRE_SEAT") == "2" {
		seat = 2
	}
	var pits [7]int
	for i := range pits {
		pits[i] = read()
	}
	for turn := 1; pits != [7]int{}; turn = 3 - turn {
		var pit int
		if turn == seat {
			pit = choose(pits)
			// Debug output goes to standard error; standard output is for moves alone.
			fmt.Fprintln(os.Stderr, "pits", pits, "I play", pit+1)
			fmt.Println(pit + 1) // goes out at once; a bufio.Writer would need a Flush
		} else {
			pit = read() - 1
		}
		sow(&pits, pit)
	}
}
