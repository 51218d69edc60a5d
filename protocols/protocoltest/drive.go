package protocoltest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"umpire/protocols"
)

// temper sets how a driver treats the seats, apart from drawing their replies.
type temper struct {
	junk  float64          // chance that a seat tries a junk reply first
	foul  float64          // chance that a junk reply's foul is ruled as one; else the seat goes on
	fail  float64          // chance that a seat fails instead of replying
	kinds []protocols.Kind // kinds of those failures
}

// event is the action of an awaited seat.
type event struct {
	seat  int
	reply string
	fail  protocols.Kind // "" for an accepted reply
}

func (e event) String() string {
	if e.fail != "" {
		return fmt.Sprintf("seat %d fails: %s", e.seat, e.fail)
	}
	return fmt.Sprintf("seat %d: %s", e.seat, protocols.Quote(e.reply))
}

// drive plays one match and checks every promise on the way. Two more matches
// run alongside: twin gets the same events except the fouls; loose gets the
// replies written untidily.
type drive struct {
	suite Suite
	game  protocols.Game
	seats int
	rng   *rand.Rand
	temper

	main, twin, loose protocols.Match

	step    int
	await   []int  // seats that owe a reply in this step
	whole   bool   // the step asks for a whole output
	batch   bool   // some step did
	failed  []bool // by seat, from 1
	closed  []bool // by seat: its input has been closed
	events  []event
	seen    *view  // view of main, if nothing has happened since
	last    view   // view of main, at the end
	kept    []kept // states to be checked again
	until   int    // stop after this many steps; 0: play to the end
	at      int    // in this step, from 1, seats first try the special reply
	special string
	busy    bool // some step awaited several seats

	script  []string             // replies to give, while they are the only ones given
	offered [][]protocols.Choice // what the awaited seats may choose in this step, by seat; nil if not checked

	pictures gallery // those that were checked

	playedOut int // exact values that were played out

	watch func(over bool) error // called after every Next, unless nil
}

// kept is a State and what it marshalled to when it was new.
type kept struct {
	state any
	json  string
}

func (s Suite) newDrive(g protocols.Game, c sample, seats int, rng *rand.Rand, how temper) (*drive, error) {
	d := &drive{
		suite: s, game: g, seats: seats, rng: rng, temper: how,
		failed: make([]bool, seats+1), closed: make([]bool, seats+1), script: c.line,
		pictures: make(gallery, seats+1),
	}
	d.main = c.Start(seats)
	same, err := g.Parse(c.String())
	if err != nil {
		return nil, fmt.Errorf("parse %q: %w", c.String(), err)
	}
	d.twin, d.loose = same.Start(seats), same.Start(seats)
	return d, d.compare()
}

// play drives the match to its end.
func (d *drive) play() error {
	for d.until == 0 || d.step < d.until {
		if d.step == d.suite.steps() {
			return fmt.Errorf("the match does not end within %d steps", d.step)
		}
		more, err := d.playStep()
		if err != nil {
			return fmt.Errorf("step %d: %w%s", d.step, err, d.trail())
		}
		if !more {
			break
		}
	}
	if err := d.compareNow(); err != nil {
		return fmt.Errorf("after step %d: %w%s", d.step, err, d.trail())
	}
	d.last = *d.seen
	if err := d.checkOutcomes(); err != nil {
		return fmt.Errorf("after step %d: %w%s", d.step, err, d.trail())
	}
	for _, k := range d.kept {
		if now, err := marshal(k.state); err != nil || now != k.json {
			return fmt.Errorf("a state has changed with later play, from %s to %s (%v)", k.json, now, err)
		}
	}
	return nil
}

// trail is the end of the match's history, for messages.
func (d *drive) trail() string {
	const last = 10
	var b strings.Builder
	b.WriteString("\nafter:")
	events := d.events
	if len(events) > last {
		events = events[len(events)-last:]
		b.WriteString(" …")
	}
	for _, e := range events {
		fmt.Fprintf(&b, "\n  %v", e)
	}
	return b.String()
}

func (d *drive) playStep() (more bool, err error) {
	d.step++
	step := d.main.Next()
	send, await := slices.Clone(step.Send), slices.Clone(step.Await)
	if err := d.checkStep(step); err != nil {
		return false, err
	}
	if err := d.checkAutoMoves(); err != nil {
		return false, err
	}
	for _, m := range []protocols.Match{d.twin, d.loose} {
		other := m.Next()
		if !slices.Equal(other.Send, send) || !slices.Equal(other.Await, await) || other.Batch != step.Batch {
			return false, fmt.Errorf("the same match goes on in two ways, %+v and %+v", step, other)
		}
	}
	d.whole, d.batch = step.Batch, d.batch || step.Batch
	if err := d.compare(); err != nil {
		return false, err
	}
	d.await = await
	if err := d.noteChoices(); err != nil {
		return false, err
	}
	if d.watch != nil {
		if err := d.watch(len(await) == 0); err != nil {
			return false, err
		}
	}
	for _, seat := range await {
		if err := d.answer(seat); err != nil {
			return false, err
		}
		d.closed[seat] = step.Batch
	}
	if !slices.Equal(step.Send, send) || !slices.Equal(step.Await, await) {
		return false, errors.New("the step was changed before the next call of Next")
	}
	return len(await) > 0, nil
}

func (d *drive) checkStep(step protocols.Step) error {
	for _, l := range step.Send {
		if l.Seat < 1 || l.Seat > d.seats {
			return fmt.Errorf("a line for seat %d of %d: %q", l.Seat, d.seats, l.Text)
		}
		if d.failed[l.Seat] {
			return fmt.Errorf("a line for seat %d, which has failed: %q", l.Seat, l.Text)
		}
		if d.closed[l.Seat] {
			return fmt.Errorf("a line for seat %d, whose input was closed: %q", l.Seat, l.Text)
		}
		if err := d.checkLine(l, step.Batch); err != nil {
			return fmt.Errorf("a line for seat %d: %w", l.Seat, err)
		}
	}
	for i, seat := range step.Await {
		switch {
		case seat < 1 || seat > d.seats:
			return fmt.Errorf("seat %d of %d is awaited", seat, d.seats)
		case i > 0 && step.Await[i-1] >= seat:
			return fmt.Errorf("awaited seats do not ascend: %v", step.Await)
		case d.failed[seat]:
			return fmt.Errorf("seat %d is awaited after it failed", seat)
		case d.closed[seat]:
			return fmt.Errorf("seat %d is awaited after its whole output", seat)
		}
	}
	if len(step.Await) > 1 && !d.game.Simultaneous {
		return fmt.Errorf("seats %v are awaited together in a game that is not simultaneous", step.Await)
	}
	d.busy = d.busy || len(step.Await) > 1
	return nil
}

// checkAutoMoves checks that Next changed the position only by the moves that
// the match shows as made without a reply.
func (d *drive) checkAutoMoves() error {
	if d.seen == nil {
		return nil
	}
	now, err := look(d.main, d.seats)
	if err != nil {
		return err
	}
	shown := *d.seen
	if auto, ok := d.main.(protocols.AutoMover); ok {
		for seat, at := range auto.AutoMoves() {
			if seat < 1 || seat > d.seats {
				return fmt.Errorf("a move of seat %d of %d without a reply", seat, d.seats)
			}
			shown.picture, shown.result = at.String(), now.result
			if shown.state, err = marshal(at.State()); err != nil {
				return fmt.Errorf("state after a move without a reply: %w", err)
			}
		}
	}
	if err := shown.differs(now); err != nil {
		return fmt.Errorf("Next leads to another position than it shows: %w", err)
	}
	return nil
}

func (d *drive) checkLine(l protocols.Line, whole bool) error {
	if whole {
		if strings.HasSuffix(l.Text, "\n") {
			return fmt.Errorf("%s ends with a newline, which the driver adds", protocols.Quote(l.Text))
		}
		return checkText(l.Text, "\n")
	}
	return checkText(l.Text, "")
}

// answer makes an awaited seat reply or fail.
func (d *drive) answer(seat int) error {
	if d.rng.Float64() < d.temper.fail {
		return d.fail(seat, d.kinds[d.rng.IntN(len(d.kinds))])
	}
	if d.step == d.at {
		if accepted, err := d.reply(seat, d.special, false); accepted || err != nil {
			return err
		}
	}
	if d.rng.Float64() < d.junk {
		accepted, err := d.reply(seat, d.junkReply(seat), false)
		if accepted || err != nil {
			d.script = nil
			return err
		}
		if d.rng.Float64() < d.foul {
			return d.fail(seat, protocols.KindFoul)
		}
	}
	return d.answerDrawn(seat)
}

// junkReply draws a reply that is probably not legal: a junk one, or one that was
// legal before and now is none of the seat's choices.
func (d *drive) junkReply(seat int) string {
	if len(d.events) > 0 && d.rng.IntN(3) == 0 {
		e := d.events[d.rng.IntN(len(d.events))]
		if e.fail == "" && (d.offered == nil || !d.isOffered(seat, e.reply)) {
			return e.reply
		}
	}
	return junkReply(d.rng)
}

func (d *drive) answerDrawn(seat int) error {
	if len(d.script) > 0 {
		text := d.script[0]
		d.script = d.script[1:]
		if accepted, err := d.reply(seat, text, true); accepted || err != nil {
			return err
		}
		return fmt.Errorf("scripted reply %q of seat %d is a foul", text, seat)
	}
	draw := d.suite.Reply
	if draw == nil {
		draw = smallIntegers
	}
	var text string
	for range triesForReply {
		text = draw(d.main, seat, d.rng)
		if accepted, err := d.reply(seat, text, true); accepted || err != nil {
			return err
		}
	}
	if d.suite.Reply != nil {
		return fmt.Errorf("the suite's Reply drew %d fouls in a row for seat %d, the last %q", triesForReply, seat, text)
	}
	return d.fail(seat, protocols.KindFoul)
}

// reply offers a reply to the match. A foul must change nothing.
func (d *drive) reply(seat int, text string, tidy bool) (accepted bool, err error) {
	before := d.seen
	var foul *protocols.Foul
	d.suite.pulse.call(fmt.Sprintf("seat %d replies", seat), text, func() { foul = d.main.Reply(seat, text) })
	if foul != nil {
		if err := checkSentence(foul.Reason); err != nil {
			return false, fmt.Errorf("foul %q of seat %d: %w", text, seat, err)
		}
		if before == nil {
			return false, nil
		}
		after, err := look(d.main, d.seats)
		if err == nil {
			err = before.differs(after)
		}
		if err != nil {
			return false, fmt.Errorf("foul %q of seat %d changes the match: %w", text, seat, err)
		}
		return false, nil
	}
	d.events = append(d.events, event{seat: seat, reply: text})
	if !d.isOffered(seat, text) {
		return false, fmt.Errorf("reply %s of seat %d is accepted, but none of its choices %v; where more replies are legal than are offered, say why in Suite.OpenReplies",
			protocols.Quote(text), seat, d.offered[seat])
	}
	if foul := d.twin.Reply(seat, text); foul != nil {
		return false, fmt.Errorf("reply %q of seat %d is accepted once and a foul the second time: %w", text, seat, foul)
	}
	untidy := text
	if tidy {
		untidy = loosen(text, d.whole, d.rng)
	}
	if foul := d.loose.Reply(seat, untidy); foul != nil {
		return false, fmt.Errorf("reply %q of seat %d is accepted, but a foul as %q: %w", text, seat, untidy, foul)
	}
	return true, d.compare()
}

func (d *drive) fail(seat int, kind protocols.Kind) error {
	d.events = append(d.events, event{seat: seat, fail: kind})
	for _, m := range []protocols.Match{d.main, d.twin, d.loose} {
		m.Fail(seat, failure(kind))
	}
	d.failed[seat], d.script = true, nil
	return d.compare()
}

func failure(kind protocols.Kind) protocols.Failure {
	return protocols.Failure{Kind: kind, Detail: "made up by the test"}
}

// compare checks that the three matches are in the same position. In a long
// match it does so only now and then.
func (d *drive) compare() error {
	const early, rarely = 300, 97
	d.seen = nil
	if n := len(d.events); n > early && n%rarely != 0 {
		return nil
	}
	return d.compareNow()
}

func (d *drive) compareNow() error {
	seen, err := look(d.main, d.seats)
	if err != nil {
		return err
	}
	twin, err := look(d.twin, d.seats)
	if err == nil {
		err = seen.differs(twin)
	}
	if err != nil {
		return fmt.Errorf("the same case and events give two matches: %w", err)
	}
	loose, err := look(d.loose, d.seats)
	if err == nil {
		err = seen.differs(loose.quoting(seen))
	}
	if err != nil {
		return fmt.Errorf("the same replies written untidily give another match: %w", err)
	}
	if len(d.kept) < 20 {
		d.kept = append(d.kept, kept{seen.value, seen.state})
	}
	d.seen = &seen
	return nil
}
