//go:build ignore

package main

import "fmt"

func main() {
	var board string
	for {
		if _, err := fmt.Scanln(&board); err != nil {
			return
		}
		for _, cell := range []int{5, 1, 3, 7, 9, 2, 4, 6, 8} {
			if board[cell-1] == '.' {
				fmt.Println(cell)
				break
			}
		}
	}
}
