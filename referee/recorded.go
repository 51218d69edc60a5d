package referee

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"umpire/protocols"
)

// Replay plays the match from recorded events. The error says where the events
// do not fit the match, which would have gone differently with them.
func (s Setup) Replay(events []Event, watch Watcher) (Result, error) {
	asked := make([]bool, s.Seats)
	for i, e := range events {
		if e.Seat < 1 || e.Seat > s.Seats {
			return Result{}, fmt.Errorf("events[%d]: seat %d, expected 1 to %d", i, e.Seat, s.Seats)
		}
		if e.Fail != nil && e.Fail.Kind == protocols.KindCompile && asked[e.Seat-1] {
			return Result{}, fmt.Errorf("events[%d]: is compile, but seat %d had replied", i, e.Seat)
		}
		asked[e.Seat-1] = true
	}
	_, table := scriptedSeats(events, s.Seats)
	played, err := Lines{Match: s.start()}.Conduct(context.Background(), table, s.Limits, watch)
	for i, e := range played.Events {
		if e.Seat != events[i].Seat {
			return played, fmt.Errorf("events[%d]: is of seat %d, but seat %d owed a reply", i, events[i].Seat, e.Seat)
		}
	}
	switch n := len(played.Events); {
	case errors.Is(err, errLines):
		return played, fmt.Errorf("events[%d]: is a reply of several lines, expected one", n+slices.IndexFunc(events[n:], isLines))
	case errors.Is(err, errEnd) && n < len(events):
		return played, fmt.Errorf("events[%d]: is of seat %d, which owed no reply", n, events[n].Seat)
	case errors.Is(err, errEnd):
		return played, fmt.Errorf("events: end after %d, before the match is over", n)
	case err == nil && n < len(events):
		return played, fmt.Errorf("events[%d]: comes after the end of the match", n)
	}
	return played, err
}

// scriptedSeats gives each seat its recorded events, and returns the seats also
// as contestants.
func scriptedSeats(events []Event, seats int) ([]*scriptedSeat, []Contestant) {
	tapes := make([]*scriptedSeat, seats)
	table := make([]Contestant, seats)
	for i := range tapes {
		tapes[i] = &scriptedSeat{}
		table[i] = tapes[i]
	}
	for _, e := range events {
		tapes[e.Seat-1].events = append(tapes[e.Seat-1].events, e)
	}
	return tapes, table
}

// errEnd means that a seat owes a reply and none is recorded.
var errEnd = errors.New("no reply is recorded")

// errLines means that a reply that is one line was recorded with several.
var errLines = errors.New("the reply has several lines")

func isLines(e Event) bool { return strings.Contains(e.Reply, "\n") }

// scriptedSeat is a seat whose replies are recorded.
type scriptedSeat struct{ events []Event }

func (*scriptedSeat) Send(string) {}
func (*scriptedSeat) CloseInput() {}

// Stop returns the failure found at the end, which is recorded last.
func (r *scriptedSeat) Stop() (u Usage) {
	if len(r.events) != 1 {
		return u
	}
	if f := r.events[0].Fail; f != nil && (f.NotPlayed() || slices.Contains(foundInTheEnd, f.Kind)) {
		u.Failure, r.events = f, nil
	}
	return u
}

// foundInTheEnd lists the failures that may come after a seat's last reply.
var foundInTheEnd = []protocols.Kind{protocols.KindMemory, protocols.KindOutput, protocols.KindSecurity, protocols.KindTime}

func (r *scriptedSeat) Receive(_ context.Context, ask Ask) (Reply, error) {
	if len(r.events) == 0 {
		return Reply{}, errEnd
	}
	e := r.events[0]
	r.events = r.events[1:]
	reply := Reply{Text: e.Reply, Wall: e.Wall, CPU: e.CPU, Wait: e.Wait}
	if e.Fail != nil {
		return reply, e.Fail
	}
	if !ask.UntilEOF && isLines(e) {
		return Reply{}, errLines
	}
	return reply, nil
}
