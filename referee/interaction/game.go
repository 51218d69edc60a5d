package interaction

import (
	"fmt"
	"strings"

	"umpire/protocols"
)

// Game returns the game of a name and title whose cases are those of a problem package:
// one seat, and nothing to be seen but what is said.
func Game(name, title string) protocols.Game {
	return protocols.Game{
		Name: name, Title: title, MinSeats: 1, MaxSeats: 1, Formula: "X", AnyText: true,
		Parse: func(text string) (protocols.Case, error) { return ParseCase(text) },
	}
}

// Case is a case of a problem package. It is known by its name and by the digests of
// its files, not by what is in them.
type Case struct {
	Name   string // its path below data/, without suffix
	Input  string // SHA-256 of the input, in hexadecimal
	Answer string // of the answer
	Bounds protocols.Limits
}

// ParseCase reads the text of a case: NAME INPUT ANSWER.
func ParseCase(text string) (Case, error) {
	words := strings.Fields(text)
	if len(words) != 3 {
		return Case{}, fmt.Errorf("found %q, expected the name of a case and two digests", text)
	}
	return Case{Name: words[0], Input: words[1], Answer: words[2]}, nil
}

// String implements protocols.Case.
func (c Case) String() string { return c.Name + " " + c.Input + " " + c.Answer }

// Limits implements protocols.Case.
func (c Case) Limits(int) protocols.Limits { return c.Bounds }

// Start implements protocols.Case: no lines are known before a judge says them.
func (c Case) Start(int) protocols.Match { return led{} }

// led is a match that a judge leads.
type led struct{}

func (led) Next() protocols.Step              { return protocols.Step{} }
func (led) Reply(int, string) *protocols.Foul { return nil }
func (led) Fail(int, protocols.Failure)       {}
func (led) Result() []protocols.Outcome       { return []protocols.Outcome{{Place: 1}} }
func (led) State() any                        { return struct{}{} }
func (led) String() string                    { return "" }
