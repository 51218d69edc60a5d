// Package replay plays a recorded match back on a page: its positions and pictures, the lines
// exchanged, times, and what replies were worth. A page holds one match or several that share
// what they have in common. The package knows neither standings nor the site of a run.
package replay

import (
	"cmp"
	"slices"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/analysis"
	"umpire/referee/record"
	"umpire/referee/report/html/page"
)

// Match is a match to play back, which is played again by the game's rules.
type Match struct {
	Record record.Record
	Games  []protocols.Game
	Viewer string          // address of the game's viewer; "" if there is none
	Run    string          // names its run to commands; "": that is not known
	Worth  *analysis.Match // what the replies were worth; nil: that is not known
	// Unvalued is why that is not known although it was asked for; "": it was not.
	Unvalued string
}

// view makes the page of a match that has it to itself.
func (m Match) view() (*view, error) {
	in := &album{}
	v, err := m.viewIn(in, wholePage)
	if err == nil {
		v.Data.Texts = in.texts.Values
		v.Last, v.Unvalued = last(v.Data.Steps, in.texts.Values), page.Safe(m.Unvalued)
		if len(v.Data.Steps) <= maxStatic {
			v.Moves = v.Data.Steps[1:]
		}
	}
	return v, err
}

// viewIn keeps the pictures in an album that other matches may share.
func (m Match) viewIn(in *album, most bounds) (*view, error) {
	r := m.Record
	if r.IsRelayed() {
		return newTalk(in, most, m)
	}
	setup, _, err := r.Setup(m.Games)
	if err != nil {
		return nil, err
	}
	costs, err := r.Charged()
	if err != nil {
		return nil, err
	}
	in.begin()
	p := player{album: in, most: most, costs: costs, viewer: m.Viewer, worth: m.Worth, judged: r.Package != nil, hints: make(map[int]int)}
	for _, s := range r.Seats {
		p.people = append(p.people, s.Kind == record.KindHuman)
	}
	p.start(setup.Case.Start(len(r.Seats)))
	played, err := r.Replay(m.Games, referee.Watcher{Sent: p.sent, Awaited: p.awaited, Event: p.event, AutoMove: p.autoMove})
	if err != nil && r.Error == "" {
		return nil, err
	}
	p.end()

	v := &view{Game: page.SafeLine(setup.Game.Title), Error: page.Published(r.Error), Cut: r.Cut(), Left: p.left, Undrawn: p.undrawn}
	v.facts(r)
	v.Command = p.command(m.Run, r.Called())
	bots, budgets := make([]string, len(r.Seats)), make([]int64, len(r.Seats))
	for i, s := range r.Seats {
		if !v.Cut && r.Error == "" {
			s.Verdict, s.Detail = string(played.Seats[i].Verdict), played.Seats[i].Detail
			s.WallUS = cmp.Or(s.WallUS, played.Seats[i].Wall.Microseconds())
			s.Score, s.Place, s.Replies = played.Seats[i].Score, played.Seats[i].Place, played.Seats[i].Replies
		}
		s.ChargedUS = p.charged(i + 1)
		v.Seats = append(v.Seats, newSeat(i+1, s, r.Limits.TimeUS, p.judged))
		bots[i], budgets[i] = v.Seats[i].Bot, v.Seats[i].BudgetUS
		p.verdict(i+1, v.Seats[i])
	}
	first := slices.IndexFunc(v.Seats, func(s seat) bool { return s.Place == 1 })
	if first >= 0 && len(v.Seats) > 1 && !slices.ContainsFunc(v.Seats[first+1:], func(s seat) bool { return s.Place == 1 }) {
		v.Seats[first].First = v.Ended()
	}
	v.Title = v.Game + ": " + v.outcome()
	v.Chart = newChart(p.steps, bots)
	v.People = slices.Contains(p.people, true)
	v.Data = data{Bots: bots, Budgets: budgets, Steps: p.steps, Viewer: m.Viewer}
	if m.Worth != nil {
		v.Worth = newWorth(in, m.Worth, p.hints, p.steps, bots)
	}
	return v, nil
}
