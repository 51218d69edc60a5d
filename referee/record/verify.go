package record

import (
	"encoding/json"
	"fmt"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/contestant"
)

// Judged is what a record's case and events say, whatever it claims.
type Judged struct {
	ID    string     `json:"id"`
	Valid bool       `json:"valid"`
	Why   string     `json:"why,omitempty"` // what is wrong, naming the first wrong field
	Seats []JudgedOf `json:"seats"`
}

// JudgedOf is the recomputed outcome of one seat.
type JudgedOf struct {
	Score   int    `json:"score"`
	Place   int    `json:"place"`
	Verdict string `json:"verdict"`
}

// claims are the fields of a record that may be missing, and are compared
// where they are there.
type claims struct {
	Seats []struct {
		Verdict   *string `json:"verdict"`
		Detail    *string `json:"detail"`
		Score     *int    `json:"score"`
		Place     *int    `json:"place"`
		WallUS    *int64  `json:"wall_us"`
		ChargedUS *int64  `json:"charged_us"`
		Replies   *int    `json:"replies"`
	} `json:"seats"`
}

// Verify judges the record in a line of a results file again. The error says
// that the line is not a record at all.
func Verify(line Line, games []protocols.Game) (Judged, error) {
	var r Record
	var c claims
	if err := json.Unmarshal(line.Bytes, &r); err != nil {
		return Judged{}, line.error(err)
	}
	if err := json.Unmarshal(line.Bytes, &c); err != nil {
		return Judged{}, line.error(err)
	}
	j := Judged{ID: r.ID, Seats: []JudgedOf{}}
	if r.Error != "" {
		return verifyError(j, c), nil
	}
	played, err := r.Again(games, referee.Watcher{})
	if err == nil {
		for _, s := range played.Seats {
			j.Seats = append(j.Seats, JudgedOf{s.Score, s.Place, string(s.Verdict)})
		}
		err = r.compare(c, played)
	}
	if err != nil {
		j.Why = err.Error()
	}
	j.Valid = err == nil
	return j, nil
}

// verifyError judges the record of a match that umpire itself broke off: it
// must not hold anything against anybody.
func verifyError(j Judged, c claims) Judged {
	j.Valid = true
	for i, s := range c.Seats {
		if s.Verdict != nil && *s.Verdict != "" {
			j.Valid, j.Why = false, fmt.Sprintf("seats[%d].verdict: %q in a match that umpire failed to play", i, *s.Verdict)
		}
	}
	return j
}

// Again plays a recorded match again from its events. The error says what is
// wrong with the record.
func (r Record) Again(games []protocols.Game, watch referee.Watcher) (referee.Played, error) {
	m, events, err := r.Match(games)
	if err != nil {
		return referee.Played{}, err
	}
	return referee.Again(m.Case.Start(len(r.Seats)), len(r.Seats), m.Limits, events, watch)
}

// Match gives the match that was recorded, without its bots, and its events.
// The error says what is wrong with the record.
func (r Record) Match(games []protocols.Game) (referee.Match, []referee.Event, error) {
	g, c, err := r.Parse(games)
	if err != nil {
		return referee.Match{}, nil, err
	}
	if n := len(r.Seats); n < g.MinSeats || n > g.MaxSeats {
		return referee.Match{}, nil, fmt.Errorf("seats: found %d, expected %d to %d", n, g.MinSeats, g.MaxSeats)
	}
	events := make([]referee.Event, len(r.Events))
	for i, e := range r.Events {
		if events[i], err = e.event(); err != nil {
			return referee.Match{}, nil, fmt.Errorf("events[%d]: %w", i, err)
		}
	}
	return referee.Match{
		Game: g, Case: c, Limits: r.Limits.limits(),
		Pondering: contestant.Pondering(r.Limits.Pondering),
	}, events, nil
}

// Parse finds the record's game and reads its case.
func (r Record) Parse(games []protocols.Game) (protocols.Game, protocols.Case, error) {
	for _, g := range games {
		if g.Name == r.Game {
			c, err := g.Parse(r.Case.Text)
			if err != nil {
				return g, nil, fmt.Errorf("case.text: %w", err)
			}
			return g, c, nil
		}
	}
	return protocols.Game{}, nil, fmt.Errorf("game: found %q, expected the name of a game", r.Game)
}

// compare names the first field that does not agree with the match as it was
// played again.
func (r Record) compare(c claims, played referee.Played) error {
	for i, s := range played.Seats {
		claim := c.Seats[i]
		for _, f := range []struct {
			name        string
			found, want any
			there       bool
		}{
			{"score", deref(claim.Score), s.Score, claim.Score != nil},
			{"place", deref(claim.Place), s.Place, claim.Place != nil},
			{"verdict", deref(claim.Verdict), string(s.Verdict), claim.Verdict != nil},
			{"detail", deref(claim.Detail), text(s.Detail), claim.Detail != nil},
			{"replies", deref(claim.Replies), s.Replies, claim.Replies != nil},
		} {
			if f.there && f.found != f.want {
				return fmt.Errorf("seats[%d].%s: found %#v, the events give %#v", i, f.name, f.found, f.want)
			}
		}
		if err := r.compareTimes(i, claim.WallUS, claim.ChargedUS); err != nil {
			return err
		}
	}
	return r.compareIdentity()
}

func deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// compareTimes checks a seat's times: those of its replies add up to its own,
// and what was charged is within the limits. Sums of microseconds may be off by
// one for each reply.
func (r Record) compareTimes(seat int, wall, charged *int64) error {
	var sumWall, sumCharged, replies int64
	for i, e := range r.Events {
		if e.Seat != seat+1 || e.Fail != "" {
			continue
		}
		cost := e.charged(r.Limits, replies == 0)
		if over := r.Limits.MoveUS; over > 0 && cost > over {
			return fmt.Errorf("events[%d].wall_us: %d are charged, limits.move_us allows %d", i, cost, over)
		}
		sumWall += e.WallUS
		sumCharged += cost
		replies++
		if over := r.Limits.TimeUS; over > 0 && sumCharged > over {
			return fmt.Errorf("events[%d].wall_us: %d are charged in all, limits.time_us allows %d", i, sumCharged, over)
		}
	}
	for _, f := range []struct {
		name  string
		found *int64
		sum   int64
	}{{"wall_us", wall, sumWall}, {"charged_us", charged, sumCharged}} {
		if f.found != nil && (*f.found < f.sum || *f.found > f.sum+replies) {
			return fmt.Errorf("seats[%d].%s: found %d, the events give %d", seat, f.name, *f.found, f.sum)
		}
	}
	return nil
}

// charged is what a reply cost of the budget, in microseconds.
func (e Event) charged(l Limits, first bool) int64 {
	if l.Pondering != "" && e.ChargedUS > 0 {
		// What others took of the time is off, what was pondered on it.
		return e.ChargedUS
	}
	cost := e.WallUS
	if l.Clock == "cpu" {
		cost = e.CPUUS
	}
	if first {
		cost = max(0, cost-l.StartUS)
	}
	return max(cost, e.ChargedUS)
}

// compareIdentity checks the form's version, the id, and when it was played,
// where the record is one of umpire's own.
func (r Record) compareIdentity() error {
	if r.V != 0 && r.V != Version {
		return fmt.Errorf("v: found %d, expected %d", r.V, Version)
	}
	own := r.ID != "" && r.Umpire != ""
	for _, s := range r.Seats {
		own = own && s.Digest != ""
	}
	if own && r.ID != r.identity() {
		return fmt.Errorf("id: found %q, game, case, limits, digests and seats give %q", r.ID, r.identity())
	}
	if r.Started != "" {
		if _, err := time.Parse(time.RFC3339, r.Started); err != nil {
			return fmt.Errorf("started: found %q, expected a time as in RFC 3339", r.Started)
		}
	}
	return nil
}
