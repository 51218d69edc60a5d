//go:build ignore

// A starter for Solitärschack: it plays by the rules and leaves the thinking to you.
// Change choose(); the rest is the protocol (in full: umpire games solitarschack):
//   read   six rows of six pieces: 1 2 3 4 torn lopare dam springare
//   write  the row and column, 1 to 6, of the piece you remove; `0 0` ends the match
//   read   after each removal the piece that appears there, or `blank`

package main

import (
	"fmt"
	"os"
)

type square struct{ row, column int } // both from 0

var (
	board [6][6]string
	last  string // the piece just removed; "" at the start, when all squares are free to take
	here  square // where it was
)

// choose is YOUR STRATEGY: the next square; false ends the match. Here: the first
// that can be reached.
func choose() (square, bool) {
	for row := range 6 {
		for column := range 6 {
			if s := (square{row, column}); board[row][column] != "blank" && reaches(s) {
				return s, true
			}
		}
	}
	return square{}, false
}

// reaches reports whether the piece just removed leads to a square.
func reaches(there square) bool {
	down, right := distance(there.row, here.row), distance(there.column, here.column)
	edgeRow, edgeColumn := there.row%5 == 0, there.column%5 == 0
	straight, diagonal := down == 0 || right == 0, down == right
	torn := right == 0 && edgeRow || down == 0 && edgeColumn
	lopare := diagonal && (edgeRow || edgeColumn)
	switch {
	case last == "":
		return true
	case there == here:
		return false
	case last == "springare":
		return down*right == 2
	case last == "torn":
		return torn
	case last == "lopare":
		return lopare
	case last == "dam":
		return torn || lopare
	}
	return max(down, right) == int(last[0]-'0') && (straight || diagonal)
}

func distance(a, b int) int { return max(a-b, b-a) }

// read reads a piece.
func read() (piece string) {
	if _, err := fmt.Scan(&piece); err != nil {
		os.Exit(1)
	}
	return piece
}

func main() {
	for row := range board {
		for column := range board[row] {
			board[row][column] = read()
		}
	}
	for next, ok := choose(); ok; next, ok = choose() {
		here, last = next, board[next.row][next.column]
		// Debug output goes to standard error; standard output is for moves alone.
		fmt.Fprintln(os.Stderr, "remove", last, "at", here.row+1, here.column+1)
		fmt.Println(here.row+1, here.column+1) // goes out at once; a bufio.Writer would need a Flush
		board[here.row][here.column] = read()
	}
	fmt.Println("0 0")
}
