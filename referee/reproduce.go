package referee

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"umpire/protocols"
)

// Reproduction plays a recorded match again with a live contestant in one of
// its seats, which is sent exactly what the recorded contestant was sent, at
// the same points of the match.
type Reproduction struct {
	Setup
	Events []Event // events of the recorded match
	Seat   int     // seat of the live contestant, from 1
	// Through continues where a reply differs, with the recorded reply instead
	// of the live one.
	Through bool
	// Until is the number of replies to stop after; 0: at the end of the
	// record.
	Until int
	// Sent, if not nil, is called with what the live contestant is sent.
	Sent func(text string)
	// Compared, if not nil, is called for each reply that the seat owed.
	Compared func(Compared)
}

// Compared is a reply owed by the seat, as the recorded contestant and as the
// live one gave it.
type Compared struct {
	Number         int // number of the reply among the seat's, from 1
	Recorded, Live Event
	// RecordedKind and LiveKind say how each failed, or that its output is
	// Wrong; "" if its reply was allowed.
	RecordedKind, LiveKind Verdict
	// Foul is why the live reply is not allowed; nil if it is allowed, or
	// missing.
	Foul *protocols.Foul
	// Wrong says what is wrong with the live output; "" if nothing is.
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

// errEnough ends the reproduction before the end of the match.
var errEnough = errors.New("enough was seen")

// Check reports, as an error, where the events do not fit the match.
func (r Reproduction) Check() error {
	_, err := r.Replay(r.Events, Watcher{})
	return err
}

// Conduct reproduces the match with a contestant in r.Seat, which it stops. It
// returns the replies that the seat owed, in order, up to and including the
// first that differs unless r.Through, and the contestant's usage. An error is
// umpire's, or that of ctx. The events must fit the match.
func (r Reproduction) Conduct(ctx context.Context, c Contestant) ([]Compared, Usage, error) {
	tapes, table := scriptedSeats(r.Events, r.Seats)
	live := &beside{Contestant: c, tape: tapes[r.Seat-1], reproduction: r}
	table[r.Seat-1] = live
	played, err := Lines{Match: r.start()}.Conduct(ctx, table, r.Limits, Watcher{Sent: func(seat int, text string) {
		if seat == r.Seat && r.Sent != nil {
			r.Sent(text)
		}
	}})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return live.compared, played.Seats[r.Seat-1].Usage, err
}

// beside is a live contestant alongside the record of the seat it has taken.
type beside struct {
	Contestant
	tape         *scriptedSeat
	reproduction Reproduction
	compared     []Compared
}

// Receive asks the live contestant and compares its reply with the recorded
// one.
func (b *beside) Receive(ctx context.Context, ask Ask) (Reply, error) {
	if len(b.tape.events) == 0 {
		return Reply{}, errEnd // Check has seen that this does not happen
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

// judge determines how either contestant failed. Only the last of the recorded
// replies can be a foul, or a wrong output.
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

// kind returns how the seat fails if its reply number c.Number is e, which may
// be a foul at that point, or end the match as a wrong output. It stores the
// reason in c.
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
	played, err := b.reproduction.Replay(append(events, e), Watcher{
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
