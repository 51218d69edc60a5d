package report

// Rounded is the table of the standings as people see it, with the names of its columns
// that count failures of one kind.
func (v Standings) Rounded() (t Table, kinds []string) { return v.table(false), v.kinds() }

// FirstAhead returns the first two of the standings, and how probably the first is the
// stronger one of them by rating, or case by case where they do not meet; ok is false if
// that is not known, or below ½.
func (v Standings) FirstAhead() (first, second, sure string, ok bool) {
	rows := v.Of.Ranked()
	if len(rows) > 1 && isPaired(rows[1].ToFirst) && rows[1].ToFirst.Superior > 0 && rows[1].ToFirst.Superior < 0.5 {
		return rows[0].Bot, rows[1].Bot, likelihood(1 - rows[1].ToFirst.Superior), true
	}
	if len(rows) < 2 || rows[0].Certainty == nil || rows[0].Certainty.Next == nil || rows[0].Rating == nil || rows[1].Rating == nil ||
		rows[0].Rating.Value <= rows[1].Rating.Value {
		return "", "", "", false
	}
	return rows[0].Bot, rows[1].Bot, likelihood(1 - *rows[0].Certainty.Next/2), true
}

// Footnotes holds the facts that a reader of the standings must know, but for the bots that
// could not be compiled or started.
func (v Standings) Footnotes() []string { return v.footnotes(nil) }
