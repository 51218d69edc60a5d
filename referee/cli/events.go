package cli

import (
	"sync"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/record"
	"umpire/referee/report"
)

// eventStream writes what happens in matches, a line of JSON each, as it happens. A nil
// stream writes nothing. It is safe for concurrent use.
type eventStream struct {
	mu  sync.Mutex
	out *report.JSONEncoder
}

// streamEvent is a line of --events.
type streamEvent struct {
	Event string `json:"event"` // started, step, ended or standings
	// Of all but standings: the match's id.
	ID string `json:"id,omitempty"`
	// Of started and ended.
	Case string `json:"case,omitempty"`
	// Of started: who sits where, seat 1 first.
	Bots []string `json:"bots,omitempty"`
	// Of step: its number, from 1, and the event as in a record.
	Step  int           `json:"step,omitempty"`
	Reply *record.Event `json:"reply,omitempty"`
	// Of ended: the seats as in a record, and umpire's own failure.
	Seats []record.Seat `json:"seats,omitempty"`
	Error string        `json:"error,omitempty"`
	// Of standings: what --json prints.
	Result any `json:"result,omitempty"`
}

// write writes a line. What can't be written is lost, as the results are elsewhere;
// standard output keeps its own error.
func (s *eventStream) write(e streamEvent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.out.Encode(e)
}

// follow tells of a match that is played here.
func (s *eventStream) follow(f arena.Fixture) referee.Watcher {
	id, step := f.Record().ID, 0
	s.write(streamEvent{Event: "started", ID: id, Case: f.Case.Name, Bots: f.Bots()})
	return referee.Watcher{Event: func(e referee.Event, _ *protocols.Foul, _ protocols.Match) {
		step++
		reply := record.EventOf(e, f.Limits)
		s.write(streamEvent{Event: "step", ID: id, Step: step, Reply: &reply})
	}}
}

// ended tells of a match whose record has been kept.
func (s *eventStream) ended(r record.Record) {
	s.write(streamEvent{Event: "ended", ID: r.ID, Case: r.Case.Name, Seats: r.Seats, Error: r.Error})
}

// standings tells the result of the whole.
func (s *eventStream) standings(result any) {
	if s != nil {
		s.write(streamEvent{Event: "standings", Result: result})
	}
}
