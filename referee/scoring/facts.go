package scoring

import "umpire/referee/record"

// Entry is a submission's part in one match: the record, and its seat there.
type Entry struct {
	Record *record.Record
	Seat   int // 1-based
}

// Gather makes the facts of a case from a submission's matches on it, of which
// there is at least one: P is what the case is worth, Y the baseline.
func Gather(entries []Entry, p, y float64) Facts {
	f := Facts{P: p, Y: y}
	n := float64(len(entries))
	for _, e := range entries {
		s := e.Record.Seats[e.Seat-1]
		f.X += float64(s.Score) / n
		f.Place += float64(s.Place) / n
		f.Seats += float64(len(e.Record.Seats)) / n
		f.Wall += float64(s.WallUS) / 1e6 / n
		f.CPU += float64(s.CPUUS) / 1e6 / n
		if s.Verdict == "ok" {
			f.OK += 1 / n
		}
		switch won, tied := Result(e); {
		case won:
			f.Win += 1 / n
		case tied:
			f.Tie += 1 / n
		default:
			f.Loss += 1 / n
		}
	}
	return f
}

// Result tells whether the entry won its match, being first alone, or shares
// the first place.
func Result(e Entry) (won, tied bool) {
	if e.Record.Seats[e.Seat-1].Place != 1 {
		return false, false
	}
	for i, other := range e.Record.Seats {
		if i != e.Seat-1 && other.Place == 1 {
			return false, true
		}
	}
	return true, false
}
