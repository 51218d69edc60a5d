package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"umpire/referee/standings"
	"umpire/referee/strength"
)

// Until is how far the order of a round robin is decided that goes on where it is least
// certain.
type Until struct {
	Goal     string            `json:"goal"`     // as --until has it
	Decision strength.Decision `json:"decision"` // decided, time, undecided; "" while it goes on
	Pairs    int               `json:"pairs"`    // mirrored pairs that were to be played
	// Tied lists the bots whose order is not decided, in runs of neighbours.
	Tied [][]string `json:"tied"`
	// Order lists the bots by rating, each with the next one.
	Order []UntilRow `json:"order"`
}

// UntilRow is a bot, and the next one of the order. All bounds together hold with 95 %, at
// any number of looks.
type UntilRow struct {
	Bot   string `json:"bot"`
	Ranks [2]int `json:"ranks"` // the first and the last one that the bounds leave open
	Next  string `json:"next,omitempty"`
	// Elo is the difference to the next, with its bounds; nil where it has none, as if all
	// was won.
	Elo     *float64             `json:"elo,omitempty"`
	Low     *float64             `json:"elo_low,omitempty"`
	High    *float64             `json:"elo_high,omitempty"`
	Ptnml   strength.Pentanomial `json:"ptnml,omitzero"`
	Decided int                  `json:"decided,omitempty"` // 1: it is stronger than the next; -1: the next is
}

// NewUntil shows an order; name is of a bot by its number.
func NewUntil(goal strength.Until, d strength.Decision, pairs int, o strength.Order, name func(int) string) *Until {
	u := &Until{Goal: goal.String(), Decision: d, Pairs: pairs, Tied: [][]string{}}
	for i, bot := range o.Bots {
		row := UntilRow{Bot: name(bot), Ranks: o.Ranks[i]}
		if i < len(o.Next) {
			n := o.Next[i]
			row.Next, row.Elo, row.Low, row.High, row.Ptnml, row.Decided = name(n.Bots.B), n.Elo, n.Low, n.High, n.Pairs, n.Decided
		}
		u.Order = append(u.Order, row)
	}
	for _, run := range o.Tied() {
		var names []string
		for _, bot := range run {
			names = append(names, name(bot))
		}
		u.Tied = append(u.Tied, names)
	}
	return u
}

// untilNote says what the columns of the table mean.
const untilNote = "ranks: those that the bounds leave open; to the next: the difference to the bot below by the mirrored pairs of the two, " +
	"with its bounds. The bounds hold at any number of looks, all together with 95 %."

// table shows the order.
func (u *Until) table() Table {
	t := Table{Title: "How sure the order is", Header: []string{"bot", "ranks", "to the next, Elo", "bounds", "pairs", ""}, Right: []bool{false, false, true, true, true, false}}
	for _, r := range u.Order {
		if r.Next == "" {
			t.Add(r.Bot, rankInterval(r.Ranks), "", "", "", "")
			continue
		}
		t.Add(r.Bot, rankInterval(r.Ranks), eloEnd(r.Elo), eloEnd(r.Low)+" to "+eloEnd(r.High), r.Ptnml.Pairs(), decidedWord(r.Decided))
	}
	return t
}

// columns returns the columns of the order for programs.
func (u *Until) columns() []Column {
	rows := make(map[string]*UntilRow)
	for _, r := range u.Order {
		rows[r.Bot] = &r
	}
	row := func(r standings.Row) *UntilRow { return rows[r.Bot] }
	return []Column{
		optional("rank_low", row, func(r *UntilRow) string { return strconv.Itoa(r.Ranks[0]) }),
		optional("rank_high", row, func(r *UntilRow) string { return strconv.Itoa(r.Ranks[1]) }),
		optional("next_elo", row, func(r *UntilRow) string { return exactEnd(r.Elo) }),
		optional("next_low", row, func(r *UntilRow) string { return exactEnd(r.Low) }),
		optional("next_high", row, func(r *UntilRow) string { return exactEnd(r.High) }),
	}
}

func decidedWord(decided int) string {
	switch decided {
	case 1:
		return "decided"
	case -1:
		return "the next is stronger"
	}
	return "open"
}

// eloEnd writes a difference with its sign; nil is one beyond what can be said.
func eloEnd(elo *float64) string {
	if elo == nil {
		return "…"
	}
	if math.RoundToEven(*elo) == 0 {
		return "0"
	}
	return fmt.Sprintf("%+.0f", *elo)
}

// lines says how the round robin ended, and what is still tied.
func (u *Until) lines() []string {
	end, why := "not yet reached", ""
	switch u.Decision {
	case strength.Decided:
		if end = "reached"; u.Goal == "sure" {
			end = "the order is decided"
		}
	case strength.TimeUp:
		end = "the time is over"
	case strength.Undecided:
		end, why = "the cases ran out", ": those left repeat others reply by reply, or all have been played; other cases (-n, --cases) give more"
	}
	list := []string{fmt.Sprintf("Until %s: %s after %s%s.", u.Goal, end, Plural(u.Pairs, "mirrored pair"), why)}
	var runs []string
	for _, names := range u.Tied {
		runs = append(runs, Listing(names))
	}
	if len(runs) > 0 {
		list = append(list, "Still tied: "+strings.Join(runs, "; ")+".")
	} else if u.Decision == strength.Undecided && len(u.Order) > 1 {
		list = append(list, "The order is decided.")
	}
	for _, r := range u.Order {
		if r.Decided < 0 {
			list = append(list, fmt.Sprintf("%s is ahead of %s by its results against others; in their own matches %s is the stronger one.", r.Bot, r.Next, r.Next))
		}
	}
	return list
}
