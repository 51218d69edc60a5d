package protocoltest

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"umpire/protocols"
)

const morraRules = `Morra, for two seats, both at once. The first line is "rounds even": how many rounds there are, 1 to
100, and the seat that takes the even sums. In every round both name a number, 1 to 5, and then read
the other's. The sum goes to seat "even" where it is even, to the other seat where it is odd. Who
has more in the end wins. A failure loses the match at once; if both fail in a round, it is a tie.
`

// Morra is a toy game in which two seats reply simultaneously.
func Morra() protocols.Game {
	return protocols.Game{
		Name: "morra", Title: "Morra", Rules: morraRules,
		MinSeats: 2, MaxSeats: 2, DefaultOpponent: "random",
		Formula:      "P * (win + tie / 2)",
		Points:       2,
		Rank:         protocols.ByWins,
		Simultaneous: true,
		Parse:        parseMorra,
		Groups:       []string{"random"},
		Generate: func(group string, seed uint64) (protocols.Case, error) {
			if group != "random" {
				return nil, unknownGroup(Morra(), group)
			}
			rng := rand.New(rand.NewPCG(seed, 2))
			return morraCase{1 + rng.IntN(20), 1 + rng.IntN(2)}, nil
		},
	}
}

type morraCase struct{ rounds, even int }

func parseMorra(text string) (protocols.Case, error) {
	r := protocols.ReadCase(text)
	v := r.Ints(2, "the rounds and the seat of even sums", 1, 100)
	if r.Err() == nil && v[1] > 2 {
		r.Fail(strconv.Itoa(v[1]), "seat 1 or 2")
	}
	if err := r.End(); err != nil {
		return nil, err
	}
	return morraCase{v[0], v[1]}, nil
}

func (c morraCase) String() string { return fmt.Sprintf("%d %d", c.rounds, c.even) }

// Limits are one second for the match and 200 ms for a number.
func (c morraCase) Limits(int) protocols.Limits {
	return protocols.Limits{Time: time.Second, PerMove: 200 * time.Millisecond, Memory: 64 << 20}
}

// Start begins a match of two seats.
func (c morraCase) Start(seats int) protocols.Match {
	protocols.CheckSeats("morra", seats, 2, 2)
	return &morraMatch{morraCase: c, left: c.rounds}
}

type morraMatch struct {
	morraCase
	left   int
	begun  bool
	owed   int    // seats that have yet to reply in this round
	named  [2]int // numbers named in this round or, between rounds, in the last one
	scores [2]int
	failed [2]bool
}

func (m *morraMatch) Next() protocols.Step {
	if !m.begun {
		m.begun = true
		m.owed = 2
		first := m.morraCase.String()
		return protocols.Step{Send: []protocols.Line{{Seat: 1, Text: first}, {Seat: 2, Text: first}}, Await: []int{1, 2}}
	}
	if m.failed != [2]bool{} {
		return protocols.Step{}
	}
	step := protocols.Step{Send: []protocols.Line{
		{Seat: 1, Text: strconv.Itoa(m.named[1])},
		{Seat: 2, Text: strconv.Itoa(m.named[0])},
	}}
	if m.left > 0 {
		m.owed = 2
		step.Await = []int{1, 2}
	}
	return step
}

func (m *morraMatch) Reply(seat int, text string) *protocols.Foul {
	n, foul := protocols.Integer(text, "a number", 1, 5)
	if foul != nil {
		return foul
	}
	if m.owed == 2 {
		m.named = [2]int{}
	}
	m.named[seat-1] = n
	if m.owed--; m.owed == 0 && m.failed == [2]bool{} {
		m.score()
	}
	return nil
}

// score ends a round.
func (m *morraMatch) score() {
	sum := m.named[0] + m.named[1]
	taker := m.even - 1
	if sum%2 == 1 {
		taker = 1 - taker
	}
	m.scores[taker] += sum
	m.left--
}

func (m *morraMatch) Fail(seat int, _ protocols.Failure) {
	m.failed[seat-1] = true
	m.owed--
}

func (m *morraMatch) Result() []protocols.Outcome {
	places := protocols.Places(2, func(a, b int) bool {
		if m.failed != [2]bool{} {
			return m.failed[b] && !m.failed[a]
		}
		return m.scores[a] > m.scores[b]
	})
	return []protocols.Outcome{{Score: protocols.Points(m.scores[0]), Place: places[0]}, {Score: protocols.Points(m.scores[1]), Place: places[1]}}
}

func (m *morraMatch) State() any {
	return map[string]any{"left": m.left, "scores": m.scores, "named": m.named}
}

func (m *morraMatch) String() string {
	return fmt.Sprintf("%d rounds left, %d : %d, named %v", m.left, m.scores[0], m.scores[1], m.named)
}
