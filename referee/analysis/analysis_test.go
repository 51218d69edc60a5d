package analysis

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"testing"

	"umpire/protocols"
	"umpire/protocols/catalog"
	"umpire/referee/record"
)

// match makes the record of a match from its replies; "!" is a crash.
func match(game, text string, seats []int, replies ...string) record.Record {
	r := record.Record{V: 1, ID: "id", Game: game, Case: record.Case{Name: "a/case", Text: text}, Seats: make([]record.Seat, 0)}
	for i := range slices.Max(seats) {
		r.Seats = append(r.Seats, record.Seat{Bot: string(rune('a' + i))})
	}
	for i, reply := range replies {
		e := record.Event{Seat: seats[i%len(seats)], Reply: &reply}
		if reply == "!" {
			e.Reply, e.Fail, e.Detail = nil, "crash", "exit code 1"
		}
		r.Events = append(r.Events, e)
	}
	return r
}

// sample is the match of the statement: 4 3 2 4 2 3 2, seat 1 takes 11 beads to 9.
func sample(replies ...string) record.Record {
	return match("ioiwari", "4 3 2 4 2 3 2", []int{1, 2}, replies...)
}

func of(t *testing.T, r record.Record) *Match {
	t.Helper()
	m, err := Of(r, catalog.Games(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestSumsAddUp: with exact values, the start's value less what the first seat
// lost and plus what the other lost is how the match ended, whatever was played.
func TestSumsAddUp(t *testing.T) {
	for name, r := range map[string]record.Record{
		"to the end":   sample("2", "3", "5", "4", "5", "7"),
		"untidy":       sample(" 02", "3", "5\r", "4", "005", "7"),
		"a foul":       sample("2", "3", "2"),
		"no number":    sample("2", "pit 3"),
		"a crash":      sample("2", "3", "5", "!"),
		"at the start": sample("!"),
	} {
		m := of(t, r)
		left := *m.Start
		for _, move := range m.Moves {
			left -= sign(move.Seat) * move.Lost
		}
		for _, f := range m.Failures {
			left -= sign(f.Seat) * *f.Cost
		}
		if left != m.Seats[0].Margin.Float() || !m.Exact {
			t.Errorf("%s: start %v, moves %v, failures %v: %v is left, the match ended at %d", name, *m.Start, m.Moves, m.Failures, left, m.Seats[0].Margin)
		}
		if got := len(m.Moves) + len(m.Failures); got != len(r.Events) {
			t.Errorf("%s: %d moves and failures, expected %d", name, got, len(r.Events))
		}
	}
}

func sign(seat int) float64 { return float64(3 - 2*seat) }

// TestEndOfMatch: in the last moves of the statement's match there is one pit, so
// nothing can be lost; before them, pit 5 of three equal ones is as good as any.
func TestEndOfMatch(t *testing.T) {
	m := of(t, sample("2", "3", "5", "4", "5", "7"))
	last := m.Moves[len(m.Moves)-1]
	if last.Choices != 1 || last.Lost != 0 || last.Best != "7" || last.Step != 6 || last.Seat != 2 || last.Value != -2 {
		t.Errorf("the last move is %+v", last)
	}
	if s := m.Seats[1]; s.Margin != protocols.Points(-2) || s.Place != 2 || s.Moves != 3 || s.Choices != 2 {
		t.Errorf("seat 2 is %+v", s)
	}
}

func TestClasses(t *testing.T) {
	graded := ClassesOf(protocols.Game{}, 2)
	views := ClassesOf(protocols.Game{Analysis: protocols.Analysis{Opinion: "bot"}}, 2)
	for _, test := range []struct {
		classes Classes
		lost    float64 // in units
		result  float64 // lost
		want    Class
	}{
		{graded, 0, 0, ""},
		{graded, 30, 0.049, ""}, // of a match that is decided
		{graded, 1, 0.05, Inaccuracy},
		{graded, 1, 0.1, Mistake},
		{graded, 1, 0.199, Mistake},
		{graded, 1, 0.2, Blunder},
		{views, 33, 0, Differs},
		{views, 0.01, 0, Differs},
		{views, 0, 0, ""},
	} {
		if got := test.classes.of(Move{Lost: test.lost, ResultLost: test.result}); got != test.want {
			t.Errorf("%+v: %q, expected %q", test, got, test.want)
		}
	}
}

// TestExpectedResult: what a reply loses of it depends on how the match stands, and at its
// end on the result alone.
func TestExpectedResult(t *testing.T) {
	m := of(t, sample("2", "3", "5", "4", "7", "5"))
	lost := m.Moves[4] // from +2 to -4 with few beads left
	if lost.Class != Blunder || lost.ResultLost < 0.5 || lost.Result > 0.2 {
		t.Errorf("the move that loses the match is %+v", lost)
	}
	if last := m.Moves[5]; last.Result != 1 || last.ResultLost != 0 {
		t.Errorf("the last move, which wins, is %+v", last)
	}
	if share, ok := m.Seats[0].Accuracy(m.Classes); !ok || math.Abs(share-(1-lost.ResultLost/3)) > 1e-9 {
		t.Errorf("seat 1 kept %v of three choices, of which one lost %v", share, lost.ResultLost)
	}
	if _, ok := (Sum{}).Accuracy(m.Classes); ok {
		t.Error("without choices there is an accuracy")
	}
}

// TestOneSeat: of a seat alone, a loss is a share of the best score that it could reach.
func TestOneSeat(t *testing.T) {
	for _, test := range [][3]float64{{60, 80, 0.75}, {80, 80, 1}, {-1, 80, 0}, {0, 0, 1}} {
		if got := share(test[0], test[1]); got != test[2] {
			t.Errorf("%v of %v: found %v, expected %v", test[0], test[1], got, test[2])
		}
	}
	if c := ClassesOf(protocols.Game{}, 1); c.Of == ClassesOf(protocols.Game{}, 2).Of {
		t.Errorf("one seat has %+v", c)
	}
}

// TestThirds: the thirds are of the replies that were a choice.
func TestThirds(t *testing.T) {
	var moves []Move
	for i, lost := range []float64{1, 0, 0, 2, 4, 8} {
		moves = append(moves, Move{Seat: 1, Step: i, Lost: lost, Choices: 2}, Move{Seat: 1, Choices: 1}, Move{Seat: 2, Lost: 100, Choices: 2})
	}
	s := sumOf(moves, 1)
	if s.Thirds != [3]float64{1, 2, 12} || s.Lost != 15 || s.Mean != 2.5 || s.Moves != 12 || s.Choices != 6 {
		t.Errorf("found %+v", s)
	}
}

func TestFailureAfterTheEnd(t *testing.T) {
	r := sample("2", "3", "5", "4", "5", "7")
	r.Events = append(r.Events, record.Event{Seat: 1, Fail: "memory", Detail: "too much"})
	m := of(t, r)
	if len(m.Failures) != 1 || m.Failures[0].Cost != nil || m.Failures[0].Step != 7 || m.Failures[0].Margin != protocols.Points(2) {
		t.Errorf("failures %+v", m.Failures)
	}
}

// TestFailureGoesOn: the moves played for a failed seat count as steps, as in a
// replay, and have no value.
func TestFailureGoesOn(t *testing.T) {
	r := match("vmukni", "6 6 3\n1 1 2 3 1\n2 3 1 2 3\n3 1 2 3 1\n1 2 3 1 2\n2 3 1 2 3\n1 2 3 1 2 3", []int{1, 2}, "1", "!", "2")
	r.Events = append(r.Events, record.Event{Seat: 1, Reply: r.Events[2].Reply})
	m := of(t, r)
	var steps []int
	for _, move := range m.Moves {
		steps = append(steps, move.Step)
	}
	if !slices.Equal(steps, []int{1, 3, 5}) || len(m.Failures) != 1 || m.Failures[0].Step != 2 || m.Failures[0].Cost == nil {
		t.Errorf("moves at %v, failures %+v", steps, m.Failures)
	}
}

func TestErrors(t *testing.T) {
	var other *NoAnalyst
	if _, err := Of(match("patolli", "", []int{1}, "x"), catalog.Games(), nil); err == nil || errors.As(err, &other) {
		t.Errorf("a broken case: %v", err)
	}
	var failed *NotPlayed
	r := sample("2")
	r.Error = "no space left"
	if _, err := Of(r, catalog.Games(), nil); !errors.As(err, &failed) {
		t.Errorf("a match that was not played: %v", err)
	}
	if _, err := Of(sample("2", "3"), catalog.Games(), nil); err == nil {
		t.Error("a match that ends early is analysed")
	}
}

// TestOneBot: only the seats of the bot are analysed.
func TestOneBot(t *testing.T) {
	m, err := Of(sample("2", "3", "5", "4", "5", "7"), catalog.Games(), func(s record.Seat) bool { return s.Bot == "b" })
	if err != nil {
		t.Fatal(err)
	}
	if m.Start != nil || m.Seats[0].Moves != 0 || m.Seats[1].Moves != 3 || len(m.Moves) != 3 {
		t.Errorf("found %+v", m)
	}
	tally := NewTally()
	tally.Add(m, At{File: "f"})
	if bots := tally.Bots(); len(bots) != 1 || bots[0].Bot != "b" {
		t.Errorf("bots %+v", bots)
	}
}

// TestTallyKeepsTheWorst: of many moves, those that lost most, each position once; of
// equals the first.
func TestTallyKeepsTheWorst(t *testing.T) {
	m := &Match{ID: "x", Game: "g", Seats: []Seat{{Seat: 1, Bot: "a", Analysed: true}}}
	for i, lost := range []float64{1, 9, 3, 9, 0, 5, 2, 9, 4} {
		m.Moves = append(m.Moves, Move{Seat: 1, Step: i, Lost: lost, Choices: 2, before: position{byte(i)}})
	}
	m.Seats[0].Sum = sumOf(m.Moves, 1)
	tally := NewTally()
	tally.Add(m, At{File: "f"})
	tally.Add(m, At{File: "f"})
	b := tally.Bots()[0]
	var got []string
	for _, w := range b.Worst {
		got = append(got, fmt.Sprint(w.Step, ":", w.Lost, "×", w.Times))
	}
	if fmt.Sprint(got) != "[1:9×2 3:9×2 7:9×2 5:5×2 8:4×2]" || b.Lost != 84 || b.Matches != 2 || b.Choices != 18 {
		t.Errorf("worst %v of %+v", got, b)
	}
}

// TestMemory: a position that matches have in common is valued once, and the result is the
// same.
func TestMemory(t *testing.T) {
	games, asked := catalog.Games(), 0
	i := slices.IndexFunc(games, func(g protocols.Game) bool { return g.Name == "ioiwari" })
	parse := games[i].Parse
	games[i].Parse = func(text string) (protocols.Case, error) {
		c, err := parse(text)
		return counted{c, &asked}, err
	}
	var memory Memory
	for n, test := range []struct {
		record record.Record
		asked  int // in all
	}{
		{sample("2", "3", "5", "4", "7", "5"), 6},
		{sample("2", "3", "5", "4", "7", "5"), 6},
		{sample("2", "3", "5", "4", "5", "7"), 7}, // differs in the fifth reply
	} {
		m, err := memory.Of(test.record, games, nil)
		if err != nil {
			t.Fatal(err)
		}
		if asked != test.asked {
			t.Errorf("match %d: %d positions were valued so far, expected %d", n, asked, test.asked)
		}
		if want := of(t, test.record); fmt.Sprint(m.Seats, m.Moves) != fmt.Sprint(want.Seats, want.Moves) {
			t.Errorf("match %d: found %v, expected %v", n, m.Moves, want.Moves)
		}
	}
}

// counted is a case whose matches count the positions that are valued.
type counted struct {
	protocols.Case
	asked *int
}

func (c counted) Start(seats int) protocols.Match { return &countedMatch{c.Case.Start(seats), c.asked} }

type countedMatch struct {
	protocols.Match
	asked *int
}

func (m *countedMatch) Values(seat int) ([]protocols.Value, bool) {
	*m.asked++
	return m.Match.(protocols.Analyst).Values(seat)
}

// sources yields records, then perhaps an error.
func sources(n int, end error) iter.Seq2[Source, error] {
	return func(yield func(Source, error) bool) {
		for i := range n {
			r := sample("2", "3", "5", "4", "5", "7")
			if r.ID = fmt.Sprint(i); i%7 == 3 {
				r.Events = r.Events[:1]
			}
			if !yield(Source{Number: i, Record: r}, nil) {
				return
			}
		}
		if end != nil {
			yield(Source{}, end)
		}
	}
}

// TestStream: the results come in order, whatever the number of jobs, with the
// errors of records among them; an error of the sources comes last.
func TestStream(t *testing.T) {
	broken := errors.New("broken")
	for _, jobs := range []int{1, 3} {
		n := 0
		var last error
		for r, err := range Stream(t.Context(), sources(40, broken), catalog.Games(), nil, jobs) {
			if last = err; err != nil {
				continue
			}
			if r.Number != n || (r.Err != nil) != (n%7 == 3) || (r.Match == nil) != (n%7 == 3) {
				t.Errorf("%d jobs: result %d is of record %d: %v", jobs, n, r.Number, r.Err)
			}
			n++
		}
		if n != 40 || !errors.Is(last, broken) {
			t.Errorf("%d jobs: %d results, then %v", jobs, n, last)
		}
	}
}

// TestStreamEnds with its context, and when nobody wants more.
func TestStreamEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	for range Stream(ctx, sources(100_000, nil), catalog.Games(), nil, 2) {
		if n++; n == 5 {
			cancel()
		}
	}
	if n > 50 {
		t.Errorf("%d results after the end of the context", n)
	}
	for range Stream(t.Context(), sources(100_000, nil), catalog.Games(), nil, 2) {
		break
	}
}

// TestStreamSurvivesAPanic of a game.
func TestStreamSurvivesAPanic(t *testing.T) {
	g := catalog.Games()[0]
	g.Name, g.Parse = "ioiwari", func(string) (protocols.Case, error) { panic("defect") }
	for r, err := range Stream(t.Context(), sources(1, nil), []protocols.Game{g}, nil, 1) {
		if err != nil || r.Err == nil {
			t.Errorf("found %v and %v", r.Err, err)
		}
	}
}

// TestFailureWithoutScores: values that are no scores do not compare with the end
// of the match, so the failure has no cost.
func TestFailureWithoutScores(t *testing.T) {
	m := of(t, match("mensch", "37 71 101", []int{1, 2}, "!"))
	if len(m.Failures) != 1 || m.Failures[0].Expected == nil || m.Failures[0].Cost != nil || m.Failures[0].Place != 2 {
		t.Errorf("failures %+v", m.Failures)
	}
}
