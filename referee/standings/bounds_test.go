package standings

import (
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"umpire/protocols"
	"umpire/referee/record"
)

// Sums hold what 64 bits do not.
func TestWideSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Int64Range(-1e17, 1e17).Draw(t, "a"), rapid.Int64Range(-1e17, 1e17).Draw(t, "b")
		m, n := rapid.Int64Range(1, 1e9).Draw(t, "m"), rapid.Int64Range(1, 1e9).Draw(t, "n")
		x, y := new(big.Int).Mul(big.NewInt(a), big.NewInt(m)), new(big.Int).Mul(big.NewInt(b), big.NewInt(n))
		if got, want := compareProducts(a, m, b, n), x.Cmp(y); got != want {
			t.Errorf("%d*%d and %d*%d compare as %d, expected %d", a, m, b, n, got, want)
		}
		var w wide
		w.addSquare(a)
		w.addSquare(b)
		want, _ := new(big.Float).SetInt(new(big.Int).Add(new(big.Int).Mul(big.NewInt(a), big.NewInt(a)), new(big.Int).Mul(big.NewInt(b), big.NewInt(b)))).Float64()
		if got := w.float(); got < want*(1-1e-15) || got > want*(1+1e-15) {
			t.Errorf("%d² + %d² is %v, expected %v", a, b, got, want)
		}
	})
}

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
	if a.Points != n*1e9 || b.Points != -n*1e9 || a.Mean.Value != 1e9 || *a.Mean.Low != 1e9 || b.Difference >= -1e9*n {
		t.Errorf("found %+v, %+v", a, b)
	}
}

// Standings of very many bots that a file may name take no more than they must.
func TestManyBots(t *testing.T) {
	tl := NewTally(protocols.ByWins)
	for i := range 10_000 {
		b := &record.Summary{Key: uint64(i + 1), PairingKey: uint64(i), Seats: []record.SummarySeat{
			{Bot: fmt.Sprint("a", i), Verdict: "ok", Place: 1, Score: 1}, {Bot: fmt.Sprint("b", i), Verdict: "ok", Place: 2},
		}}
		tl.Add(b)
	}
	st := tl.Standings(nil)
	if len(st.Rows) != 20_000 || len(st.Pairs) != 10_000 || st.Unrated || st.Rows[0].Rating == nil {
		t.Errorf("%d rows, %d pairs, unrated %v", len(st.Rows), len(st.Pairs), st.Unrated)
	}
	if p := st.Pairs[0]; p.Bot != "a0" || p.Opponent != "b0" || p.Won != 1 {
		t.Errorf("the first pair is %+v", p)
	}
}
