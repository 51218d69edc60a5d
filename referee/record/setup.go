package record

import (
	"errors"
	"fmt"

	"umpire/protocols"
	"umpire/referee"
)

// Parse finds the record's game and reads its case: that of a package is told by what
// its judge said.
func (r Record) Parse(games []protocols.Game) (protocols.Game, protocols.Case, error) {
	if r.Package != nil {
		return r.told()
	}
	g, err := GameOf(games, r.Game, nil)
	if err != nil {
		return g, nil, err
	}
	c, err := g.Parse(r.Case.Text)
	if err != nil {
		return g, nil, fmt.Errorf("case.text: %w", err)
	}
	return g, c, nil
}

// GameOf finds the game that records name: that of a package is known from them alone,
// any other is one of games. A name is never looked for elsewhere.
func GameOf(games []protocols.Game, name string, p *Package) (protocols.Game, error) {
	if p != nil {
		return p.Game(name), nil
	}
	for _, g := range games {
		if g.Name == name {
			return g, nil
		}
	}
	return protocols.Game{}, fmt.Errorf("game: found %q, expected the name of a game", name)
}

// Setup returns the setup of the recorded match, and its events. The error says
// what is wrong with the record.
func (r Record) Setup(games []protocols.Game) (referee.Setup, []referee.Event, error) {
	g, c, err := r.Parse(games)
	if err != nil {
		return referee.Setup{}, nil, err
	}
	if r.IsRelayed() {
		return referee.Setup{}, nil, ErrRelayed
	}
	if n := len(r.Seats); n < g.MinSeats || n > g.MaxSeats {
		return referee.Setup{}, nil, fmt.Errorf("seats: found %d, expected %s", n, g.SeatRange())
	}
	events := make([]referee.Event, len(r.Events))
	unpacked := 0
	for i, e := range r.Events {
		if events[i], err = e.event(); err != nil {
			return referee.Setup{}, nil, fmt.Errorf("events[%d]: %w", i, err)
		}
		if e.ReplyGzip != nil {
			unpacked += len(events[i].Reply)
		}
		if unpacked > maxUnpacked {
			return referee.Setup{}, nil, fmt.Errorf("events[%d].reply_gzip: found more than %d bytes in all", i, maxUnpacked)
		}
	}
	return referee.Setup{
		Game: g, Case: c, Seats: len(r.Seats), Limits: r.Limits.Scaled(r.Scale).Limits(), Pondering: r.Limits.Policy(),
	}, events, nil
}

// Replay plays a recorded match again from its events. The error says what is
// wrong with the record.
func (r Record) Replay(games []protocols.Game, watch referee.Watcher) (referee.Result, error) {
	setup, events, err := r.Setup(games)
	if err != nil {
		return referee.Result{}, err
	}
	return setup.Replay(events, watch)
}

// ErrRelayed is the error of what needs positions for a match that has none.
var ErrRelayed = errors.New("a match of a problem package has no positions; `umpire replay` prints what submission and judge said")

// Seen returns what was seen of a match between a submission and a judge.
func (r Record) Seen() ([]referee.Exchange, error) {
	list := make([]referee.Exchange, len(r.Exchanges))
	last := int64(0)
	for i, e := range r.Exchanges {
		var err error
		if list[i], err = e.exchange(); err != nil {
			return nil, fmt.Errorf("exchanges[%d].%w", i, err)
		}
		if e.Bytes > 0 { // it has no time
			continue
		}
		if e.AtUS < last {
			return nil, fmt.Errorf("exchanges[%d].at_us: found %d after %d, expected them in order", i, e.AtUS, last)
		}
		last = e.AtUS
	}
	return list, nil
}

// Passes returns how many runs of a submission to a problem package there were, at least 1.
func (r Record) Passes() int {
	n := 1
	for _, e := range r.Exchanges {
		if e.Pass > 0 {
			n++
		}
	}
	return n
}
