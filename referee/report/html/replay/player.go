package replay

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"umpire/protocols"
	"umpire/protocols/svg"
	"umpire/referee"
	"umpire/referee/analysis"
	"umpire/referee/report/html/page"
)

// player gathers the steps of a match that is played again.
type player struct {
	album   *album
	most    bounds
	viewer  string
	costs   []int64 // of the events
	people  []bool  // by seat, from 0: a person took it
	steps   []step
	lines   []line // exchanged since the last step
	said    int    // bytes of all lines exchanged
	scores  []protocols.Score
	events  int
	left    int
	undrawn int
	worth   *analysis.Match // nil: it is not known
	judged  bool            // a judge may have worded why a seat failed
	hints   map[int]int     // texts of the drawings of the best replies, by step
}

// start adds the position at the start or, where the case alone determines the
// positions, all of them.
func (p *player) start(m protocols.Match) {
	if t, ok := m.(protocols.Tracer); ok {
		p.trace(t)
	}
	if len(p.steps) == 0 {
		p.add(step{}, m)
	}
	p.score(0, m)
}

// trace adds the positions of a batch task, as many as a page can hold.
func (p *player) trace(t protocols.Tracer) {
	n := 0
	for state := range t.Trace() {
		if n++; n > p.most.positions || p.album.bytes > p.most.pictures {
			p.left++
			continue
		}
		drawn, text := draw(state)
		label := cmp.Or(sentence(drawn), fmt.Sprintf("position %d", n))
		p.steps = append(p.steps, step{Move: page.SafeLine(page.Shorten(label)), picture: p.album.add(drawn, text)})
	}
}

// add adds a step to a position.
func (p *player) add(s step, position any) {
	if p.album.bytes > p.most.pictures {
		p.undrawn++
		s.picture = p.album.add("", func() string { return noPicture })
	} else {
		if phaser, ok := position.(protocols.Phaser); ok && p.most.phases {
			s.Phases = p.phases(phaser)
		}
		s.picture = p.album.add(draw(position))
		s.State = p.state(position)
	}
	p.steps = append(p.steps, s)
}

// phases adds the pictures that led to a position, as far as a page can hold them.
func (p *player) phases(of protocols.Phaser) (list []picture) {
	for _, drawn := range of.Phases() {
		if len(list) < maxPhases && p.album.bytes <= p.most.pictures {
			list = append(list, p.album.add(svg.WithoutStyle(drawn), func() string { return "" }))
		}
	}
	return list
}

// state keeps what a viewer is told of a position; 0: nothing.
func (p *player) state(position any) int {
	at, ok := position.(protocols.Position)
	if p.viewer == "" || !ok || p.album.bytes > p.most.pictures {
		return 0
	}
	text, err := json.Marshal(at.State())
	if err != nil {
		return 0
	}
	return p.album.text(string(text)) + 1
}

// score notes the scores at a step, if they are others than before.
func (p *player) score(n int, m protocols.Match) {
	var scores []protocols.Score
	for _, o := range m.Result() {
		scores = append(scores, o.Score)
	}
	if !slices.Equal(scores, p.scores) {
		p.scores, p.steps[n].Scores = scores, scores
	}
}

func (p *player) sent(seat int, text string) {
	text = shown(text)
	if last := len(p.lines) - 1; last >= 0 && !p.lines[last].From && p.lines[last].Text == text && !slices.Contains(p.lines[last].Seats, seat) {
		p.lines[last].Seats = append(p.lines[last].Seats, seat)
		return
	}
	p.line(line{Seats: []int{seat}, Text: text})
}

// line keeps a line exchanged, as far as there is room for it.
func (p *player) line(l line) {
	if p.said > maxLines {
		return
	}
	if p.said += 1 + len(l.Text); p.said > maxLines {
		l.Text = "… (this line and all later ones are left out, to bound the size of the page)"
	}
	p.lines = append(p.lines, l)
}

// awaited draws the best reply, if the one to come is another.
func (p *player) awaited(_ []int, m protocols.Match) {
	d, ok := m.(protocols.ReplyDrawer)
	move, _ := p.worth.At(len(p.steps))
	if !ok || move == nil || move.Lost == 0 || p.album.bytes > p.most.pictures {
		return
	}
	if drawn := d.DrawReply(move.Seat, move.Best, "best"); drawn != "" {
		p.hints[move.Step] = p.album.text(drawn)
	}
}

func (p *player) event(e referee.Event, foul *protocols.Foul, m protocols.Match) {
	s := step{Seat: e.Seat, WallUS: e.Wall.Microseconds(), timed: true}
	if p.events < len(p.costs) {
		s.CostUS = p.costs[p.events]
	}
	if p.people[e.Seat-1] {
		s.CostUS = s.WallUS
	}
	p.events++
	if e.Fail != nil {
		s.Kind, s.Why = string(e.Fail.Kind), page.Detail(string(e.Fail.Kind), e.Fail.Detail, p.judged)
		if e.Fail.Detail == protocols.Left {
			s.Kind, s.Why = referee.Verdict(e.Fail.Kind).Word(protocols.Left), ""
		}
		if e.Fail.Kind == protocols.KindCompile {
			s.Why = page.DetailOf(s.Kind, e.Fail.Detail, p.judged).Line
		}
		s.timed = s.WallUS > 0
	} else {
		s.Move = move(e)
		p.line(line{Seats: []int{e.Seat}, From: true, Text: shown(e.Reply)})
	}
	if foul != nil {
		s.Kind, s.Why = string(protocols.KindFoul), page.Detail(string(protocols.KindFoul), foul.Reason, p.judged)
	}
	s.Lines, p.lines = p.lines, nil
	p.add(s, m)
	p.score(len(p.steps)-1, m)
}

func (p *player) autoMove(seat int, at protocols.Position) {
	p.add(step{Seat: seat, Auto: true}, at)
	if m, ok := at.(protocols.Match); ok {
		p.score(len(p.steps)-1, m)
	}
}

// end leaves the lines that were sent last with the last step.
func (p *player) end() {
	last := &p.steps[len(p.steps)-1]
	last.Lines = append(last.Lines, p.lines...)
}

// charged returns how much of its budget a seat has used for its replies.
func (p *player) charged(seat int) (us int64) {
	for _, s := range p.steps {
		if s.Seat == seat {
			us += s.CostUS
		}
	}
	return us
}

// verdict marks the last reply of a seat that was wrong.
func (p *player) verdict(number int, s seat) {
	if s.Verdict != string(referee.Wrong) {
		return
	}
	for i := range slices.Backward(p.steps) {
		if step := &p.steps[i]; step.Seat == number && step.Kind == "" {
			step.Kind, step.Why = s.Verdict, s.Detail
			return
		}
	}
}

// command shows all positions and lines of a match of which the page leaves some
// out; "" if it leaves out none.
func (p *player) command(run, id string) string {
	switch {
	case p.left == 0 && p.undrawn == 0 && p.said <= maxLines:
		return ""
	case p.most == wholePage:
		return Command(run, id)
	}
	return Command(run, id) + " --html match.html"
}

// move is a reply as it stands in the list of moves.
func move(e referee.Event) string {
	text := strings.TrimRight(e.Reply, "\n")
	switch lines := strings.Count(text, "\n") + 1; {
	case e.Cut != nil:
		return fmt.Sprintf("%d bytes", e.Cut.Bytes)
	case lines > 1:
		return fmt.Sprintf("%d lines", lines)
	case text == "":
		return "nothing"
	}
	return page.SafeLine(page.Shorten(text))
}

// shown is a line exchanged, or several of a batch task, without the end of the
// last one.
func shown(text string) string {
	return page.Safe(page.Clip(strings.TrimSuffix(text, "\n"), maxLine))
}
