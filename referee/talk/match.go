package talk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"umpire/protocols"
	"umpire/referee"
)

// Judge says how a match goes.
type Judge interface {
	// Hear tells the judge lines, joined by newlines, and passes each line that it says
	// to say, until that returns true. Lines of the first call begin the match. The
	// error is that of ctx, or says how the judge failed.
	Hear(ctx context.Context, lines string, say func(line string) (complete bool)) error
}

// Error is how a judge erred, which is no bot's fault.
type Error struct {
	Line     int    // of what it said, from 1; 0: it is about none
	Text     string // the line
	Expected error  // what was found and expected, or how it failed
	Seat     int    // whose reply was the last; 0: nobody had replied
	Reply    string
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("judge: ")
	if e.Line > 0 {
		fmt.Fprintf(&b, "line %d, %s: ", e.Line, protocols.Quote(e.Text))
	}
	fmt.Fprintf(&b, "%v", e.Expected)
	if e.Seat > 0 {
		fmt.Fprintf(&b, "; the last reply was %s of seat %d", protocols.Quote(e.Reply), e.Seat)
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Expected }

// Bounds on what a judge may say in a match, in bytes.
const (
	maxTalk     = 4 << 20
	maxPictures = 16 << 20 // of pictures and states
)

// droppedNote stands where a judge has drawn more than that.
var droppedNote = fmt.Sprintf("note pictures and states beyond %s of a match are dropped", referee.Size(maxPictures))

// Match is a match that goes as its judge says.
type Match struct {
	// Begin is the lines by which the judge hears of the match.
	Begin string
	// Drop leaves out what a line with this verb says; nil: nothing is left out.
	Drop func(verb string) bool
	// Blame says that a seat after whose reply the judge errs has lost.
	Blame bool

	facts     Facts
	seats     int
	lost, won protocols.Score
	judge     Judge
	begun     bool
	recorded  bool       // the match is over: nothing is hidden any more
	mu        sync.Mutex // guards talk, which onlookers read
	talk      []string
	bytes     int // of the talk but its pictures
	pictures  int // bytes
	dropped   bool
	heard     int // lines

	now     *step
	next    *step
	reader  parser
	say     func(line string) bool // said
	wrong   *Error                 // in the line that was said last
	lines   []byte                 // what the judge is told, whose room is used again
	sent    []protocols.Line       // of this step, without those for seats that are out
	replied []int                  // seats of this step that the judge hears a reply of
	pending int                    // answers of this step that are not yet applied
	rulings [MaxSeats]string       // fouls of this step
	out     [MaxSeats]bool
	replies int
	last    referee.Answer

	over   bool
	fresh  bool // the position is there since the last answer
	result []protocols.Outcome
	err    error // of begin
}

// NewMatch returns a match with a judge. The facts must have been checked.
func NewMatch(f Facts, seats int, judge Judge) *Match {
	m := &Match{facts: f, seats: seats, judge: judge, now: new(step), next: new(step)}
	m.say = m.said
	m.lost, m.won, _ = f.Scores()
	m.result = outcomes(make([]protocols.Score, seats), nil)
	return m
}

var _ referee.Judged = (*Match)(nil)

// begin hears the first step of a judge that need not be waited for.
func (m *Match) begin() { m.err = m.Hear(context.Background(), nil) }

// Talk implements referee.Judged.
func (m *Match) Talk() string { return strings.Join(m.talk, "\n") }

// Hear implements referee.Judged.
func (m *Match) Hear(ctx context.Context, answers []referee.Answer) error {
	if len(answers) == 0 {
		if !m.begun {
			m.begun = true
			m.err = m.listen(ctx, m.Begin, nil)
			if m.err == nil {
				m.advance()
			}
		}
		return m.err
	}
	m.rulings, m.pending = [MaxSeats]string{}, len(answers)
	lines, replied := m.lines[:0], m.replied[:0]
	for _, a := range answers {
		m.last = a
		verb, what := "\nfail ", string(protocols.KindFoul)
		if a.Failure != nil {
			what = string(a.Failure.Kind)
		} else {
			m.replies++
			why := m.rule(a.Seat, a.Text)
			if m.rulings[a.Seat-1] = why; why == "" {
				replied = append(replied, a.Seat)
				verb, what = "\nreply ", m.told(a.Seat, a.Text)
			}
		}
		lines = append(strconv.AppendInt(append(lines, verb...), int64(a.Seat), 10), ' ')
		lines = append(lines, what...)
	}
	m.lines, m.replied = lines, replied
	switch {
	case len(replied) < len(answers) && m.ends():
		m.next.reset()
		return nil
	case m.replies >= m.facts.Longest():
		*m.next = step{over: true, scores: slices.Repeat([]protocols.Score{half(m.lost.Plus(m.won))}, m.seats), notes: []string{
			fmt.Sprintf("the match is a draw after %d replies", m.replies),
		}}
		return nil
	}
	out := m.out
	for _, a := range answers {
		m.out[a.Seat-1] = m.out[a.Seat-1] || !slices.Contains(replied, a.Seat)
	}
	err := m.listen(ctx, string(lines[1:]), replied)
	m.out = out
	return err
}

// ends reports whether the match is over when a seat has failed.
func (m *Match) ends() bool { return m.facts.OnFailure != Continues }

// rule returns why a reply is a foul, whatever the judge would say; "" if it is none.
func (m *Match) rule(seat int, text string) string {
	if m.facts.Replies != Bytes {
		if !utf8.ValidString(text) {
			return fmt.Sprintf("answered %s, which is not UTF-8, expected text", protocols.Quote(text))
		}
		if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\t' }) {
			return fmt.Sprintf("answered %s, which holds a control character, expected text", protocols.Quote(text))
		}
	}
	choices := m.now.choices[seat-1]
	if len(choices) == 0 {
		return ""
	}
	if _, known := m.now.tidied[seat-1][protocols.Tidy(text)]; known {
		return ""
	}
	const most = 12
	var list []string
	for _, c := range choices[:min(most, len(choices))] {
		list = append(list, cmp.Or(c.Reply, "an empty line"))
	}
	expected := strings.Join(list, ", ")
	switch {
	case len(choices) > most:
		expected = fmt.Sprintf("one of %d replies, such as %s", len(choices), expected)
	case len(choices) > 1:
		expected = "one of " + expected
	}
	return fmt.Sprintf("answered %s, expected %s", protocols.Quote(text), expected)
}

// told returns a reply as the judge hears it: a choice as it wrote it.
func (m *Match) told(seat int, text string) string {
	if len(m.now.choices[seat-1]) > 0 {
		return m.now.tidied[seat-1][protocols.Tidy(text)] // which is known: see rule
	}
	return text
}

// listen tells the judge lines and hears its next step.
func (m *Match) listen(ctx context.Context, lines string, replied []int) error {
	p := &m.reader
	m.read(replied)
	before := len(m.talk)
	err := m.judge.Hear(ctx, lines, m.say)
	switch {
	case m.wrong != nil:
		err = m.wrong
	case err != nil && m.ends() && p.fouls != [MaxSeats]string{}:
		err = nil // it need not say more
	case err != nil && ctx.Err() == nil && !referee.IsVoid(err):
		err = &Error{Expected: err}
	case p.refused != nil:
		return p.refused
	}
	if erred, ok := errors.AsType[*Error](err); ok {
		if erred.Seat = m.last.Seat; erred.Seat > 0 && m.last.Failure == nil {
			erred.Reply = m.last.Text
		}
		if m.Blame && slices.Contains(replied, erred.Seat) {
			m.mu.Lock()
			m.talk = m.talk[:before]
			m.mu.Unlock()
			m.read(replied)
			p.blame(erred, m)
			err = nil
		}
	}
	return err
}

// said takes a line of the judge's, and reports whether the step is complete, or wrong.
func (m *Match) said(line string) bool {
	m.heard++
	m.wrong = m.take(&m.reader, line)
	return m.wrong != nil || m.reader.complete
}

// read prepares to read the next step.
func (m *Match) read(replied []int) {
	m.next.reset()
	m.wrong = nil
	m.reader = parser{
		step: m.next, seats: m.seats, first: len(m.talk) == 0, lines: strings.Count(m.Begin, "\n"), replied: replied, mayFoul: append(m.reader.mayFoul[:0], replied...),
		out: m.out[:m.seats], ends: m.ends(),
	}
}

// blame makes the seat lose after whose reply the judge has erred.
func (p *parser) blame(e *Error, m *Match) {
	scores := slices.Repeat([]string{cmp.Or(m.facts.Won, "1")}, p.seats)
	scores[e.Seat-1] = cmp.Or(m.facts.Lost, "0")
	why := fmt.Sprintf("foul %d the judge failed after this reply: %s", e.Seat, printable(e.Expected.Error()))
	for _, line := range []string{why, "end " + strings.Join(scores, " ")} {
		if !p.complete {
			_ = m.take(p, line)
		}
	}
}

// take takes a line of the judge's.
func (m *Match) take(p *parser, line string) *Error {
	verb, _, _ := strings.Cut(line, " ")
	switch verb {
	case "svg", "svg-to", "state", "state-to":
		if m.Drop != nil && m.Drop(strings.TrimSuffix(verb, "-to")) {
			return nil
		}
		if m.pictures += len(line) + 1; m.pictures > maxPictures {
			if m.dropped {
				return nil
			}
			line = droppedNote
		}
	case "value":
		if m.Drop != nil && m.Drop(verb) {
			return nil
		}
		fallthrough
	default:
		if m.bytes += len(line) + 1; m.bytes > maxTalk {
			return &Error{Expected: fmt.Errorf("it said more than %s, pictures and states aside", referee.Size(maxTalk))}
		}
	}
	m.dropped = m.dropped || line == droppedNote // which the talk says again
	if err := p.line(line); err != nil {
		return &Error{Line: m.heard, Text: line, Expected: err}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.talk = append(m.talk, line)
	return nil
}

// advance makes the step that was heard the present one.
func (m *Match) advance() {
	before := &m.now.shown
	m.now, m.next, m.fresh = m.next, m.now, true
	for i := range m.now.shown {
		s := &m.now.shown[i]
		if s.board == nil {
			s.board = before[i].board
		}
		if m.dropped { // what there was before is not how it is now
			continue
		}
		s.state = cmp.Or(s.state, before[i].state)
		if n := len(before[i].svg); s.svg == nil && n > 0 {
			s.svg, s.clean = before[i].svg[n-1:], before[i].clean
		}
	}
	m.next.fouls = [MaxSeats]string{}
	if len(m.now.send) > 1 {
		slices.SortStableFunc(m.now.send, func(a, b protocols.Line) int { return a.Seat - b.Seat })
	}
	if m.now.over {
		m.over, m.result = true, outcomes(m.now.scores, m.now.places)
	}
}

// Next implements protocols.Match.
func (m *Match) Next() protocols.Step {
	step := protocols.Step{}
	m.sent = m.sent[:0]
	for _, l := range m.now.send {
		if !m.out[l.Seat-1] {
			m.sent = append(m.sent, l)
		}
	}
	step.Send = m.sent
	m.now.send = m.now.send[:0]
	if !m.over {
		step.Await = m.now.await
	}
	return step
}

// Reply implements protocols.Match.
func (m *Match) Reply(seat int, _ string) *protocols.Foul {
	if why := cmp.Or(m.rulings[seat-1], m.next.fouls[seat-1]); why != "" {
		return &protocols.Foul{Reason: why}
	}
	m.applied()
	return nil
}

// Fail implements protocols.Match.
func (m *Match) Fail(seat int, _ protocols.Failure) {
	m.out[seat-1] = true
	m.applied()
}

// applied counts an answer; when all are there, the match goes on, or is over.
func (m *Match) applied() {
	m.fresh = false
	if m.pending--; m.pending > 0 {
		return
	}
	if !m.ends() || !slices.Contains(m.out[:m.seats], true) {
		m.advance()
		return
	}
	scores := slices.Repeat([]protocols.Score{m.won}, m.seats)
	for i, out := range m.out[:m.seats] {
		if out {
			scores[i] = m.lost
		}
	}
	places := protocols.Places(m.seats, func(a, b int) bool { return !m.out[a] && m.out[b] })
	m.now.send, m.now.await, m.now.notes = nil, nil, nil
	m.over, m.result = true, outcomes(scores, places)
}

// half is the half of a score, rounded to millionths.
func half(s protocols.Score) protocols.Score {
	n := s.Micros().Int64() / 2
	sign := ""
	if n < 0 {
		n, sign = -n, "-"
	}
	h, _ := protocols.ParseScore(fmt.Sprintf("%s%d.%06d", sign, n/1e6, n%1e6))
	return h
}

// outcomes returns the outcomes of scores, placed by them or as places say.
func outcomes(scores []protocols.Score, places []int) []protocols.Outcome {
	if places == nil {
		places = protocols.Places(len(scores), func(a, b int) bool { return scores[a].Compare(scores[b]) > 0 })
	}
	list := make([]protocols.Outcome, len(scores))
	for i, score := range scores {
		list[i] = protocols.Outcome{Score: score, Place: places[i]}
	}
	return list
}

// Result implements protocols.Match.
func (m *Match) Result() []protocols.Outcome { return slices.Clone(m.result) }

// Ended reports whether the judge has ended the match by itself.
func (m *Match) Ended() bool { return m.over && m.now.said }

// Begun is a case whose match is there already.
type Begun struct {
	protocols.Case
	Match protocols.Match
}

// Start implements protocols.Case.
func (b Begun) Start(int) protocols.Match { return b.Match }
