package html

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"unicode/utf8"

	"umpire/protocols"
	"umpire/protocols/svg"
	"umpire/referee"
	"umpire/referee/analysis"
	"umpire/referee/record"
	"umpire/referee/report"
)

// What a page shows of things that have no bound of their own.
const (
	maxLines  = 400 << 10 // bytes of all lines exchanged
	maxLine   = 4 << 10   // bytes of one line exchanged
	maxText   = 32 << 10  // bytes of the case
	maxMove   = 60        // characters of a move in the list
	maxPhases = 60        // pictures that lead to one position
	maxStatic = 400       // moves that are listed without a script
)

// replay is all that is on the page of a match. Its texts are safe to show: what
// can't be seen is written out.
type replay struct {
	Title, Game, CaseName, CaseText string
	ID, Started, Isolation, Umpire  string
	Budget, PerMove, Startup, Clock string // "" where there is none
	Error                           string // why umpire failed to play it
	People                          bool   // a person played, who has no limit
	Cut                             bool   // a reply is kept in part only, so the outcome is that of the record
	Left                            int    // positions of a batch task that are not shown
	NoErrors                        bool   // standard error is not for this reader
	Undrawn                         int    // steps after which no position is drawn
	Command                         string // shows what the page leaves out; "" if it leaves out nothing
	Seats                           []seat
	Chart                           chart
	Worth                           worth
	Balance                         bool // the steps say what the first of two seats may expect
	Marked                          bool // replies that lost something
	Data                            data

	// For readers without JavaScript, on a page that has one match.
	Last  template.HTML
	Moves []step
}

// Packed is the Data as the page has it.
func (v *replay) Packed() (template.HTML, error) { return pack(v.Data) }

// Ended reports whether the match has a result.
func (v *replay) Ended() bool { return v.Error == "" }

// Ranked returns the seats as the page names them: two in their order, more of them by
// their places.
func (v *replay) Ranked() []seat {
	if len(v.Seats) == 2 || !v.Ended() {
		return v.Seats
	}
	return slices.SortedStableFunc(slices.Values(v.Seats), func(a, b seat) int { return cmp.Compare(a.Place, b.Place) })
}

// outcome says in a line who met, and how it ended.
func (v *replay) outcome() string {
	var list []string
	for i, s := range v.Ranked() {
		switch {
		case !v.Ended():
			list = append(list, s.Bot)
		case len(v.Seats) == 2 && i == 1:
			list = append(list, fmt.Sprintf("%v %s", s.Score, s.Bot))
		default:
			list = append(list, fmt.Sprintf("%s %v", s.Bot, s.Score))
		}
	}
	if len(v.Seats) == 2 && v.Ended() {
		return strings.Join(list, " : ")
	}
	return strings.Join(list, ", ")
}

// seat is a seat as it ended.
type seat struct {
	Number                                    int
	Bot, Verdict, Detail, Stderr, StderrAfter string
	Words                                     string // all that a compiler said, where Detail is a line of it
	Score                                     protocols.Score
	Place, Replies                            int
	First                                     bool // alone in the first place
	Time, Memory                              string
	BudgetUS                                  int64 // 0: none
}

// data is the input of the page's script.
type data struct {
	Bots    []string `json:"bots"`
	Budgets []int64  `json:"budgets"` // microseconds of each seat; 0: none
	Texts   texts    `json:"texts"`   // of pictures
	Steps   steps    `json:"steps"`
	Viewer  string   `json:"viewer,omitempty"` // its address
}

// step is a position, and how it came about. The first is the start.
type step struct {
	Seat   int               `json:"s,omitempty"` // whose move it was; 0: nobody's
	Move   string            `json:"m,omitempty"`
	Kind   string            `json:"k,omitempty"` // of a failure
	Why    string            `json:"w,omitempty"`
	Auto   bool              `json:"a,omitempty"` // played for the seat, which was not asked
	WallUS int64             `json:"u,omitempty"`
	CostUS int64             `json:"c,omitempty"` // of the seat's budget; of a person, who has none, all the time
	Scores []protocols.Score `json:"r,omitempty"` // where they changed
	Lines  []line            `json:"l,omitempty"`
	Worth  *stepWorth        `json:"x,omitempty"`
	Phases []picture         `json:"f,omitempty"` // that led to the picture
	State  int               `json:"v,omitempty"` // the text of what a viewer is told, counted from 1
	picture
	timed bool
}

// line is one that was exchanged.
type line struct {
	Seats []int  `json:"s"`
	From  bool   `json:"f,omitempty"` // from the seat, not to it
	Text  string `json:"t"`
}

func newReplay(r record.Record, games []protocols.Game, viewer string, worth *analysis.Match) (*replay, error) {
	in := newAlbum()
	v, err := newReplayIn(in, wholePage, r, games, viewer, worth)
	if err == nil {
		v.Data.Texts = in.texts
		v.Last = last(v.Data.Steps, in.texts)
		if len(v.Data.Steps) <= maxStatic {
			v.Moves = v.Data.Steps[1:]
		}
	}
	return v, err
}

// newReplayIn keeps the pictures in an album that other matches may share. Viewer is the
// address of the game's viewer; "" if there is none. Worth is what the replies were worth;
// nil: that is not known.
func newReplayIn(in *album, most bounds, r record.Record, games []protocols.Game, viewer string, worth *analysis.Match) (*replay, error) {
	if r.IsRelayed() {
		return newTalk(in, most, r, games)
	}
	setup, _, err := r.Setup(games)
	if err != nil {
		return nil, err
	}
	costs, err := r.Charged()
	if err != nil {
		return nil, err
	}
	in.begin()
	p := player{album: in, most: most, costs: costs, viewer: viewer, worth: worth, hints: make(map[int]int)}
	for _, s := range r.Seats {
		p.people = append(p.people, s.Kind == record.KindHuman)
	}
	p.start(setup.Case.Start(len(r.Seats)))
	played, err := r.Replay(games, referee.Watcher{Sent: p.sent, Awaited: p.awaited, Event: p.event, AutoMove: p.autoMove})
	if err != nil && r.Error == "" {
		return nil, err
	}
	p.end()

	v := &replay{Game: setup.Game.Title, Error: published(r.Error), Cut: r.Cut(), Left: p.left, Undrawn: p.undrawn}
	v.facts(r)
	v.Command = p.command(r.Called())
	bots, budgets := make([]string, len(r.Seats)), make([]int64, len(r.Seats))
	for i, s := range r.Seats {
		if !v.Cut && r.Error == "" {
			s.Verdict, s.Detail = string(played.Seats[i].Verdict), played.Seats[i].Detail
			s.WallUS = cmp.Or(s.WallUS, played.Seats[i].Wall.Microseconds())
			s.Score, s.Place, s.Replies = played.Seats[i].Score, played.Seats[i].Place, played.Seats[i].Replies
		}
		v.Seats = append(v.Seats, newSeat(i+1, s, r.Limits.TimeUS))
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
	v.Data = data{Bots: bots, Budgets: budgets, Steps: p.steps, Viewer: viewer}
	if worth != nil {
		v.addWorth(in, worth, p.hints)
	}
	return v, nil
}

// facts fills in what the record says of the match as a whole.
func (v *replay) facts(r record.Record) {
	v.CaseName, v.CaseText = safeLine(r.Case.Name), safe(clip(r.Case.Text, maxText))
	v.ID, v.Started = safeLine(r.Called()), safeLine(r.Started)
	v.Isolation, v.Umpire = safeLine(r.Isolation), safeLine(r.Umpire)
	v.Clock = cmp.Or(safeLine(r.Limits.Clock), "wall")
	for _, limit := range []struct {
		us   int64
		text *string
	}{{r.Limits.TimeUS, &v.Budget}, {r.Limits.MoveUS, &v.PerMove}, {r.Limits.StartUS, &v.Startup}} {
		if limit.us > 0 {
			*limit.text = report.TimeText(limit.us)
		}
	}
}

func newSeat(number int, s record.Seat, budget int64) seat {
	if s.Kind == record.KindHuman {
		budget = 0
	}
	out := seat{
		Number: number, Bot: cmp.Or(safeLine(s.Bot), fmt.Sprintf("seat %d", number)),
		Verdict: safeLine(s.Verdict), Detail: published(s.Detail), Stderr: published(s.Stderr), StderrAfter: published(s.StderrAfter),
		Score: s.Score, Place: s.Place, Replies: s.Replies, BudgetUS: budget, Time: report.TimeText(s.WallUS), Memory: "–",
	}
	if s.Detail == referee.Left {
		out.Verdict, out.Detail = referee.Verdict(s.Verdict).Word(s.Detail), ""
	}
	if s.Verdict == string(protocols.KindCompile) {
		p := detailOf(s.Verdict, s.Detail)
		out.Detail, out.Words = p.Line, p.Words
	}
	if used := max(s.WallUS, s.ChargedUS); s.Verdict == string(protocols.KindTime) && used > 0 {
		out.Time = ">" + report.TimeText(used)
	}
	if s.PeakBytes > 0 {
		out.Memory = fmt.Sprintf("%.1f MiB", float64(s.PeakBytes)/(1<<20))
	}
	return out
}

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
		p.steps = append(p.steps, step{Move: safeLine(shorten(label)), picture: p.album.add(drawn, text)})
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
		s.Kind, s.Why = string(e.Fail.Kind), published(e.Fail.Detail)
		if e.Fail.Detail == referee.Left {
			s.Kind, s.Why = referee.Verdict(e.Fail.Kind).Word(referee.Left), ""
		}
		if e.Fail.Kind == protocols.KindCompile {
			s.Why = detailOf(s.Kind, e.Fail.Detail).Line
		}
		s.timed = s.WallUS > 0
	} else {
		s.Move = move(e)
		p.line(line{Seats: []int{e.Seat}, From: true, Text: shown(e.Reply)})
	}
	if foul != nil {
		s.Kind, s.Why = string(protocols.KindFoul), safe(foul.Reason)
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

// verdict marks the last reply of a seat that was wrong.
func (p *player) verdict(number int, s seat) {
	if s.Verdict != string(referee.Wrong) {
		return
	}
	for i := len(p.steps) - 1; i >= 0; i-- {
		if step := &p.steps[i]; step.Seat == number && step.Kind == "" {
			step.Kind, step.Why = s.Verdict, s.Detail
			return
		}
	}
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
	return safeLine(shorten(text))
}

func shorten(text string) string {
	if utf8.RuneCountInString(text) <= maxMove {
		return text
	}
	return string([]rune(text)[:maxMove-1]) + "…"
}

// shown is a line exchanged, or several of a batch task, without the end of the
// last one.
func shown(text string) string {
	return safe(clip(strings.TrimSuffix(text, "\n"), maxLine))
}

// clip cuts a long text, and says so.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	n := limit
	for n > limit-utf8.UTFMax && !utf8.RuneStart(text[n]) {
		n--
	}
	return fmt.Sprintf("%s… (%d bytes in all)", text[:n], len(text))
}
