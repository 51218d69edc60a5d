package analysis

import (
	"context"
	"errors"
	"fmt"
	"iter"
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
	wins := Classes{Inaccuracy: 2, Mistake: 5, Blunder: 10, Result: true}
	sums := Classes{Inaccuracy: 2, Mistake: 5, Blunder: 10}
	views := Classes{Opinion: "@bot"}
	for _, test := range []struct {
		classes     Classes
		value, best float64
		exact       bool
		want        Class
	}{
		{sums, 3, 3, true, ""},
		{sums, 1.5, 3, true, ""},
		{sums, 1, 3, true, Inaccuracy},
		{sums, -2, 3, true, Mistake},
		{sums, -7, 3, false, Blunder},
		{sums, 0, 1, true, ""},
		{wins, 0, 1, true, Blunder},  // a win given away
		{wins, -1, 0, true, Blunder}, // a tie given away
		{wins, 0, 1, false, ""},      // which is not certain
		{wins, 1, 3, true, Inaccuracy},
		{wins, -3, -1, true, Inaccuracy},
		{views, -30, 3, false, Differs},
		{views, 2.99, 3, true, Differs},
		{views, 2.999, 3, true, ""}, // shown as no difference
		{views, -1, -1, true, ""},
	} {
		if got := test.classes.of(test.value, test.best, test.exact); got != test.want {
			t.Errorf("%+v: %q, expected %q", test, got, test.want)
		}
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
	tally.Add(m, "f")
	if bots := tally.Bots(); len(bots) != 1 || bots[0].Bot != "b" {
		t.Errorf("bots %+v", bots)
	}
}

// TestTallyKeepsTheWorst: of many moves, those that lost most; of equals the
// first.
func TestTallyKeepsTheWorst(t *testing.T) {
	m := &Match{ID: "x", Game: "g", Seats: []Seat{{Seat: 1, Bot: "a", Analysed: true}}}
	for i, lost := range []float64{1, 9, 3, 9, 0, 5, 2, 9, 4} {
		m.Moves = append(m.Moves, Move{Seat: 1, Step: i, Lost: lost, Choices: 2})
	}
	m.Seats[0].Sum = sumOf(m.Moves, 1)
	tally := NewTally()
	tally.Add(m, "f")
	tally.Add(m, "f")
	b := tally.Bots()[0]
	var got []string
	for _, w := range b.Worst {
		got = append(got, fmt.Sprint(w.Step, ":", w.Lost))
	}
	if fmt.Sprint(got) != "[1:9 3:9 7:9 1:9 3:9]" || b.Lost != 84 || b.Matches != 2 || b.Choices != 18 {
		t.Errorf("worst %v of %+v", got, b)
	}
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
