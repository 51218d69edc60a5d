package protocoltest

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"umpire/protocols"
)

const sumRules = `Sum, a batch task. The input is a line with n, 1 to 1000, and a line with n numbers from 0 to
1,000,000. Print their sum. The right sum scores 1. Groups: small (up to 5 numbers), large (1000).
`

// Sum is a toy batch task: print the sum of the case's numbers. Any output but
// the sum is wrong; none is a foul.
func Sum() protocols.Game {
	return protocols.Game{
		Name: "sum", Title: "Sum", Rules: sumRules,
		MinSeats: 1, MaxSeats: 1,
		Formula:  "P * ok",
		Parse:    parseSum,
		Groups:   []string{"small", "large"},
		Generate: generateSum,
	}
}

type sumCase []int

func parseSum(text string) (protocols.Case, error) {
	r := protocols.ReadCase(text)
	n := r.Ints(1, "how many numbers there are", 1, 1000)[0]
	if r.Err() != nil {
		return nil, r.Err()
	}
	numbers := r.Ints(n, "the numbers", 0, 1_000_000)
	if err := r.End(); err != nil {
		return nil, err
	}
	return sumCase(numbers), nil
}

func generateSum(group string, seed uint64) (protocols.Case, error) {
	rng := rand.New(rand.NewPCG(seed, 1))
	n := 1000
	switch group {
	case "small":
		n = 1 + rng.IntN(5)
	case "large":
	default:
		return nil, unknownGroup(Sum(), group)
	}
	c := make(sumCase, n)
	for i := range c {
		c[i] = rng.IntN(1_000_001)
	}
	return c, nil
}

func unknownGroup(g protocols.Game, group string) error {
	return &protocols.UnknownGroup{Game: g.Name, Group: group, Known: g.Groups}
}

func (c sumCase) String() string { return fmt.Sprintf("%d\n%s", len(c), protocols.Join(c)) }

// Limits are one second and 256 MiB.
func (c sumCase) Limits(int) protocols.Limits {
	return protocols.Limits{Time: time.Second, Memory: 256 << 20}
}

// Start begins a match of one seat.
func (c sumCase) Start(seats int) protocols.Match {
	protocols.CheckSeats("sum", seats, 1, 1)
	sum := 0
	for _, n := range c {
		sum += n
	}
	return &sumMatch{sum: sum, Batch: protocols.NewBatch(c, func(output string) (protocols.Outcome, *protocols.Mistake) {
		m := protocols.FirstMistake(protocols.TextLines(output), protocols.TextLines(strconv.Itoa(sum)),
			func(_ int, found, expected string) int { return protocols.Difference(found, expected) })
		if m != nil {
			return protocols.Outcome{Wrong: m.String()}, m
		}
		return protocols.Outcome{Score: protocols.Points(1)}, nil
	})}
}

type sumMatch struct {
	protocols.Batch
	sum int
}

func (m *sumMatch) State() any { return map[string]any{"sum": m.sum, "score": m.Result()[0].Score} }

func (m *sumMatch) String() string {
	text := fmt.Sprintf("The sum is %d.", m.sum)
	switch {
	case m.Failed != "":
		text += " failed: " + string(m.Failed)
	case m.Answered:
		text += fmt.Sprintf("\nsaid %.6q", m.Output)
	}
	return text
}
