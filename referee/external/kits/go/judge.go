//go:build ignore

// Tic-tac-toe. A case is the first moves of a match: one line with one to three different
// cells. With arguments, a group and a seed, the program draws a case.
package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
)

var lines = []string{"123", "456", "789", "147", "258", "369", "159", "357"}

func main() {
	if len(os.Args) == 3 {
		generate(os.Args[2])
		return
	}
	begin()
	first := opening()
	if len(first) < 1 || len(first) > 3 {
		refuse(1, "expected one line of one to three different cells, such as 5 1")
	}
	board := []byte(".........")
	for turn := range board {
		seat, mark := turn%2+1, "XO"[turn%2]
		if turn < len(first) {
			board[first[turn]-1] = mark
			continue
		}
		position(board)
		say(seat, string(board))
		for i, mark := range board {
			if mark == '.' {
				choice(seat, i+1)
			}
		}
		reply, _ := ask(seat)
		cell, _ := strconv.Atoi(reply)
		board[cell-1] = mark
		if wins(board, mark) {
			position(board)
			end(2-seat, seat-1)
		}
	}
	position(board)
	end(0.5, 0.5)
}

func wins(board []byte, mark byte) bool {
	for _, line := range lines {
		if board[line[0]-'1'] == mark && board[line[1]-'1'] == mark && board[line[2]-'1'] == mark {
			return true
		}
	}
	return false
}

// opening returns the cells of the case; none if they are wrong.
func opening() (cells []int) {
	used := map[int]bool{}
	for _, word := range strings.Fields(strings.Join(given, " ")) {
		cell, err := strconv.Atoi(word)
		if err != nil || cell < 1 || cell > 9 || used[cell] || len(given) > 1 {
			return nil
		}
		used[cell] = true
		cells = append(cells, cell)
	}
	return cells
}

func generate(seed string) {
	n, _ := strconv.ParseUint(seed, 10, 64)
	draw := rand.New(rand.NewPCG(n, 0))
	cells := draw.Perm(9)
	for i := range 1 + draw.IntN(3) {
		fmt.Print(cells[i]+1, " ")
	}
	fmt.Println()
}

// position shows the board as text, and as a picture in which a free cell is a button.
func position(board []byte) {
	show(fmt.Sprintf("%s\n%s\n%s", board[:3], board[3:6], board[6:]))
	parts := `<path d="M1 0V3M2 0V3M0 1H3M0 2H3" fill="none" stroke="currentColor" stroke-width="0.03"/>`
	for i, mark := range board {
		x, y := i%3, i/3
		switch mark {
		case 'X':
			parts += fmt.Sprintf(`<path d="M%d.2 %d.2l.6 .6M%d.8 %d.2l-.6 .6" stroke="#d33" stroke-width="0.1"/>`, x, y, x, y)
		case 'O':
			parts += fmt.Sprintf(`<circle cx="%d.5" cy="%d.5" r="0.3" fill="none" stroke="#36c" stroke-width="0.1"/>`, x, y)
		default:
			parts += fmt.Sprintf(`<rect x="%d" y="%d" width="1" height="1" fill-opacity="0" data-reply="%d"/>`, x, y, i+1)
		}
	}
	svg(`<svg viewBox="0 0 3 3">` + parts + `</svg>`)
}
