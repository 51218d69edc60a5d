package scoring

import (
	"fmt"
	"strings"

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

// fact is a variable of formulas.
type fact struct {
	name string
	in   func(*Facts) *float64
	of   func(Entry) float64 // of one match; nil where it is the case's
}

// facts are the variables of formulas: a new one is a field of Facts, a row here
// and a row in README.md.
var facts = []fact{
	{"P", func(f *Facts) *float64 { return &f.P }, nil},
	{"X", func(f *Facts) *float64 { return &f.X }, func(e Entry) float64 { return e.seat().Score.Float() }},
	{"Y", func(f *Facts) *float64 { return &f.Y }, nil},
	{"win", func(f *Facts) *float64 { return &f.Win }, func(e Entry) float64 { won, _ := Result(e); return count(won) }},
	{"tie", func(f *Facts) *float64 { return &f.Tie }, func(e Entry) float64 { _, tied := Result(e); return count(tied) }},
	{"loss", func(f *Facts) *float64 { return &f.Loss }, func(e Entry) float64 { won, tied := Result(e); return count(!won && !tied) }},
	{"ok", func(f *Facts) *float64 { return &f.OK }, func(e Entry) float64 { return count(e.seat().Verdict == "ok") }},
	{"place", func(f *Facts) *float64 { return &f.Place }, func(e Entry) float64 { return float64(e.seat().Place) }},
	{"seats", func(f *Facts) *float64 { return &f.Seats }, func(e Entry) float64 { return float64(len(e.Record.Seats)) }},
	{"wall", func(f *Facts) *float64 { return &f.Wall }, func(e Entry) float64 { return float64(e.seat().WallUS) }},
	{"cpu", func(f *Facts) *float64 { return &f.CPU }, func(e Entry) float64 { return float64(e.seat().CPUUS) }},
}

func count(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// names lists the facts as a formula writes them.
func names() string {
	var list []string
	for _, fact := range facts {
		list = append(list, fact.name)
	}
	return strings.Join(list, " ")
}

// String lists the facts by their names.
func (f Facts) String() string {
	var list []string
	for _, fact := range facts {
		list = append(list, fmt.Sprintf("%s=%v", fact.name, *fact.in(&f)))
	}
	return strings.Join(list, " ")
}

// Entry is a submission's part in one match: the record, and its seat there.
type Entry struct {
	Record *record.Record
	Seat   int // 1-based
}

func (e Entry) seat() record.Seat { return e.Record.Seats[e.Seat-1] }

// FactsOf computes the facts of a case from a submission's matches on it, at
// least one: p is the case's points, y the baseline.
func FactsOf(entries []Entry, p, y float64) Facts {
	var f Facts
	for _, fact := range facts {
		if fact.of == nil {
			continue
		}
		sum := 0.0 // of whole numbers, which is exact in any order
		for _, e := range entries {
			sum += fact.of(e)
		}
		*fact.in(&f) = sum / float64(len(entries))
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
