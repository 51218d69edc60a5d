package report

import "umpire/referee/scoring"

// Rounded is the table of the standings as people see it.
func (v Standings) Rounded() Table { return v.table(false) }

// Footnotes holds the facts that a reader of the standings must know.
func (v Standings) Footnotes() []string { return v.footnotes() }

// Marks are the verdicts other than ok of a tally, each with its number.
func Marks(verdicts map[string]int) string { return marks(scoring.Tally{Verdicts: verdicts}) }
