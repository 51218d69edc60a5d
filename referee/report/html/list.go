package html

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"slices"

	"umpire/protocols"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/report/html/page"
	"umpire/referee/report/html/replay"
)

// maxListed is how many matches a page lists: it filters them in an instant.
const maxListed = 100_000

// listed is the data of a page that lists matches. A row is the case, then for
// each seat the bot's row in the standings, the verdict, the score and the place.
type listed struct {
	First    int             `json:"first"`
	Bots     []string        `json:"bots"`
	Cases    []string        `json:"cases"`
	Verdicts []string        `json:"verdicts"`
	Units    [][3]int        `json:"units"`
	Rows     json.RawMessage `json:"rows"`
}

// lister writes the pages that list the matches.
type lister struct {
	out      publisher
	view     report.Standings
	total    int // matches of all pages
	pages    int // those written
	count    int // matches of the page
	rows     bytes.Buffer
	cases    page.Numbers[string]
	verdicts page.Numbers[string]
	units    [][3]int // a unit, its first match on the page, counted from 0, and how many there are
}

// listView is a page that lists matches.
type listView struct {
	chrome
	Pages, Last, Total int
	Bots               []option
	Others             []string
	Data               listed
}

// option is a bot to choose.
type option struct {
	Number int
	Name   string
}

// notPlayed is the verdict of seats in a match that umpire failed to play.
const notPlayed = "not played"

// listedSeat is a seat of a match in a list.
type listedSeat struct {
	row     int32 // in the standings, from 0; -1: in none
	place   int32
	verdict string
	score   protocols.Score
}

// seatsOf are the seats of a match whose bots have rows in the standings.
func seatsOf(b *record.Summary, rows []int) []listedSeat {
	seats := make([]listedSeat, len(rows))
	for i, seat := range b.Seats {
		seats[i] = listedSeat{int32(rows[i]), int32(seat.Place), seat.Verdict, seat.Score}
		if b.Failed {
			seats[i].verdict = notPlayed
		}
	}
	return seats
}

// add lists a match on a case, which is the at-th of a unit, from 0.
func (l *lister) add(name string, seats []listedSeat, number, at int) error {
	if l.count == maxListed {
		if err := l.flush(); err != nil {
			return err
		}
	}
	if n := len(l.units); n == 0 || l.units[n-1][0] != number {
		l.units = append(l.units, [3]int{number, at, 0})
	}
	l.units[len(l.units)-1][2]++
	if l.count > 0 {
		l.rows.WriteByte(',')
	}
	fmt.Fprintf(&l.rows, "[%d", l.cases.Of(name))
	for _, seat := range seats {
		fmt.Fprintf(&l.rows, ",%d,%d,%v,%d", seat.row, l.verdicts.Of(page.SafeLine(seat.verdict)), seat.score, seat.place)
	}
	l.rows.WriteByte(']')
	l.count++
	return nil
}

// pagesOf is how many pages list that many matches.
func pagesOf(matches int) int { return max(1, (matches+maxListed-1)/maxListed) }

// flush writes a page and begins the next.
func (l *lister) flush() error {
	before := maxListed * l.pages
	l.pages++
	v := listView{
		chrome: l.out.chrome("Matches", SiteStyle(), listText, matchesText),
		Pages:  pagesOf(l.total), Last: before + l.count, Total: l.total,
		Data: listed{First: before + 1, Cases: l.cases.Values, Verdicts: l.verdicts.Values, Units: l.units},
	}
	for n := 1; n <= v.Pages; n++ {
		if n != l.pages {
			v.Others = append(v.Others, listName(n))
		}
	}
	for i, row := range l.view.Of.Rows {
		v.Bots = append(v.Bots, option{i + 1, page.SafeLine(row.Bot)})
		v.Data.Bots = append(v.Data.Bots, page.SafeLine(row.Bot))
	}
	v.Data.Rows = slices.Concat([]byte("["), l.rows.Bytes(), []byte("]"))
	if l.pages == 1 && l.view.Game.MaxSeats > 1 {
		if err := writePairs(l.out, l.view, v.Data, l.count, l.total); err != nil {
			return err
		}
	}
	*l = lister{out: l.out, view: l.view, total: l.total, pages: l.pages}
	_, err := l.out.write(listName(l.pages), "matches", v)
	return err
}

// compared is the data of the page that compares two bots.
type compared struct {
	listed
	Sure [][3]int `json:"sure"` // two rows of the standings, and the likelihood that the first is the stronger bot, in thousandths
}

// pairsView is that page.
type pairsView struct {
	chrome
	Data template.HTML
	More int // the page knows as many matches; 0: all
}

// writePairs writes the page that compares two bots by the matches of a list, the first of
// all of them.
func writePairs(out publisher, view report.Standings, list listed, matches, total int) error {
	data := compared{listed: list}
	place := rowsOf(view.Of)
	for _, p := range view.Of.Pairs {
		if sure, ok := view.Superior(p); ok {
			data.Sure = append(data.Sure, [3]int{place[p.Bot], place[p.Opponent], int(math.Round(1000 * sure))})
		}
	}
	packed, err := out.pack(data)
	if err != nil {
		return err
	}
	v := pairsView{chrome: out.chrome("Head to head", SiteStyle(), page.UnpackScript(), listText, pairsText), Data: packed}
	v.Policy += "; " + replay.FramePolicy
	if matches < total {
		v.More = matches
	}
	_, err = out.write(pairsName, "pairs", v)
	return err
}
