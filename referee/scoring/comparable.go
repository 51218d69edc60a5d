package scoring

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"umpire/referee/cases"
	"umpire/referee/record"
)

// checkCase checks that the submissions' matches on a case can be compared.
func checkCase(c cases.Case, results *Results) error {
	played := make([][]Entry, len(results.Submissions))
	under := conditions{make(map[int]Entry), make(map[int]Entry)}
	for i, s := range results.Submissions {
		played[i] = s.on(c)
		for _, e := range played[i] {
			if first, how := under.differ(e); how != "" {
				return fmt.Errorf("case %s: %s and %s played %s, which can't be compared",
					c.Name, results.Called(first.seat().Bot, first.seat().Digest), results.Called(s.Name, s.Digest), how)
			}
		}
	}
	return checkParts(c, results, played)
}

// conditions are those that all matches on a case share, if they have the same
// number of seats: by that, the first match found that says what they were.
type conditions struct{ limits, opponent map[int]Entry }

// differ returns the match from which the conditions of another one differ, and how;
// "" if they don't.
func (k conditions) differ(e Entry) (first Entry, how string) {
	n := len(e.Record.Seats)
	if e.Record.Limits != (record.Limits{}) { // it is not made by hand
		if first, ok := k.limits[n]; !ok {
			k.limits[n] = e
		} else if e.Record.Limits != first.Record.Limits {
			return first, fmt.Sprintf("under different limits (%s; %s)", describe(first.Record), describe(e.Record))
		}
	}
	house := opponent(e)
	if house == nil {
		return first, ""
	}
	first, ok := k.opponent[n]
	if !ok {
		k.opponent[n] = e
		return first, ""
	}
	before := opponent(first)
	if !samePlayer(before, house) && !sameFolder(first, e, before.Bot == house.Bot) {
		var names record.BotNames
		for _, seat := range []*record.Seat{before, house} {
			names.Add("", seat.Bot, seat.Digest, true)
		}
		return first, fmt.Sprintf("against different opponents (%s; %s)",
			names.Of("", before.Bot, before.Digest, true), names.Of("", house.Bot, house.Digest, true))
	}
	if before.Digest == "" {
		k.opponent[n] = e
	}
	return first, ""
}

// opponent returns a seat that the house took, which has the same bot in all of its
// seats; nil if it took none.
func opponent(e Entry) *record.Seat {
	i := slices.IndexFunc(e.Record.Seats, func(s record.Seat) bool { return s.House })
	if i < 0 {
		return nil
	}
	return &e.Record.Seats[i]
}

// samePlayer reports whether one player sat in two seats of the house, by the digest:
// its name differs where a submission has the same. Records made by hand may lack one.
func samePlayer(a, b *record.Seat) bool {
	if a.Digest == "" || b.Digest == "" {
		return a.Bot == b.Bot
	}
	return a.Digest == b.Digest
}

// sameFolder reports whether a house bot of the same name is from the same files of a game's
// folder: its digest differs where another version of a compiler or an interpreter is installed.
func sameFolder(a, b Entry, sameName bool) bool {
	p, q := a.Record.Package, b.Record.Package
	return sameName && p != nil && q != nil && p.Digest == q.Digest
}

// describe prints the limits of a match for a person to compare.
func describe(r *record.Record) string {
	var words []string
	for name, value := range r.Limits.Words(r.Package) {
		words = append(words, name+" "+value)
	}
	return strings.Join(words, ", ")
}

// part is a seat of a case, with the deal that was played in it. If one submission has played
// a part, all must have.
type part struct {
	seat int
	deal string // the seed that the judge drew from
}

// partOf returns the part of a case that a match is. Contestants that meet are
// compared by their matches, whatever was dealt.
func partOf(e Entry) part {
	for i, s := range e.Record.Seats {
		if i != e.Seat-1 && !s.House {
			return part{seat: e.Seat}
		}
	}
	return part{e.Seat, e.Record.Seed}
}

// checkParts checks that every submission has played all parts of a case that others
// have.
func checkParts(c cases.Case, results *Results, played [][]Entry) error {
	var parts []part
	by := make(map[part]string) // who has played it
	for i, s := range results.Submissions {
		for _, e := range played[i] {
			if p := partOf(e); by[p] == "" {
				parts, by[p] = append(parts, p), results.Called(s.Name, s.Digest)
			}
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(a.seat, b.seat) })
	for i, s := range results.Submissions {
		bot := results.Called(s.Name, s.Digest)
		if len(played[i]) == 0 {
			return &MissingError{Bot: bot, Case: c.Name}
		}
		for _, p := range parts {
			switch {
			case !slices.ContainsFunc(played[i], func(e Entry) bool { return e.Seat == p.seat }):
				return &MissingError{bot, c.Name, p.seat}
			case !slices.ContainsFunc(played[i], func(e Entry) bool { return partOf(e) == p }):
				return fmt.Errorf("case %s: %s and %s played different deals, which can't be compared: play all with the same --seed, or score one seed's by --from FILE --seed N",
					c.Name, by[p], bot)
			}
		}
	}
	return nil
}
