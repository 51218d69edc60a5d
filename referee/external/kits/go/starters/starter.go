//go:build ignore

// A bot for tic-tac-toe: reads the board before each of its moves, and answers with a free cell.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		board := in.Text() // nine characters: X, O, or . for a free cell
		var free []int
		for i, mark := range board {
			if mark == '.' {
				free = append(free, i+1)
			}
		}
		move := free[len(free)-1]                // YOUR STRATEGY
		fmt.Fprintln(os.Stderr, "I read", board) // for you alone: umpire shows the end of it
		fmt.Println(move)
	}
}
