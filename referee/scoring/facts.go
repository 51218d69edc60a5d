package scoring

import (
	"umpire/referee/record"
)

// Facts holds the variables of a formula: the facts of one case for one
// submission. Where a case is played more than once, they are means over its
// matches.
type Facts struct {
	P     float64 `expr:"P"` // points of the case
	X     float64 `expr:"X"` // the submission's score on the case
	Y     float64 `expr:"Y"` // the baseline
	Win   float64 `expr:"win"`
	Tie   float64 `expr:"tie"`
	Loss  float64 `expr:"loss"`
	OK    float64 `expr:"ok"` // 1 if the verdict is ok, else 0
	Place float64 `expr:"place"`
	Seats float64 `expr:"seats"`
	Wall  float64 `expr:"wall"` // seconds
	CPU   float64 `expr:"cpu"`  // seconds
}

// names lists the Facts as a formula writes them.
const names = "P X Y win tie loss ok place seats wall cpu"

// Entry is a submission's part in one match: the record, and its seat there.
type Entry struct {
	Record *record.Record
	Seat   int // 1-based
}

func (e Entry) seat() record.Seat { return e.Record.Seats[e.Seat-1] }

// FactsOf computes the facts of a case from a submission's matches on it, at
// least one: p is the case's points, y the baseline.
func FactsOf(entries []Entry, p, y float64) Facts {
	var f Facts // sums of whole numbers, which are exact in any order
	for _, e := range entries {
		s := e.seat()
		f.X += float64(s.Score)
		f.Place += float64(s.Place)
		f.Seats += float64(len(e.Record.Seats))
		f.Wall += float64(s.WallUS)
		f.CPU += float64(s.CPUUS)
		if s.Verdict == "ok" {
			f.OK++
		}
		switch won, tied := Result(e); {
		case won:
			f.Win++
		case tied:
			f.Tie++
		default:
			f.Loss++
		}
	}
	n := float64(len(entries))
	for _, sum := range []*float64{&f.X, &f.Place, &f.Seats, &f.Wall, &f.CPU, &f.OK, &f.Win, &f.Tie, &f.Loss} {
		*sum /= n
	}
	f.Wall /= 1e6
	f.CPU /= 1e6
	f.P, f.Y = p, y
	return f
}

// Result reports whether the entry won its match, being first alone, or tied
// for first place. The only seat of a match is always first: it has won if its
// verdict is ok.
func Result(e Entry) (won, tied bool) {
	if e.seat().Place != 1 || len(e.Record.Seats) == 1 && e.seat().Verdict != "ok" {
		return false, false
	}
	for i, other := range e.Record.Seats {
		if i != e.Seat-1 && other.Place == 1 {
			return false, true
		}
	}
	return true, false
}
