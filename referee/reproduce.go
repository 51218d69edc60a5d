package referee

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime"

	"umpire/protocols"
	"umpire/referee/contestant"
)

// Reproduction plays a recorded match again with a live contestant in one of
// its seats: that is sent exactly what the recorded one was sent, when it was
// sent it.
type Reproduction struct {
	Events []Event // of the recorded match
	Seat   int     // of the live contestant
	// Through goes on where a reply differs, with the recorded one in the live
	// one's place.
	Through bool
	// Until ends after so many replies; 0: at the end of the record.
	Until int
	// Sent, if not nil, is called with what the live contestant is sent.
	Sent func(text string)
	// Compared, if not nil, is called for each reply that the seat owed.
	Compared func(Compared)
}

// Compared is what the recorded seat did when it owed a reply, and what the
// live contestant did in its place.
type Compared struct {
	Number         int // of the seat's replies, from 1
	Recorded, Live Event
	// RecordedKind and LiveKind say how it failed, or that its output is Wrong;
	// "" if it gave a reply that is allowed.
	RecordedKind, LiveKind Verdict
	// Foul is why the live reply is not allowed; nil if it is, or there is none.
	Foul *protocols.Foul
	// Wrong is what is wrong with the live output; "" if nothing is.
	Wrong string
}

// Same reports whether both gave the same reply, or failed in the same way.
func (c Compared) Same() bool {
	if c.Recorded.Fail != nil || c.Live.Fail != nil {
		return c.RecordedKind == c.LiveKind
	}
	if cut := c.Recorded.Cut; cut != nil {
		sum := sha256.Sum256([]byte(c.Live.Reply))
		return cut.Bytes == int64(len(c.Live.Reply)) && cut.SHA256 == hex.EncodeToString(sum[:])
	}
	return c.Recorded.Reply == c.Live.Reply
}

// errEnough is that the reproduction ends before the match.
var errEnough = errors.New("enough was seen")

// Reproduce reproduces a recorded match of m, in which only the bot of r.Seat
// is started. The replies that the seat owed come back in order, the first
// that differs last unless r.Through, and what the live contestant used. An
// error is umpire's, that of ctx, or says where the events do not fit m.
func (m Match) Reproduce(ctx context.Context, r Reproduction) ([]Compared, contestant.Usage, error) {
	if _, err := Again(m.Case.Start(len(m.Bots)), len(m.Bots), m.Limits, r.Events, Watcher{}); err != nil {
		return nil, contestant.Usage{}, err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c, err := contestant.Start(m.Bots[r.Seat-1], m.options(r.Seat))
	if err != nil {
		return nil, contestant.Usage{}, fmt.Errorf("start bot %s: %w", m.Bots[r.Seat-1].Name, err)
	}
	return m.reproduce(ctx, r, c)
}

// reproduce is Reproduce with a contestant that has been started.
func (m Match) reproduce(ctx context.Context, r Reproduction, c Contestant) ([]Compared, contestant.Usage, error) {
	tapes, table := tapesOf(r.Events, len(m.Bots))
	live := &beside{Contestant: c, tape: tapes[r.Seat-1], reproduction: r, match: m}
	table[r.Seat-1] = live
	played, err := Play(ctx, m.Case.Start(len(m.Bots)), table, m.Limits, Watcher{Sent: func(seat int, text string) {
		if seat == r.Seat && r.Sent != nil {
			r.Sent(text)
		}
	}})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return live.compared, played.Seats[r.Seat-1].Usage, err
}

// beside is a live contestant with the record of the seat it has taken.
type beside struct {
	Contestant
	tape         *recorded
	reproduction Reproduction
	match        Match
	compared     []Compared
}

// Receive asks the live contestant and compares.
func (b *beside) Receive(ctx context.Context, ask contestant.Ask) (contestant.Reply, error) {
	if len(b.tape.events) == 0 {
		return contestant.Reply{}, errEnd // Again has seen that this does not happen
	}
	recorded := b.tape.events[0]
	b.tape.events = b.tape.events[1:]
	reply, err := b.Contestant.Receive(ctx, ask)
	live := Event{Seat: recorded.Seat, Reply: reply.Text, Wall: reply.Wall, CPU: reply.CPU, Wait: reply.Wait}
	if err != nil {
		var ours bool
		if live.Fail, ours = err.(*protocols.Failure); !ours {
			return reply, err
		}
	}
	c := Compared{Number: len(b.compared) + 1, Recorded: recorded, Live: live}
	b.judge(&c)
	b.compared = append(b.compared, c)
	if b.reproduction.Compared != nil {
		b.reproduction.Compared(c)
	}
	switch over := c.LiveKind != "" || c.RecordedKind != ""; {
	case c.Number == b.reproduction.Until, !c.Same() && (over || !b.reproduction.Through):
		return reply, errEnough
	case live.Fail == nil:
		reply.Text = recorded.Reply
	}
	return reply, err
}

// judge finds out how either failed. Only the last of the recorded replies can
// be a foul, or a wrong output.
func (b *beside) judge(c *Compared) {
	recorded := *c
	if len(b.tape.events) == 0 {
		recorded.RecordedKind = b.kind(&recorded, c.Recorded)
		c.RecordedKind = recorded.RecordedKind
	}
	if c.Live.Fail == nil && c.Recorded.Fail == nil && c.Same() {
		c.LiveKind, c.Foul, c.Wrong = recorded.RecordedKind, recorded.Foul, recorded.Wrong
	} else {
		c.LiveKind = b.kind(c, c.Live)
	}
}

// kind gives how the seat fails if its reply number c.Number is e, which may be
// a foul where it is given, or end the match as a wrong output. It notes in c
// why.
func (b *beside) kind(c *Compared, e Event) Verdict {
	if e.Fail != nil {
		return Verdict(e.Fail.Kind)
	}
	n := c.Number
	var events []Event
	for _, before := range b.reproduction.Events {
		if before.Seat == e.Seat {
			n--
		}
		if n == 0 {
			break
		}
		events = append(events, before)
	}
	seats := len(b.match.Bots)
	played, err := Again(b.match.Case.Start(seats), seats, b.match.Limits, append(events, e), Watcher{
		Event: func(_ Event, f *protocols.Foul, _ protocols.Match) { c.Foul = f },
	})
	switch {
	case c.Foul != nil:
		return Verdict(protocols.KindFoul)
	case err == nil && played.Seats[e.Seat-1].Verdict == Wrong:
		c.Wrong = played.Seats[e.Seat-1].Detail
		return Wrong
	}
	return ""
}
