//go:build ignore

// Ioiwari: plays the pit that brings most now; of equal ones the lowest label.
package main

import (
	"fmt"
	"os"
)

// sow plays pit p (from 0) and returns the beads it brings to the mover's bank.
func sow(pits *[7]int, p int) (gain int) {
	hand := pits[p]
	pits[p] = 0
	for {
		p = (p + 1) % 7
		switch {
		case hand == 1:
			if pits[p] >= 1 && pits[p] <= 4 {
				gain += pits[p] + 1
				pits[p] = 0
			}
			return gain
		case pits[p] == 5:
			pits[p]--
			gain++
		default:
			pits[p]++
			hand--
		}
	}
}

func greedy(pits [7]int) int {
	best, most := -1, -1
	for p, beads := range pits {
		if beads == 0 {
			continue
		}
		after := pits
		if gain := sow(&after, p); gain > most {
			best, most = p, gain
		}
	}
	return best
}

func main() {
	seat := 1
	if os.Getenv("UMPIRE_SEAT") == "2" {
		seat = 2
	}
	var pits [7]int
	for i := range pits {
		fmt.Scan(&pits[i])
	}
	for turn := 1; pits != [7]int{}; turn = 3 - turn {
		var p int
		if turn == seat {
			p = greedy(pits)
			fmt.Println(p + 1) // not buffered
		} else {
			if _, err := fmt.Scan(&p); err != nil {
				return
			}
			p--
		}
		sow(&pits, p)
	}
}
