package session

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/program"
	"umpire/referee/record"
)

// controls tells by built-in bots whether a worker plays what it says: their replies
// depend on what they read alone, so that any machine finds out what they must be.
type controls struct {
	games  []protocols.Game
	steady map[string]Steady // by digest
}

// maxControls is how many control matches a run has to choose from.
const maxControls = 64

// addControls returns the controls of a session, and matches of built-in bots on its
// cases. It adds their packages, and the bots to those of the fleet.
func addControls(ctx context.Context, s *Session, packages map[string]*program.Package) (c *controls, list []arena.Fixture, err error) {
	c = &controls{s.runner.Games, make(map[string]Steady)}
	if s.Package != nil { // a built-in game of that name is another
		return c, nil, nil
	}
	var seats []arena.Seat
	for bot, plays := range s.Umpire.steadyOf(s.Game.Name) {
		made, err := s.resolver.Resolve(ctx, program.ParseEntrant("", "@"+bot))
		if err != nil {
			return nil, nil, err
		}
		if packages[made.Digest] == nil {
			if packages[made.Digest], err = made.Pack(ctx); err != nil {
				return nil, nil, err
			}
		}
		c.steady[made.Digest], s.fleet.controls = plays, append(s.fleet.controls, made)
		seats = append(seats, SeatOf(s.program(made).Identity(), false))
	}
	n := cmp.Or(s.Seats, s.Game.MaxSeats)
	for range min(maxControls, len(seats)*len(s.Set.Cases)) {
		f := s.fixture(s.Set.Cases[rand.IntN(len(s.Set.Cases))], n)
		for range n {
			f.Seats = append(f.Seats, seats[rand.IntN(len(seats))])
		}
		list = append(list, f)
	}
	return c, list, nil
}

// steadyOf returns the built-in bots of a game whose replies depend on what they read alone, by
// their names.
func (u *Umpire) steadyOf(game string) map[string]Steady {
	list := make(map[string]Steady)
	for name, plays := range u.Steady {
		if bot, ok := strings.CutPrefix(name, game+"/"); ok {
			list[bot] = plays
		}
	}
	return list
}

// maxReproduce bounds how long it takes to find out what a bot must reply. What it has not
// replied by then is not judged.
const maxReproduce = 10 * time.Second

// mayBe lists how a built-in bot may end on a machine that works, if it is slow or full.
var mayBe = []string{string(referee.OK), string(referee.Wrong), string(protocols.KindTime), string(protocols.KindMemory)}

// check returns why a record can't be that of the match: a built-in bot did not reply as
// it must, or wrote too much. How fast it was, and its memory, are not compared. If it failed
// otherwise where it would have replied, that may be due to the machine: something killed it, or
// it could not be started. Then the match counts as one that umpire failed to play. Unless all
// is set, only bots that have failed are looked at.
func (c *controls) check(r *record.Record, all bool) error {
	for i, seat := range r.Seats {
		play := c.steady[seat.Digest]
		if play == nil || !all && slices.Contains(mayBe, seat.Verdict) {
			continue
		}
		setup, events, err := r.Setup(c.games)
		if err != nil {
			return err
		}
		var input bytes.Buffer // all that the seat was sent: the bot need not wait for it
		_, err = setup.Replay(events, referee.Watcher{Sent: func(to int, text string) {
			if to == i+1 {
				input.WriteString(text + "\n")
			}
		}})
		if err != nil {
			continue
		}
		replies := repliesOf(play, setup, i+1, &input)
		owed := slices.DeleteFunc(events, func(e referee.Event) bool { return e.Seat != i+1 || e.Fail != nil })
		for n, recorded := range owed[:min(len(owed), len(replies))] {
			live := referee.Event{Reply: replies[n]}
			if !(referee.Compared{Recorded: recorded, Live: live}).Same() {
				return fmt.Errorf("built-in bot %s, reply %d: found %s, expected %s",
					seat.Bot, n+1, protocols.Quote(recorded.Reply), protocols.Quote(live.Reply))
			}
		}
		switch kind := protocols.Kind(seat.Verdict); {
		case len(replies) < len(owed) || slices.Contains(mayBe, seat.Verdict): // what it would have replied is not known
		case kind == protocols.KindOutput:
			return fmt.Errorf("built-in bot %s, verdict: found output, and it does not write too much", seat.Bot)
		case len(replies) > len(owed) || kind == protocols.KindSecurity:
			r.Fail(fmt.Errorf("built-in bot %s: %s on worker %s, where it would have replied: %s", seat.Bot, kind, r.Worker, seat.Detail))
			return nil
		}
	}
	return nil
}

// repliesOf returns what a built-in bot replies to all that its seat is sent in a match.
func repliesOf(play Steady, setup referee.Setup, seat int, input io.Reader) (replies []string) {
	out := untilLate{end: time.Now().Add(maxReproduce)}
	err := referee.Guard(func() error { return play(setup.Game.Name, seat, setup.Seats, input, &out) })
	if setup.Case.Start(setup.Seats).Next().Batch {
		if err != nil {
			return nil
		}
		return []string{out.String()}
	}
	for line := range strings.Lines(out.String()) {
		replies = append(replies, strings.TrimSuffix(line, "\n"))
	}
	return replies
}

// untilLate takes what is written until a time.
type untilLate struct {
	bytes.Buffer
	end time.Time
}

func (u *untilLate) Write(b []byte) (int, error) {
	if time.Now().After(u.end) {
		return 0, context.DeadlineExceeded
	}
	return u.Buffer.Write(b)
}
