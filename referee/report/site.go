package report

import "umpire/referee/scoring"

// Rounded is the table of the standings as people see it.
func (v Standings) Rounded() Table { return v.table(false) }

// HowSure is the table that says how sure the order of the standings is, with what its
// columns mean; ok is false if there is none.
func (v Standings) HowSure() (t Table, note string, ok bool) {
	return v.certaintyTable()
}

// Footnotes holds the facts that a reader of the standings must know, with
// compilers' words in the lines behind the first.
func (v Standings) Footnotes() []string {
	v.Verbose = true
	return v.footnotes()
}

// Marks are the verdicts other than ok of a tally, each with its number.
func Marks(verdicts map[string]int) string { return marks(scoring.Tally{Verdicts: verdicts}) }
