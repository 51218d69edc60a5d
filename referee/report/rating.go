package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"umpire/referee/standings"
	"umpire/referee/strength"
)

// Elo is the name of ratings in tables: one word, however many seats there are.
const Elo = "Elo"

// ratingColumns returns the columns of the estimates of strength.
func (v Standings) ratingColumns(forPrograms bool) (columns []Column) {
	has := func(rating func(standings.Row) *strength.Rating) bool {
		return slices.ContainsFunc(v.Of.Rows, func(r standings.Row) bool { return rating(r) != nil })
	}
	mean := func(r standings.Row) *strength.Rating { return r.Mean }
	strength := func(r standings.Row) *strength.Rating { return r.Rating }
	isRated := has(strength)
	if has(mean) || !isRated {
		if forPrograms {
			columns = exactRating("mean", "low", "high", mean)
		} else {
			columns = []Column{{"mean", func(r standings.Row) string { return interval(mean(r), 2) }}}
		}
	}
	switch {
	case !isRated:
	case !forPrograms:
		columns = append(columns, Column{Elo, func(r standings.Row) string { return eloCell(strength(r)) }})
	case columns == nil:
		columns = exactRating("elo", "low", "high", strength)
	default:
		columns = append(columns, exactRating("elo", "elo_low", "elo_high", strength)...)
	}
	return columns
}

// maxSure is the greatest half width of an interval, in Elo, with which a rating is shown:
// beyond it the estimate says less than the interval.
const maxSure = 200

// eloCell is a rating with its 95 % interval, or the interval alone if it is wide.
func eloCell(r *strength.Rating) string {
	if IsSure(r) {
		return interval(r, 0)
	}
	return fmt.Sprintf("%.0f–%.0f", *r.Low, *r.High)
}

// IsSure reports whether the interval of a rating is not so wide that it is shown alone.
func IsSure(r *strength.Rating) bool {
	return r == nil || r.Low == nil || (*r.High-*r.Low)/2 <= maxSure
}

// RatingNotes say what the ratings in the table mean, if there are any.
func (v Standings) RatingNotes() []string {
	is := func(f func(standings.Row) bool) bool { return slices.ContainsFunc(v.Of.Rows, f) }
	if !is(func(r standings.Row) bool { return r.Rating != nil }) {
		return nil
	}
	note := "Elo: 400 more are odds of 10 to 1 to be placed ahead; 1500 is the mean of all"
	if v.Until != nil {
		return []string{note + "."}
	}
	note += "; ± is the 95 % interval"
	if is(func(r standings.Row) bool { return !IsSure(r.Rating) }) {
		note += fmt.Sprintf(", which stands alone where it is wider than ±%d", maxSure)
	}
	return []string{note + "."}
}

// certaintyColumns returns, for programs, the columns of how sure a bot's place is, if any
// is known.
func (v Standings) certaintyColumns() []Column {
	if v.Until != nil {
		return v.Until.columns()
	}
	if !slices.ContainsFunc(v.Of.Rows, func(r standings.Row) bool { return r.Certainty != nil }) {
		return nil
	}
	certainty := func(r standings.Row) *strength.Certainty { return r.Certainty }
	return []Column{
		optional("rank_low", certainty, func(c *strength.Certainty) string { return strconv.Itoa(c.Ranks[0]) }),
		optional("rank_high", certainty, func(c *strength.Certainty) string { return strconv.Itoa(c.Ranks[1]) }),
		optional("best", certainty, func(c *strength.Certainty) string { return exact(c.Best) }),
		optional("p_next", certainty, func(c *strength.Certainty) string { return exactEnd(c.Next) }),
	}
}

// certaintyNote says what the columns of HowSure mean.
const certaintyNote = "ranks: the 95 % interval of the rank by Elo; best: how probably it is the strongest; " +
	"p: that of so great a difference to the next if both were equal."

// HowSure is the table that says how sure the order is, of three bots or more, with what its
// columns mean; ok is false if that is not known, or there are too many.
func (v Standings) HowSure() (t Table, note string, ok bool) {
	if v.Until != nil {
		return v.Until.table(), untilNote, true
	}
	t = Table{Title: "How sure the ranks are", Header: []string{"rank", "bot", "ranks", "best", "p"}, Right: []bool{true, false, false, true, true}}
	rows := v.Of.Ranked()
	for _, r := range rows {
		if c := r.Certainty; c != nil {
			p := ""
			if c.Next != nil {
				p = probability(*c.Next)
			}
			t.Add(RankOf(r), r.Bot, rankInterval(c.Ranks), chance(c.Best), p)
		}
	}
	return t, certaintyNote, len(t.Rows) > 2 && len(rows) <= widestCrosstable
}

// chance writes a share that was counted over draws: never as certain.
func chance(share float64) string {
	switch {
	case share < 0.001:
		return "<0.1 %"
	case share > 0.999:
		return ">99.9 %"
	}
	return fmt.Sprintf("%.1f %%", 100*share)
}

// probability writes a p value.
func probability(p float64) string {
	if p < 0.0001 {
		return "<0.0001"
	}
	return exact(math.Round(p*1e4) / 1e4)
}
