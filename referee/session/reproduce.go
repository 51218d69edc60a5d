package session

import (
	"context"
	"strings"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/external/judging"
	"umpire/referee/external/problem"
	"umpire/referee/program"
	"umpire/referee/record"
)

// Reproduction is a recorded match in which a bot takes a seat again: it is sent what the
// seat was sent.
type Reproduction struct {
	Umpire  *Umpire
	Machine *Machine
	Record  record.Record
	Seat    int // 0: the first that failed
	// Problem is the problem package that the record is of; nil: none, or not known.
	Problem *problem.Problem
	Said    *record.Transcript // the lines sent to and by the bot; renewed when it is started again

	Setup  referee.Setup // of the match
	Player arena.Program // with its launcher
	events []referee.Event
	judged []referee.Seat // how the match ended for every seat
}

// Read reads the record, which is in a file, and chooses the seat.
func (r *Reproduction) Read(file string) (err error) {
	if r.Record.IsRelayed() {
		r.Setup.Game, r.Setup.Case, err = r.Record.Parse(r.Umpire.Games)
		r.Seat, r.Setup.Seats, r.Setup.Limits = 1, 1, r.Record.Limits.Limits()
	} else if r.Setup, r.events, err = r.Record.Setup(r.Umpire.Games); err == nil {
		var played referee.Result
		played, err = r.Record.Replay(r.Umpire.Games, referee.Watcher{})
		r.judged = played.Seats
	}
	if err != nil {
		return mistakef("%s: record %s is not valid: %w", file, r.Record.Called(), err)
	}
	if r.Seat == 0 {
		r.Seat = r.firstFailed()
	}
	return nil
}

// firstFailed returns the seat of the first bot that failed or, if none did, of the first,
// other than the house's.
func (r *Reproduction) firstFailed() int {
	visitor := 0
	for i, seat := range r.Record.Seats {
		switch {
		case seat.House:
		case r.judged[i].Verdict != referee.OK:
			return i + 1
		case visitor == 0:
			visitor = i + 1
		}
	}
	return max(1, visitor)
}

// FindBot makes the bot and tries it. Its paths are relative to a folder; without a label it
// is the recorded one.
func (r *Reproduction) FindBot(ctx context.Context, folder, label string) error {
	if label == "" {
		label = r.Record.Seats[r.Seat-1].Bot
		if !strings.HasPrefix(label, "@") || r.Record.IsRelayed() && r.Problem == nil {
			return mistakef("the record names bot %q and not its file, expected `umpire reproduce FILE BOT`", label)
		}
	}
	resolver, err := r.Machine.Resolver(ctx, r.Umpire, r.Record.Game)
	if err == nil && r.Problem != nil {
		err = Mistaken(r.Problem.MakeWith(ctx, &resolver))
	}
	if err != nil {
		return err
	}
	if r.Player.Bot, err = resolver.Resolve(ctx, program.ParseEntrant(folder, label)); err != nil {
		return Mistaken(err)
	}
	if err := r.Player.CheckStart(ctx, r.seating()); err != nil {
		return mistakef("bot %q: %w", label, err)
	}
	return nil
}

func (r *Reproduction) seating() referee.Seating {
	return referee.Seating{Game: r.Record.Game, Seat: r.Seat, Seats: r.Setup.Seats, Limits: r.Setup.Limits}
}

// Run runs the bot against the record: up to the first difference or, if it goes through,
// to a reply's number or, if that is 0, the end. Compared, if not nil, is called with each reply.
func (r *Reproduction) Run(ctx context.Context, through bool, until int, compared func(referee.Compared)) ([]referee.Compared, referee.Usage, error) {
	r.Said = &record.Transcript{Said: r.Said.Said}
	return arena.Reproduce(ctx, r.Player, referee.Reproduction{
		Setup: r.Setup, Events: r.events, Seat: r.Seat, Through: through, Until: until, Sent: r.Said.Sent,
		Compared: func(c referee.Compared) {
			if r.Said.Reply(c.Live); compared != nil {
				compared(c)
			}
		},
	})
}

// Shrink finds the fewest replies after which the bot fails as it did in the record. One
// run through the whole record finds the number; another that ends right there confirms
// it, and finds fewer if the bot does not always play the same. All are the replies of the
// last of so many runs, in which it did not fail if ok is false; least is the one at
// which it did before, nil if it never has.
func (r *Reproduction) Shrink(ctx context.Context) (all []referee.Compared, least *referee.Compared, runs int, ok bool, err error) {
	const attempts = 5
	for until, confirmed := 0, false; runs < attempts && !confirmed; until = least.Number {
		runs++
		if all, _, err = r.Run(ctx, true, until, nil); err != nil {
			return nil, nil, runs, false, err
		}
		failed := r.failure(all)
		if failed == nil {
			return all, least, runs, false, nil
		}
		confirmed = least != nil && failed.Number == least.Number
		least = failed
	}
	return all, least, runs, true, nil
}

// Owed returns how many replies of the seat are recorded, not counting one that failed.
func (r *Reproduction) Owed() int {
	n := 0
	for _, e := range r.events {
		if e.Seat == r.Seat {
			n++
		}
	}
	if r.Wanted() != "" {
		n--
	}
	return n
}

// Wanted returns how the seat failed in the record; "" if it did not.
func (r *Reproduction) Wanted() referee.Verdict {
	if v := r.judged[r.Seat-1].Verdict; v != referee.OK {
		return v
	}
	return ""
}

// failure returns the first reply at which the bot fails as in the record or,
// if the record has no failure, at which it fails at all.
func (r *Reproduction) failure(all []referee.Compared) *referee.Compared {
	for i, c := range all {
		if c.LiveKind != "" && (r.Wanted() == "" || r.Wanted() == c.LiveKind) {
			return &all[i]
		}
	}
	return nil
}

// Failed reports whether the submission of a problem package failed, other than by what
// its judge made of the output.
func (r *Reproduction) Failed() bool {
	verdict := referee.Verdict(r.Record.Seats[0].Verdict)
	return verdict != referee.OK && verdict != referee.Wrong
}

// Relay has the bot hear what the judge of a problem package said; through, also where
// it replies otherwise.
func (r *Reproduction) Relay(ctx context.Context, through bool) (out judging.Reproduced, err error) {
	again := judging.Reproduction{
		Limits: r.Setup.Limits, Through: through, Problem: r.Problem, Case: r.Setup.Case,
		Seat: func(ctx context.Context, given referee.Given) (referee.Contestant, error) {
			seating := r.seating()
			seating.Given = given
			return r.Player.Sit(ctx, seating)
		},
	}
	if r.Player.Program != nil {
		again.Own = r.Player.Program.Dir
	}
	if again.Seen, err = r.Record.Seen(); err != nil {
		return out, err
	}
	return again.Run(ctx)
}
