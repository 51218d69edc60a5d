//go:build ignore

// A starter for mensch: it plays by the rules and leaves the thinking to you.
// Change choose(); the rest is the protocol (in full: umpire games mensch):
//   read   your colour and all that play (B RBGY), then what others do (R move R2 1 2),
//          `turn` when it is your turn, and `end`
//   write  in your turn a request (dice, enter B1, move B1 4), read its answer, and so
//          on until all numbers are used, or end it by giveup, which has no answer

package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// corner is the step of a piece that is not in play; 0 to 39 is the track, 40 to 43 home.
const corner = -1

var (
	input = bufio.NewScanner(os.Stdin)
	steps = []int{corner, corner, corner, corner} // of my pieces
	me    string                                  // my colour
)

// choose is YOUR STRATEGY: a piece, 0 to 3, and one of the unused numbers; false to
// give up. Here: the first that is possible.
func choose(unused []int) (piece, number int, ok bool) {
	for _, number := range unused {
		for piece := range steps {
			if target(piece, number) >= 0 {
				return piece, number, true
			}
		}
	}
	return 0, 0, false
}

// target is the step to which a number takes a piece of mine, -1 if it can't be used for it.
func target(piece, number int) int {
	step := steps[piece] + number
	if steps[piece] == corner {
		if number != 6 {
			return -1
		}
		step = 0
	}
	if step > 43 || slices.Contains(steps, step) {
		return -1
	}
	return step
}

// cell is the cell of a step on my path.
func cell(step int) int {
	k := strings.Index("RBGY", me)
	if step < 40 {
		return (10*k+step)%40 + 1
	}
	return 45 + 8*k + step - 40
}

// read reads a line as words. The input ends when the match is over.
func read() []string {
	if !input.Scan() {
		os.Exit(0)
	}
	return strings.Fields(input.Text())
}

func say(request string) {
	fmt.Println(request) // goes out at once; a bufio.Writer would need a Flush
}

func takeTurn() {
	say("dice")
	var unused []int
	for _, word := range read() {
		number, _ := strconv.Atoi(word)
		unused = append(unused, number)
	}
	// Debug output goes to standard error; standard output is for requests alone.
	fmt.Fprintln(os.Stderr, "steps", steps, "dice", unused)
	for len(unused) > 0 && slices.Min(steps) < 40 { // coming home ends the turn
		piece, number, ok := choose(unused)
		if !ok {
			say("giveup")
			return
		}
		if steps[piece] == corner {
			say(fmt.Sprintf("enter %s%d", me, piece+1))
		} else {
			say(fmt.Sprintf("move %s%d %d", me, piece+1, number))
		}
		read() // the cell, or why the request was refused
		steps[piece] = target(piece, number)
		i := slices.Index(unused, number)
		unused = slices.Delete(unused, i, i+1)
	}
}

func main() {
	me = read()[0]
	for {
		words := read()
		switch {
		case words[0] == "end":
			return
		case words[0] == "turn":
			takeTurn()
		case words[1] == "enter" || words[1] == "move":
			to, _ := strconv.Atoi(words[len(words)-1])
			for i, step := range steps { // another piece landed on mine: it goes back
				if step != corner && cell(step) == to {
					steps[i] = corner
				}
			}
		}
	}
}
