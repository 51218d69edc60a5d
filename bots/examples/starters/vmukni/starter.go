//go:build ignore

// A starter for vmukni: it plays by the rules and leaves the thinking to you.
// Change choose(); the rest is the protocol (in full: umpire games vmukni):
//   read   N K P S (you are seat S of 1 and 2), five rows of tiles, the first K of N queue tiles
//   write  in your moves, every second one, the way in: 1 to 15
//   read   after every move, yours too, the way it took and the tile turned up, 0 if none

package main

import (
	"fmt"
	"os"
)

var (
	board [5][5]int
	queue []int // the tiles that have been turned up
)

// choose is YOUR STRATEGY: the way in for tile queue[move], 1 to 15. Here: each in turn.
func choose(move int) int {
	return 1 + move%15
}

// read reads a number. The input ends when the match is over.
func read() (number int) {
	if _, err := fmt.Scan(&number); err != nil {
		os.Exit(0)
	}
	return number
}

func main() {
	n, k, _, seat := read(), read(), read(), read()
	for row := range board {
		for column := range board[row] {
			board[row][column] = read()
		}
	}
	for range k {
		queue = append(queue, read())
	}
	for move := range n {
		if move%2 == seat-1 {
			way := choose(move)
			// Debug output goes to standard error; standard output is for moves alone.
			fmt.Fprintln(os.Stderr, "move", move, "tile", queue[move], "way", way)
			fmt.Println(way) // goes out at once; a bufio.Writer would need a Flush
		}
		read() // a strategy that looks at the board plays queue[move] by this way on it
		if turnedUp := read(); turnedUp != 0 {
			queue = append(queue, turnedUp)
		}
	}
}
