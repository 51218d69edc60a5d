// Package patolli holds the built-in bot of the game patolli.
package patolli

import (
	"fmt"

	"umpire/bots"
	"umpire/protocols/patolli"
)

// Bots returns the built-in bot.
func Bots() []bots.Bot {
	return []bots.Bot{{
		Game:  patolli.Game().Name,
		Name:  "reference",
		About: "answers every line by the rules",
		Play:  answer,
	}}
}

// answer reads lines to the end of the input and answers each.
func answer(t *bots.Table) error {
	for number := 1; ; number++ {
		text, err := t.Line()
		if err != nil {
			return err
		}
		line, fault := patolli.ParseLine(text)
		if fault != nil {
			fault.Line = number
			return fmt.Errorf("read input: %w", fault)
		}
		end := line.Play()
		t.Print(end.String())
	}
}
