package ioiwari

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"umpire/protocols"
)

const example = "4 3 2 4 2 3 2"

func begin(t testing.TB, text string) protocols.Match {
	t.Helper()
	c, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return c.Start(2)
}

// show writes a step as "seat: line, …; await seats".
func show(step protocols.Step) string {
	var lines []string
	for _, l := range step.Send {
		lines = append(lines, fmt.Sprintf("%d: %s", l.Seat, l.Text))
	}
	return fmt.Sprintf("%s; await %v", strings.Join(lines, ", "), step.Await)
}

func stateJSON(t testing.TB, m protocols.Match) string {
	t.Helper()
	b, err := json.Marshal(m.State())
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestExample plays the page's worked example with its protocol.
func TestExample(t *testing.T) {
	m := begin(t, example)
	check := func(step, position string) {
		t.Helper()
		if got := show(m.Next()); got != step {
			t.Errorf("step %q, expected %q", got, step)
		}
		if got := stateJSON(t, m); got != position {
			t.Errorf("state %s, expected %s", got, position)
		}
	}
	check("1: 4 3 2 4 2 3 2, 2: 4 3 2 4 2 3 2; await [1]", `{"pits":[4,3,2,4,2,3,2],"banks":[0,0]}`)
	for i, move := range []struct{ reply, step, position string }{
		{"2", "2: 2; await [2]", `{"pits":[4,0,3,5,0,3,2],"banks":[3,0]}`},
		{"3", "1: 3; await [1]", `{"pits":[4,0,0,4,1,4,0],"banks":[3,4]}`},
		{" 05 \r", "2: 5; await [2]", `{"pits":[4,0,0,4,0,0,0],"banks":[8,4]}`},
		{"4", "1: 4; await [1]", `{"pits":[0,0,0,0,1,1,1],"banks":[8,9]}`},
		{"5", "2: 5; await [2]", `{"pits":[0,0,0,0,0,0,1],"banks":[10,9]}`},
		{"7", "1: 7; await []", `{"pits":[0,0,0,0,0,0,0],"banks":[11,9]}`},
	} {
		if foul := m.Reply(i%2+1, move.reply); foul != nil {
			t.Fatal(foul)
		}
		check(move.step, move.position)
	}
	if got, want := fmt.Sprint(m.Result()), "[{11 1 } {9 2 }]"; got != want {
		t.Errorf("result %s, expected %s", got, want)
	}
}

func TestFouls(t *testing.T) {
	m := begin(t, example)
	m.Next()
	if foul := m.Reply(1, "2"); foul != nil {
		t.Fatal(foul)
	}
	m.Next()
	for reply, want := range map[string]string{
		"2":                    `pit 2 is empty`,
		"0":                    `answered "0", expected a pit, one integer from 1 to 7`,
		"8":                    `answered "8", expected a pit, one integer from 1 to 7`,
		"+3":                   `answered "+3", expected a pit, one integer from 1 to 7`,
		"-1":                   `answered "-1", expected a pit, one integer from 1 to 7`,
		"":                     `answered "", expected a pit, one integer from 1 to 7`,
		"3 3":                  `answered "3 3", expected a pit, one integer from 1 to 7`,
		"1e0":                  `answered "1e0", expected a pit, one integer from 1 to 7`,
		"99999999999999999999": `answered "99999999999999999999", expected a pit, one integer from 1 to 7`,
	} {
		foul := m.Reply(2, reply)
		if foul == nil {
			t.Fatalf("reply %q is accepted", reply)
		}
		if foul.Reason != want {
			t.Errorf("reply %q: %s, expected %s", reply, foul.Reason, want)
		}
	}
}

// TestFailureLoses checks that a failure loses immediately, whatever is in the
// banks, and that the opponent is sent nothing more.
func TestFailureLoses(t *testing.T) {
	for _, kind := range protocols.Kinds {
		m := begin(t, example)
		m.Next()
		m.Reply(1, "2")
		m.Next()
		m.Reply(2, "3")
		m.Next()
		m.Reply(1, "5") // 8 to 4
		m.Next()
		m.Fail(2, protocols.Failure{Kind: kind})
		if step := m.Next(); len(step.Send)+len(step.Await) > 0 {
			t.Errorf("%s: goes on with %s", kind, show(step))
		}
		if got, want := fmt.Sprint(m.Result()), "[{8 1 } {4 2 }]"; got != want {
			t.Errorf("%s: result %s, expected %s", kind, got, want)
		}
	}
	m := begin(t, example)
	m.Next()
	m.Reply(1, "2") // 3 to 0
	m.Next()
	m.Reply(2, "7") // 3 to 1
	m.Next()
	m.Fail(1, protocols.Failure{Kind: protocols.KindCrash})
	if got := m.Result(); got[0].Place != 2 || got[1].Place != 1 || got[0].Score.Compare(got[1].Score) < 0 {
		t.Errorf("result %v, expected seat 1 to lose with more beads", got)
	}
	if want := "Seat 1 failed (crash): seat 2 wins.\n"; !strings.HasPrefix(m.String(), want) {
		t.Errorf("picture\n%s\nexpected to begin with %s", m, want)
	}
}

func TestTie(t *testing.T) {
	m := &match{banks: [2]int{10, 10}}
	if got, want := fmt.Sprint(m.Result()), "[{10 1 } {10 1 }]"; got != want {
		t.Errorf("result %s, expected %s", got, want)
	}
}

func TestPicture(t *testing.T) {
	m := begin(t, example)
	if want := "Seat 1 begins.\n"; !strings.HasPrefix(m.String(), want) {
		t.Errorf("picture\n%s\nexpected to begin with %s", m, want)
	}
	for i, reply := range []string{"2", "3", "5", "4", "5"} {
		m.Next()
		m.Reply(i%2+1, reply)
	}
	const before = `Seat 1 played pit 5 and gained 2.

               1
              [0]
      7                 2
     [1]               [0]

             seat 1: 10
   6       > seat 2:  9       3
  [0]                       [0]

         5           4
        [0]         [0]`
	if m.String() != before {
		t.Errorf("picture\n%s\nexpected\n%s", m, before)
	}
	m.Next()
	m.Reply(2, "7")
	const after = "Seat 2 played pit 7 and gained 0; 1 went to seat 1. The board is empty: seat 1 wins by 11 to 9."
	if caption, _, _ := strings.Cut(m.String(), "\n"); caption != after {
		t.Errorf("caption %s, expected %s", caption, after)
	}
}

// TestRandomPlay checks the invariants of every match.
func TestRandomPlay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newMatch(rapid.Custom(func(t *rapid.T) Board {
			c, _ := generate("random", rapid.Uint64().Draw(t, "seed"))
			return c.(Case).board
		}).Draw(t, "board"))
		moves := 0
		for step := m.Next(); len(step.Await) > 0; step = m.Next() {
			if step.Await[0] != moves%2+1 {
				t.Fatalf("seat %d is to make move %d", step.Await[0], moves+1)
			}
			pit := rapid.SampledFrom(filled(m.board)).Draw(t, "pit")
			if foul := m.Reply(step.Await[0], digit[pit-1:pit]); foul != nil {
				t.Fatal(foul)
			}
			if moves++; moves > beadsAtStart {
				t.Fatalf("more moves than beads")
			}
			if n := m.board.Beads() + m.banks[0] + m.banks[1]; n != beadsAtStart {
				t.Fatalf("%d beads", n)
			}
		}
		if m.board.Beads() != 0 {
			t.Fatalf("the match ends at %v", m.board)
		}
	})
}

// filled lists the labels of the pits that are not empty.
func filled(b Board) []int {
	var pits []int
	for i, beads := range b {
		if beads > 0 {
			pits = append(pits, i+1)
		}
	}
	return pits
}

// playRandom plays a match to its end as a driver does.
func playRandom(m *match, rng *rand.Rand) (moves int) {
	for step := m.Next(); len(step.Await) > 0; step = m.Next() {
		pit := 1 + rng.IntN(Pits)
		for m.board[pit-1] == 0 {
			pit = pit%Pits + 1
		}
		m.Reply(step.Await[0], digit[pit-1:pit])
		moves++
	}
	return moves
}

func TestNoAllocations(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	fresh := newMatch(Board{4, 3, 2, 4, 2, 3, 2})
	fresh.Next()
	fresh.Reply(1, "2")
	m := new(match)
	if n := testing.AllocsPerRun(100, func() {
		*m = *fresh
		playRandom(m, rng)
	}); n > 0 {
		t.Errorf("%v allocations a match after its first move, expected none", n)
	}
}

// BenchmarkMatch plays complete random matches.
func BenchmarkMatch(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	b.ReportAllocs()
	moves := 0
	for b.Loop() {
		moves += playRandom(newMatch(Board{4, 3, 2, 4, 2, 3, 2}), rng)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(moves), "ns/move")
}
