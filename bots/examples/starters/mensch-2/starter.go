//go:build ignore

// A starter for mensch-2: a plain, correct solution. Make solve() your own.
// The protocol (in full: umpire games mensch-2):
//   read   a line with A, B and m, and a line with n, up to 100000
//   write  n lines, the k-th number on line k
//   end    with exit status 0

package main

import (
	"bufio"
	"fmt"
	"os"
)

// solve is YOUR SOLUTION: the first n numbers of the die.
func solve(a, b, m, n int) []int {
	numbers := make([]int, n)
	x := b
	for k := range numbers {
		numbers[k] = x%6 + 1
		x = (a*x + b) % m
	}
	return numbers
}

func main() {
	var a, b, m, n int
	fmt.Scan(&a, &b, &m, &n)
	// Debug output goes to standard error; standard output is for the answer alone.
	fmt.Fprintln(os.Stderr, "A", a, "B", b, "m", m, "n", n)
	out := bufio.NewWriter(os.Stdout) // few writes are faster than n
	defer out.Flush()
	for _, number := range solve(a, b, m, n) {
		fmt.Fprintln(out, number)
	}
}
