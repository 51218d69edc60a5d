package standings

import (
	"fmt"
	"testing"

	"umpire/protocols"
	"umpire/referee/record"
	"umpire/referee/testlevel"
)

// The greatest scores that a record may hold are ordered and rated as they are.
func TestGreatScores(t *testing.T) {
	const n = 20_000
	tl := NewTally(protocols.ByPoints)
	for i := range n {
		b := played(i, "a 1000000000, b -1000000000, c 999999999")
		b.Key = uint64(i + 1)
		tl.Add(b)
	}
	st := tl.Standings(nil)
	if got := ranking(st); got != "1 a, 2 c, 3 b" {
		t.Errorf("ranking %s", got)
	}
	a, b := st.Rows[0], st.Rows[2]
	if a.Points != protocols.Points(n*1e9) || b.Points != protocols.Points(-n*1e9) || a.Mean.Value != 1e9 || a.Mean.Low != nil || b.Difference >= -1e9*n {
		t.Errorf("found %+v, %+v", a, b)
	}
}

// Fractions are added exactly: ten times 0.1 is 1, where floating point makes it less.
func TestFractions(t *testing.T) {
	tl := NewTally(protocols.ByPoints)
	for i := range 10 {
		b := played(i, "a 0.1, b 0.099999, c -0.1")
		b.Key = uint64(i + 1)
		tl.Add(b)
	}
	st := tl.Standings(nil)
	if got := ranking(st); got != "1 a, 2 b, 3 c" {
		t.Errorf("ranking %s", got)
	}
	a, c := st.Rows[0], st.Rows[2]
	if a.Points != protocols.Points(1) || c.Points != protocols.Points(-1) || a.Mean.Value != 0.1 || a.Mean.Low != nil || a.Difference != 1.000005 {
		t.Errorf("found %+v, %+v", a, c)
	}
}

// Standings of very many bots that a file may name take no more than they must.
func TestManyBots(t *testing.T) {
	pairs := testlevel.Times(1_000, 10_000, 10_000)
	tl := NewTally(protocols.ByWins)
	for i := range pairs {
		b := &record.Summary{Key: uint64(i + 1), PairingKey: uint64(i), Seats: []record.SummarySeat{
			{Bot: fmt.Sprint("a", i), Verdict: "ok", Place: 1, Score: protocols.Points(1)}, {Bot: fmt.Sprint("b", i), Verdict: "ok", Place: 2},
		}}
		tl.Add(b)
	}
	st := tl.Standings(nil)
	if len(st.Rows) != 2*pairs || len(st.Pairs) != pairs || st.Unrated || st.Rows[0].Rating == nil {
		t.Errorf("%d rows, %d pairs, unrated %v", len(st.Rows), len(st.Pairs), st.Unrated)
	}
	if p := st.Pairs[0]; p.Bot != "a0" || p.Opponent != "b0" || p.Won != 1 {
		t.Errorf("the first pair is %+v", p)
	}
}

// TestLooking: standings that are asked for while matches are played change nothing in
// later ones, in which the same observations count.
func TestLooking(t *testing.T) {
	looked, other := NewTally(protocols.ByPoints), NewTally(protocols.ByPoints)
	key := uint64(0)
	for block := range 40 {
		for _, order := range []string{"a 3.25, b 7, c 1", "a 2, c 4, b 9.5", "b 1, a 8, c 2", "b 3, c 0.000001, a 6", "c 5, a 1, b 2", "c 7, b 2, a 4"} {
			b := played(block, order)
			key++
			b.Key, b.Play = key, key
			for i := range b.Seats { // each bot, and each two, differ by block
				b.Seats[i].Score = b.Seats[i].Score.Plus(protocols.Points(block * int(b.Seats[i].Bot[0])))
			}
			looked.Add(b)
			other.Add(b)
			looked.Standings(nil)
		}
	}
	found, want := looked.Standings(nil), other.Standings(nil)
	for i := range want.Rows {
		if a, b := fmt.Sprintf("%+v", *found.Rows[i].Mean.Low), fmt.Sprintf("%+v", *want.Rows[i].Mean.Low); a != b {
			t.Errorf("%s: the mean is at least %s after it was looked at, and %s otherwise", want.Rows[i].Bot, a, b)
		}
	}
	for i := range want.Pairs {
		if a, b := *found.Pairs[i].Apart.Low, *want.Pairs[i].Apart.Low; a != b {
			t.Errorf("%s: apart at least %v after it was looked at, and %v otherwise", want.Pairs[i].Bot, a, b)
		}
	}
}
