//go:build ignore

// A starter for Patolli: a plain, correct solution. Make answer() your own.
// The protocol (in full: umpire games patolli):
//   read   lines to the end of the input: 3 markers of the opponent, 3 of the player, r, r rolls
//   write  for each line where the player's markers stand in the end, in order, or GAME OVER
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

var (
	corners = []int{7, 12, 17, 22, 27, 35, 40, 45, 50}
	squares = []int{9, 16, 25, 36, 49}
	primes  = []int{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47}
)

// answer is YOUR SOLUTION: where the player's markers stand after the rolls, in order.
func answer(opponent, player, rolls []int) []int {
	slices.Sort(player)
	for _, roll := range rolls {
		if len(player) == 0 {
			break
		}
		start, others := player[0], player[1:] // the lowest moves
		player = slices.Clone(others)
		if end := target(start, roll, slices.Concat(opponent, others)); end < 52 { // 52 leaves the grid
			player = append(player, end)
		}
		slices.Sort(player)
	}
	return player
}

// target is the location to which a roll takes a marker.
func target(start, roll int, occupied []int) int {
	end := start + roll
	switch {
	case end > 52 || slices.Contains(occupied, end):
		return start
	case end == 52:
		return end
	case slices.Contains(primes, end):
		return walk(end, 1, occupied)
	case slices.Contains(squares, end):
		return walk(end, -1, occupied)
	case slices.ContainsFunc(corners, func(corner int) bool { return start < corner && corner < end }):
		multiple := end - end%roll
		if slices.Contains(occupied, multiple) {
			return start
		}
		return multiple
	}
	return end
}

// walk goes up to six locations on, or back, but not past 51 and not onto an occupied one.
func walk(start, step int, occupied []int) int {
	here := start
	for i := 0; i < 6 && !slices.Contains(occupied, here+step); i++ {
		if here+step == 52 {
			return start
		}
		here += step
	}
	return here
}

func main() {
	in, out := bufio.NewScanner(os.Stdin), bufio.NewWriter(os.Stdout) // few writes are faster than many
	defer out.Flush()
	count := 0
	for in.Scan() {
		var numbers []int
		for _, word := range strings.Fields(in.Text()) {
			number, _ := strconv.Atoi(word)
			numbers = append(numbers, number)
		}
		if len(numbers) == 0 {
			continue
		}
		count++
		left := answer(numbers[:3], numbers[3:6], numbers[7:])
		if len(left) == 0 {
			fmt.Fprintln(out, "GAME OVER")
		} else {
			fmt.Fprintln(out, strings.Trim(fmt.Sprint(left), "[]"))
		}
	}
	// Debug output goes to standard error; standard output is for the answers alone.
	fmt.Fprintln(os.Stderr, "answered", count, "lines")
}
