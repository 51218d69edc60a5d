package protocoltest

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"umpire/protocols"
)

const relayRules = `Relay, for two to four seats, in turns. The first line is "goal seats". In your turn you read
"turn", then send requests, one a line:
- "roll": you read the number rolled, 1 to 6. A 1 ends your turn and what you rolled in it is lost.
- "hold": your turn ends and what you rolled in it is yours; before a roll you read "refused".
The others read "SEAT roll NUMBER" and "SEAT hold". Who has the goal after a "hold" wins; the match
also ends after 20 turns a seat. All read "end" then. The tenth refused request of a turn and the
31st roll are fouls. A failed seat is out: the others read "SEAT out", go on without it and rank
before it; of several, the one that failed later ranks higher. The match ends when one seat is left.
A seat scores what is its own.
`

// Relay is a toy game of up to four seats, each of which leads a dialogue with
// the referee in its turn, heard by the others.
func Relay() protocols.Game {
	return protocols.Game{
		Name: "relay", Title: "Relay", Rules: relayRules,
		MinSeats: 2, MaxSeats: 4, SubmissionSeats: []int{1, 2, 3, 4}, DefaultOpponent: "holder",
		Formula: "X",
		Rank:    protocols.ByPlaces,
		Parse:   parseRelay,
		Groups:  []string{"short", "long"},
		Generate: func(group string, seed uint64) (protocols.Case, error) {
			rng := rand.New(rand.NewPCG(seed, 3))
			switch group {
			case "short":
				return relayCase{6 + rng.IntN(10), rng.IntN(1000)}, nil
			case "long":
				return relayCase{80 + rng.IntN(20), rng.IntN(1000)}, nil
			}
			return nil, unknownGroup(Relay(), group)
		},
	}
}

type relayCase struct{ goal, seed int }

func parseRelay(text string) (protocols.Case, error) {
	r := protocols.ReadCase(text)
	goal := r.Ints(1, "the goal", 1, 100)[0]
	seed := r.Ints(1, "the seed of the rolls", 0, 999)[0]
	if err := r.End(); err != nil {
		return nil, err
	}
	return relayCase{goal, seed}, nil
}

func (c relayCase) String() string { return fmt.Sprintf("%d\n%d", c.goal, c.seed) }

// Limits are a second for the match, after a second to start.
func (c relayCase) Limits(int) protocols.Limits {
	return protocols.Limits{Time: time.Second, Startup: time.Second, Memory: 64 << 20}
}

// Start begins a match of two to four seats.
func (c relayCase) Start(seats int) protocols.Match {
	protocols.CheckSeats("relay", seats, 2, 4)
	m := &relayMatch{relayCase: c, scores: make([]int, seats), out: make([]int, seats), turnsLeft: 20 * seats}
	m.dice = rand.New(rand.NewPCG(uint64(c.seed), 4))
	for seat := 1; seat <= seats; seat++ {
		m.tell(seat, fmt.Sprintf("%d %d", c.goal, seats))
	}
	m.pass(1)
	return m
}

type relayMatch struct {
	relayCase
	dice      *rand.Rand
	scores    []int
	out       []int // order in which the seats failed, from 1; 0 if one did not
	outs      int
	turn      int // the seat whose turn it is, 1-based
	turnsLeft int
	rolled    int // sum of the rolls in this turn
	rolls     int // number of rolls in this turn
	refused   int // refused replies in this turn
	over      bool
	last      string // effect of the last reply

	// Lines are gathered in pending while the driver may still read the step
	// handed out last; Next swaps the two.
	pending, handed []protocols.Line
}

func (m *relayMatch) Next() protocols.Step {
	m.pending, m.handed = m.handed[:0], m.pending
	if m.over {
		return protocols.Step{Send: m.handed}
	}
	return protocols.Step{Send: m.handed, Await: []int{m.turn}}
}

// tell adds a line to the next step; a seat that is out is told nothing.
func (m *relayMatch) tell(seat int, text string) {
	if m.out[seat-1] == 0 {
		m.pending = append(m.pending, protocols.Line{Seat: seat, Text: text})
	}
}

func (m *relayMatch) tellOthers(seat int, text string) {
	m.last = text
	for other := range m.scores {
		if other+1 != seat {
			m.tell(other+1, text)
		}
	}
}

// pass gives the turn to seat, or the next one that is not out, or ends the
// match.
func (m *relayMatch) pass(seat int) {
	m.turnsLeft--
	m.rolled, m.rolls, m.refused = 0, 0, 0
	won := m.turn > 0 && m.scores[m.turn-1] >= m.goal
	if won || m.turnsLeft < 0 || m.outs >= len(m.scores)-1 {
		m.over = true
		for i := range m.scores {
			m.tell(i+1, "end")
		}
		return
	}
	m.turn = (seat-1)%len(m.scores) + 1
	for m.out[m.turn-1] > 0 {
		m.turn = m.turn%len(m.scores) + 1
	}
	m.tell(m.turn, "turn")
}

func (m *relayMatch) Reply(seat int, text string) *protocols.Foul {
	switch fields := protocols.Fields(text); {
	case len(fields) == 1 && fields[0] == "roll" && m.rolls < 30:
		m.roll(seat)
	case len(fields) == 1 && fields[0] == "hold" && m.rolls > 0:
		m.scores[seat-1] += m.rolled
		m.tellOthers(seat, fmt.Sprintf("%d hold", seat))
		m.pass(seat + 1)
	case len(fields) == 1 && fields[0] == "hold" && m.refused < 9:
		m.refused++
		m.last = "refused"
		m.tell(seat, "refused")
	default:
		foul := protocols.Fouled("sent %s, expected roll (at most 30 a turn) or hold (at most 9 refused)", protocols.Quote(text))
		foul.Former = []string{fmt.Sprintf("sent %s, expected roll or hold", protocols.Quote(text))}
		return foul
	}
	return nil
}

func (m *relayMatch) roll(seat int) {
	n := 1 + m.dice.IntN(6)
	m.rolls++
	m.rolled += n
	m.tell(seat, strconv.Itoa(n))
	m.tellOthers(seat, fmt.Sprintf("%d roll %d", seat, n))
	if n == 1 {
		m.pass(seat + 1)
	}
}

func (m *relayMatch) Fail(seat int, _ protocols.Failure) {
	m.outs++
	m.out[seat-1] = m.outs
	m.tellOthers(seat, fmt.Sprintf("%d out", seat))
	m.pass(seat + 1)
}

// before reports whether seat a ranks before seat b, both from 0: first the
// seats that are not out, by score; then the others, the one out later first.
func (m *relayMatch) before(a, b int) bool {
	if m.out[a] == 0 && m.out[b] == 0 {
		return m.scores[a] > m.scores[b]
	}
	return m.out[a] == 0 || m.out[b] > 0 && m.out[a] > m.out[b]
}

func (m *relayMatch) Result() []protocols.Outcome {
	result := make([]protocols.Outcome, len(m.scores))
	for i, place := range protocols.Places(len(m.scores), m.before) {
		result[i] = protocols.Outcome{Score: protocols.Points(m.scores[i]), Place: place}
	}
	return result
}

func (m *relayMatch) State() any {
	return map[string]any{"turn": m.turn, "scores": append([]int(nil), m.scores...), "rolled": m.rolled}
}

func (m *relayMatch) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nseat %d has rolled %d", m.last, m.turn, m.rolled)
	for i, score := range m.scores {
		fmt.Fprintf(&b, "\nseat %d: %d", i+1, score)
	}
	return b.String()
}
