package ioiwari

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"umpire/bots"
	"umpire/bots/bottest"
	"umpire/protocols"
	"umpire/protocols/ioiwari"
)

// boards returns every fifth of all boards: a process solves its own board in
// milliseconds, but under the race detector 357 of them take long.
func boards() (cases []protocols.Case) {
	i := 0
	for c := range ioiwari.Game().All() {
		if i%5 == 0 {
			cases = append(cases, c)
		}
		i++
	}
	return cases
}

// TestOptimalWinsFromSeatOne plays against every bot.
func TestOptimalWinsFromSeatOne(t *testing.T) {
	for _, opponent := range Bots() {
		for _, c := range boards() {
			if out := bottest.Play(t, c, bottest.Named(t, Bots(), "ioiwari", "optimal"), opponent); out[0].Place != 1 || out[1].Place != 2 {
				t.Errorf("against %s on %v: %v", opponent.Name, c, out)
			}
		}
	}
}

// TestStrength checks that each bot does clearly better than the one before it,
// in points of the official formula over both seats.
func TestStrength(t *testing.T) {
	all := Bots()
	for i, weaker := range all[:len(all)-1] {
		stronger := all[i+1]
		points, most := 0, 0
		for _, c := range boards() {
			points += 2 + 2*sign(bottest.Play(t, c, stronger, weaker))
			points += 2 - 2*sign(bottest.Play(t, c, weaker, stronger))
			most += 8
		}
		t.Logf("%s against %s: %d of %d points", stronger.Name, weaker.Name, points, most)
		if points*100 < most*65 {
			t.Errorf("%s against %s: %d of %d points, expected 65 %% at least", stronger.Name, weaker.Name, points, most)
		}
	}
}

// sign is 1 if seat 1 won, -1 if it lost, 0 in a tie.
func sign(out []protocols.Outcome) int { return out[1].Place - out[0].Place }

// TestReadsAndWrites plays the bots by hand and checks the lines they read and
// write.
func TestReadsAndWrites(t *testing.T) {
	for _, test := range []struct {
		name, bot string
		seat      int
		in, out   string
	}{
		{"greedy first", "greedy", 1, "4 3 2 4 2 3 2\n", "4\n"},
		{"greedy, equal pits", "greedy", 1, "2 2 2 4 4 4 2\n", "2\n"},
		{"greedy second", "greedy", 2, "4 3 2 4 2 3 2\n2\n", "1\n"},
		{"optimal, CRLF", "optimal", 1, "4 3 2 4 2 3 2\r\n", "2\n"},
		{"input ends", "optimal", 2, "", ""},
		{"all the way", "greedy", 2, "0 0 0 0 0 1 1\n7\n", "6\n"},
		{"nothing left", "greedy", 2, "0 0 0 0 0 1 1\n6\n", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out strings.Builder
			table := bots.NewTable("ioiwari", test.seat, 2, strings.NewReader(test.in), &out)
			if err := bots.Run(bottest.Named(t, Bots(), "ioiwari", test.bot), table); err != nil {
				t.Error(err)
			}
			if out.String() != test.out {
				t.Errorf("read %q, wrote %q, expected %q", test.in, out.String(), test.out)
			}
		})
	}
}

func TestRefusesNonsense(t *testing.T) {
	for _, in := range []string{"1 2 3\n", "x\n", "4 3 2 4 2 3 9\n", "4 3 2 4 2 3 2\n8\n", "0 3 2 4 2 3 2\n1\n"} {
		table := bots.NewTable("ioiwari", 2, 2, strings.NewReader(in), io.Discard)
		err := bots.Run(bottest.Named(t, Bots(), "ioiwari", "greedy"), table)
		if err == nil || errors.Is(err, io.EOF) {
			t.Errorf("reads %q without complaint", in)
		}
	}
}

// TestRandomRepeatsItself checks that the random bot repeats a match, but does
// not play the same in both seats or on all boards.
func TestRandomRepeatsItself(t *testing.T) {
	random := bottest.Named(t, Bots(), "ioiwari", "random")
	results := map[string]bool{}
	for c := range ioiwari.Game().All() {
		first := bottest.Play(t, c, random, random)
		if again := bottest.Play(t, c, random, random); fmt.Sprint(first) != fmt.Sprint(again) {
			t.Errorf("%v ends %v, then %v", c, first, again)
		}
		results[fmt.Sprint(first)] = true
	}
	if len(results) < 10 {
		t.Errorf("only %d different results", len(results))
	}
}
