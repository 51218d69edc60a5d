//go:build ignore

// A starter for mensch-1: a plain, correct solution. Make solve() your own.
// The protocol (in full: umpire games mensch-1):
//   read   one integer, 1 to 6
//   write  the face of the die that shows it: 5 lines of 5 characters
//   end    with exit status 0

package main

import (
	"fmt"
	"os"
	"strings"
)

var faces = []string{
	"...../...../..o../...../.....",
	"...../...o./...../.o.../.....",
	"...../...o./..o../.o.../.....",
	"...../.o.o./...../.o.o./.....",
	"...../.o.o./..o../.o.o./.....",
	"...../.o.o./.o.o./.o.o./.....",
}

// solve is YOUR SOLUTION: the five lines of face d.
func solve(d int) []string {
	return strings.Split(faces[d-1], "/")
}

func main() {
	var d int
	fmt.Scan(&d)
	// Debug output goes to standard error; standard output is for the answer alone.
	fmt.Fprintln(os.Stderr, "face", d)
	for _, line := range solve(d) {
		fmt.Println(line)
	}
}
