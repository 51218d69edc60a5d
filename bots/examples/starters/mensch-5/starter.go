//go:build ignore

// A starter for mensch-5: a plain, correct solution. Make answer() your own.
// The protocol (in full: umpire games mensch-5):
//   read   a line with A, B and m, a line with q, up to 1000, and q requests, one a line
//   write  for each request its answer (giveup has none), and the board in 11 lines
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

	// The step of each piece: -1 to -4 in its corner cells, 0 to 39 on the track, 40 to 43 final.
	steps = [][]int{{-1, -2, -3, -4}, {-1, -2, -3, -4}, {-1, -2, -3, -4}, {-1, -2, -3, -4}}
)

var cells = []string{
	"41 42 .. .. 09 10 11 .. .. 49 50",
	"43 44 .. .. 08 53 12 .. .. 51 52",
	".. .. .. .. 07 54 13 .. .. .. ..",
	".. .. .. .. 06 55 14 .. .. .. ..",
	"01 02 03 04 05 56 15 16 17 18 19",
	"40 45 46 47 48 .. 64 63 62 61 20",
	"39 38 37 36 35 72 25 24 23 22 21",
	".. .. .. .. 34 71 26 .. .. .. ..",
	".. .. .. .. 33 70 27 .. .. .. ..",
	"65 66 .. .. 32 69 28 .. .. 57 58",
	"67 68 .. .. 31 30 29 .. .. 59 60",
}

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
				corner := -1
				for slices.Contains(steps[colour], corner) {
					corner--
				}
				steps[colour][other] = corner
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
		return 40 + 8*colour - step
	case step < 40:
		return (10*colour+step)%40 + 1
	}
	return 5 + 8*colour + step
}

// board is the picture of the board.
func board() string {
	pieces := make(map[int]string)
	for colour := range steps {
		for i, step := range steps[colour] {
			pieces[cell(colour, step)] = fmt.Sprintf("%c%d", colours[colour], i+1)
		}
	}
	var lines []string
	for _, line := range cells {
		words := strings.Fields(line)
		for i, word := range words {
			here, err := strconv.Atoi(word)
			switch {
			case err != nil: // no cell
			case pieces[here] != "":
				words[i] = pieces[here]
			case here <= 40:
				words[i] = "oo"
			default:
				words[i] = "xx"
			}
		}
		lines = append(lines, strings.Join(words, "."))
	}
	return strings.Join(lines, "\n")
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
		fmt.Fprintln(out, board())
	}
	// Debug output goes to standard error; standard output is for the answers alone.
	fmt.Fprintln(os.Stderr, "answered", q, "requests")
}
