//go:build ignore

package main

import (
	"fmt"
	"strings"
)

func main() {
	var board string
	for {
		if _, err := fmt.Scanln(&board); err != nil {
			return
		}
		fmt.Println(strings.Index(board, ".") + 1)
	}
}
