package report

import "umpire/referee"

// TestRows prints the lines of a test, one per match, while it runs. A case's
// points appear in the last of its lines.
type TestRows struct {
	view     Test
	p        *Printer
	table    Table
	layout   layout
	verdict  int // the column of verdicts
	points   int // the column of points
	decimals string
}

// NewTestRows prints the heading and the header of a test on cases with the
// names, of which one is worth most points.
func (v Test) NewTestRows(p *Printer, names []string, most float64) *TestRows {
	r := &TestRows{view: v, p: p}
	r.table, r.verdict, r.points = v.emptyTable()
	t := &r.table
	r.reserve(names, most)
	p.Printf("%s\n\n", p.Style(Dim, p.Wrap(v.heading())))
	p.Printf("%s\n", Text{t.line(r.layout, -1, t.Header, p.styleOf(*t))})
	return r
}

// End prints what stands below the lines.
func (r *TestRows) End() {
	r.p.Printf("%s", r.table.leftOutNote(r.layout, r.p.room(), r.p.styleOf(r.table)))
}

// reserve lays the table out for what its cells will hold. Numbers that turn
// out wider get the room they need.
func (r *TestRows) reserve(names []string, most float64) {
	v, t := r.view, &r.table
	width := make([]int, len(t.Header))
	for i, header := range t.Header {
		width[i] = Width(header)
	}
	for _, name := range names {
		width[0] = max(width[0], Width(SafeLine(name).fit))
	}
	for _, known := range referee.Verdicts {
		width[r.verdict] = max(width[r.verdict], Width(verdictText(string(known.Verdict))))
	}
	switch {
	case v.Game.MaxSeats > 2:
		width[r.verdict+1] = len("place 1")
	case v.Game.MaxSeats == 2:
		width[r.verdict+1] = len("result")
	}
	// Fractions come from dividing by a baseline, and from means over seats.
	r.decimals = "0"
	switch seats := len(v.Game.PlayedSeats()); {
	case v.Formula.Uses("Y") || seats > 2:
		r.decimals = "0.00"
	case seats == 2:
		r.decimals = "0.0"
	}
	width[r.points] = max(width[r.points], Width(r.pointsText(most, most)))
	width[r.points+1] = len("999.999 ms")
	width[r.points+2] = len("100.0 MiB")
	r.layout = t.fit(width, r.p.room())
}

// pointsText formats the points of a case, with the decimals of the column.
func (r *TestRows) pointsText(score, points float64) string {
	cells := []string{r.view.outOf(score, points, "/"), r.decimals}
	AlignDecimals(cells)
	return cells[0]
}

// Add prints the matches of a case, in the order of the seats.
func (r *TestRows) Add(matches []TestMatch) {
	for i, m := range matches {
		points := ""
		if i+1 == len(matches) && !m.Uncounted {
			points = r.pointsText(m.Score, m.Points)
		}
		r.print(m.Verdict, r.view.row(m, points))
	}
}

func (r *TestRows) print(verdict string, cells []any) {
	var one Table
	one.Add(cells...)
	row := one.Rows[0]
	for i := range row {
		row[i] = SafeLine(row[i]).fit
		if r.table.right(i) {
			r.layout.width[i] = max(r.layout.width[i], Width(row[i]))
		}
	}
	line := r.table.line(r.layout, 0, row, func(_, column int, text Text) Text {
		if column == r.verdict {
			return r.p.Style(verdictColour(verdict), text)
		}
		return text
	})
	r.p.Printf("%s\n", Text{line})
}
