package replay

import (
	"fmt"
	"strings"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/report"
	"umpire/referee/report/html/page"
)

// talkLines is how many lines of the talk are shown at a step, the last ones.
const talkLines = 24

// newTalk shows the match of a problem package: each step adds something that the
// submission or its judge did, side by side.
func newTalk(in *album, most bounds, m Match) (*view, error) {
	r := m.Record
	g, _, err := r.Parse(m.Games)
	if err != nil {
		return nil, err
	}
	seen, err := r.Seen()
	if err != nil {
		return nil, err
	}
	in.begin()
	p := player{album: in, most: most}
	p.steps = append(p.steps, step{picture: in.add("", func() string { return report.TalkHead })})
	var lines []string
	several := report.Several(seen)
	for i, e := range seen {
		e = published(e)
		said := report.TalkLines(e, several)
		lines = append(lines, said...)
		lines = lines[max(0, len(lines)-talkLines):]
		if i >= most.positions || in.bytes > most.pictures {
			p.left++
			continue
		}
		s := step{Seat: min(e.Seat, 1), Move: page.SafeLine(page.Shorten(report.ExchangeLines(e)[0]))}
		if e.Seat == 0 && e.Text != "" {
			s.Move = "judge: " + s.Move
		}
		if e.Text != "" {
			p.line(line{Seats: []int{1}, From: e.Seat > 0, Text: shown(e.Text)})
		}
		if e.Fail != nil && e.Seat > 0 {
			s.Kind, s.Why = string(e.Fail.Kind), e.Fail.Detail
		}
		s.Lines, p.lines = p.lines, nil
		s.picture = in.add("", func() string { return report.TalkHead + "\n" + strings.Join(lines, "\n") })
		p.steps = append(p.steps, s)
	}
	if len(r.Seats) != 1 {
		return nil, fmt.Errorf("seats: found %d, expected 1", len(r.Seats))
	}
	v := &view{Game: page.SafeLine(g.Title), Error: page.Published(r.Error), Left: p.left}
	v.facts(r)
	if p.left > 0 {
		v.Command = Command(m.Run, r.Called())
	}
	s := r.Seats[0]
	s.WallUS = r.Took(1)
	v.Seats = []seat{newSeat(1, s, 0, true)}
	v.Title = v.Game + ": " + v.outcome()
	v.Data = data{Bots: []string{v.Seats[0].Bot}, Budgets: []int64{0}, Steps: p.steps}
	return v, nil
}

// published leaves out the folders of the machine where a judge, or what failed, says why.
func published(e referee.Exchange) referee.Exchange {
	e.Detail = page.Detail(string(referee.Wrong), e.Detail, true)
	if e.Fail != nil {
		e.Fail = &protocols.Failure{Kind: e.Fail.Kind, Detail: page.Detail(string(e.Fail.Kind), e.Fail.Detail, true)}
	}
	return e
}
