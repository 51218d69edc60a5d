//go:build ignore

// A starter for mensch-4: a plain, correct solution. Make answer() your own.
// The protocol (in full: umpire games mensch-4):
//   read   a line with A, B and m, a line with q, up to 1000, and q requests, one a line
//   write  the answers, one a line; giveup has none
//   end    with exit status 0

package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

const colours = "RBGY"

var (
	a, b, m, x int   // the die
	unused     []int // numbers of the last roll
	turn       int   // index in colours of the colour to move

	// The step of each piece: -1 in its corner, 0 to 39 on the track, 40 to 43 final.
	steps = [][]int{{-1, -1, -1, -1}, {-1, -1, -1, -1}, {-1, -1, -1, -1}, {-1, -1, -1, -1}}
)

// answer is YOUR SOLUTION: the answer to a request, given as words; "" where there is none.
func answer(request []string) string {
	switch request[0] {
	case "dice":
		if len(unused) > 0 {
			return "invalid dice rolling"
		}
		for len(unused) == 0 || unused[len(unused)-1] == 6 {
			unused = append(unused, roll())
		}
		return strings.Trim(fmt.Sprint(unused), "[]")
	case "giveup":
		if len(unused) > 0 {
			turn = (turn + 1) % 4
		}
		unused = unused[:0]
		return ""
	}
	piece := int(request[1][1] - '1')
	mine := steps[turn]
	if request[1][0] != colours[turn] {
		return "it is not your turn"
	}
	if request[0] == "enter" {
		switch {
		case mine[piece] >= 0:
			return "that is in"
		case !slices.Contains(unused, 6):
			return "you need six"
		case slices.Contains(mine, 0):
			return "busy starting cell"
		}
		return move(piece, 6, 0)
	}
	number, _ := strconv.Atoi(request[2])
	step := mine[piece] + number
	switch {
	case !slices.Contains(unused, number):
		return "invalid move"
	case mine[piece] < 0:
		return "it is not in"
	case step > 43:
		return "you can not move"
	case slices.Contains(mine, step):
		return "destination is busy"
	}
	return move(piece, number, step)
}

// move uses a number to take a piece to a step, and returns its cell.
func move(piece, number, step int) string {
	i := slices.Index(unused, number)
	unused = slices.Delete(unused, i, i+1)
	there := cell(turn, step)
	for colour := range steps {
		for other := range steps[colour] {
			if cell(colour, steps[colour][other]) == there { // the piece there goes back
				steps[colour][other] = -1
			}
		}
	}
	steps[turn][piece] = step
	if len(unused) == 0 {
		turn = (turn + 1) % 4
	}
	return strconv.Itoa(there)
}

// cell is the cell of a step on a colour's path.
func cell(colour, step int) int {
	switch {
	case step < 0:
		return 0
	case step < 40:
		return (10*colour+step)%40 + 1
	}
	return 5 + 8*colour + step
}

// roll is the next number of the die.
func roll() int {
	number := x%6 + 1
	x = (a*x + b) % m
	return number
}

func main() {
	in, out := bufio.NewScanner(os.Stdin), bufio.NewWriter(os.Stdout) // few writes are faster than q
	defer out.Flush()
	var q int
	in.Scan()
	fmt.Sscan(in.Text(), &a, &b, &m)
	in.Scan()
	fmt.Sscan(in.Text(), &q)
	x = b
	for range q {
		in.Scan()
		if reply := answer(strings.Fields(in.Text())); reply != "" {
			fmt.Fprintln(out, reply)
		}
	}
	// Debug output goes to standard error; standard output is for the answers alone.
	fmt.Fprintln(os.Stderr, "answered", q, "requests")
}
