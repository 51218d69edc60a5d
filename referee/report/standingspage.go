package report

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"umpire/referee/standings"
)

// Export returns the standings for other programs, without the single matches.
func (v Standings) Export() Exported {
	cross := v.crosstable()
	cross.Header[0] = "rank"
	for _, row := range cross.Rows {
		for i := 2; i < len(row); i++ {
			row[i] = strings.ReplaceAll(row[i], "-", " ") // 3-1-0 is a date to a spreadsheet
		}
	}
	return Exported{Name: v.Game.Name, Table: v.table(true), Cross: &cross, Pairs: v.pairTable(), Rows: v.Of.Rows, Page: v.page()}
}

// Print prints the standings for people.
func (v Standings) Print(p *Printer) { v.page().Print(p) }

// page returns the standings as people read them.
func (v Standings) page() Page {
	if v.Quiet {
		t := v.table(false)
		t.Title = ""
		return Page{Tables: []Table{t}}
	}
	unplayable := slices.ContainsFunc(v.Of.Rows, func(r standings.Row) bool { return r.Broken != "" || r.NotJudged != "" })
	if v.Of.Matches+v.Of.Failed == 0 && v.bracket == nil && !unplayable {
		return Page{Title: v.Title + "; no match has ended yet"}
	}
	var tables []Table
	if v.bracket != nil {
		tables = append(tables, bracketTable(*v.bracket))
	}
	tables = append(append(tables, v.Rounds...), v.table(false))
	notes := append(v.RatingNotes(), v.footnotes(v.broken())...)
	if t, note, ok := v.HowSure(); ok {
		tables, notes = append(tables, t), append([]string{note}, notes...)
	}
	if n := len(v.Of.Rows); n > 1 && n <= widestCrosstable && !v.NoCrosstable && len(v.Of.Pairs) > 0 {
		tables = append(tables, v.crosstable())
	}
	if v.Pairs {
		tables = append(tables, v.headToHead())
	}
	if len(tables) == 1 {
		tables[0].Title = ""
	}
	return Page{Title: v.Title, Tables: tables, Notes: notes}
}

// broken lists the bots that could not be compiled or started.
func (v Standings) broken() (list []Wrong) {
	for _, row := range v.Of.Rows {
		if row.Broken != "" {
			list = append(list, Wrong{row.Bot, row.Broken})
		}
	}
	return list
}

// footnotes returns what a reader of the table must know.
func (v Standings) footnotes(broken []Wrong) (lines []string) {
	st := v.Of
	if v.bracket != nil {
		lines = append(lines, bracketNote(*v.bracket))
	}
	if v.SPRT != nil {
		lines = append(lines, strings.Join(v.SPRT.lines(), "\n"))
	}
	if v.Until != nil {
		lines = append(lines, strings.Join(v.Until.lines(), "\n"))
	}
	if v.Missing > 0 {
		lines = append(lines, fmt.Sprintf("%d of %s still to be played.", v.Missing, Plural(v.Total, "match")+verb(v.Missing, " is", " are")))
	}
	if v.Unrelated > 0 {
		lines = append(lines, UnrelatedNote(v.Unrelated)+".")
	}
	var notJudged []NotJudged
	for _, row := range st.Rows {
		if row.NotJudged != "" {
			notJudged = append(notJudged, NotJudged{row.Bot, row.NotJudged})
		}
	}
	lines = append(append(lines, brokenNote(broken, v.Verbose)...), notJudgedNotes(notJudged)...)
	if len(st.Ranked()) < len(st.Rows) {
		lines = append(lines, "Without a rank: the opponent of a test or scoring.")
	}
	if v.long > 0 {
		lines = append(lines, fmt.Sprintf("The rounds, of up to %d encounters, are left out; --json has them.", v.long))
	}
	if st.Uneven && len(v.Lead) == 0 && v.Until == nil {
		lines = append(lines, "Not all bots have played equally many matches: they are ordered by means per match.")
	}
	if st.Repeated > 0 {
		lines = append(lines, fmt.Sprintf("Matches that repeat others reply by reply: %d of %d. Ratings and their intervals rest on the %s.",
			st.Repeated, st.Matches, Plural(st.Matches-st.Repeated, "distinct result")))
	}
	if i := slices.IndexFunc(st.Rows, func(r standings.Row) bool { return isPaired(r.ToFirst) }); i >= 0 {
		lines = append(lines, pairedNote(*st.Rows[i].ToFirst))
	}
	if st.Unrated {
		lines = append(lines, fmt.Sprintf("No ratings: %d pairs of bots have met.", len(st.Pairs)))
	}
	note, judged := judgeNote(st.JudgeErrors)
	if judged > 0 {
		lines = append(lines, note)
	}
	if n := st.Failed - judged; n > 0 {
		lines = append(lines, fmt.Sprintf("Not counted, since they have no result: %d.", n))
	}
	if st.Duplicates > 0 {
		lines = append(lines, fmt.Sprintf("Not counted, since they occur twice: %d.", st.Duplicates))
	}
	if st.Own > 0 {
		lines = append(lines, fmt.Sprintf("Not counted, since a bot met itself: %d.", st.Own))
	}
	return append(append(lines, voidNotes(st.Rows)...), placeNotes(st)...)
}

// judgeNote says after whose replies the judge failed, and in how many matches.
func judgeNote(errors map[string]int) (note string, all int) {
	var parts []string
	bots := slices.Sorted(maps.Keys(errors))
	for _, bot := range bots {
		all += errors[bot]
		count := strconv.Itoa(errors[bot])
		if len(bots) == 1 {
			count = "all"
		}
		when := "after a reply of " + bot
		if bot == "" {
			when = "before any reply"
		}
		parts = append(parts, count+" "+when)
	}
	return fmt.Sprintf("Without a result, since the judge failed: %d, %s.", all, strings.Join(parts, ", ")), all
}

// verb returns that for n things.
func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// UnrelatedNote says that n matches do not count.
func UnrelatedNote(n int) string {
	return fmt.Sprintf("%s in the folder%s not of this tournament; --all counts them", Plural(n, "match"), verb(n, " is", " are"))
}
