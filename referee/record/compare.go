package record

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"umpire/protocols"
	"umpire/referee"
)

// compareOutcome names the first field that does not agree with the replayed
// match. A detail may also be a former one of its seat.
func compareOutcome(c claimed, played referee.Result, former [][]string) error {
	for i, s := range played.Seats {
		claim := c.Seats[i]
		if claim.Detail != nil && slices.ContainsFunc(former[i], func(was string) bool { return *claim.Detail == text(was) }) {
			claim.Detail = nil
		}
		err := cmp.Or(
			compareClaim(i, "score", claim.Score, s.Score),
			compareClaim(i, "place", claim.Place, s.Place),
			compareClaim(i, "verdict", claim.Verdict, string(s.Verdict)),
			compareClaim(i, "detail", claim.Detail, text(s.Detail)),
		)
		if err != nil {
			return err
		}
	}
	return nil
}

// compareClaim compares what a record says of a seat, if it does, with what follows from
// the events.
func compareClaim[T comparable](seat int, name string, found *T, want T) error {
	if found == nil || *found == want {
		return nil
	}
	return fmt.Errorf("seats[%d].%s: found %#v, the events give %#v", seat, name, *found, want)
}

// compareCut checks a record in which replies are cut: none of them may have
// been right, since right replies are kept whole, and each must be its seat's
// last.
func (r Record) compareCut(events []referee.Event) error {
	for i, e := range events {
		if e.Cut == nil {
			continue
		}
		if v := r.Seats[e.Seat-1].Verdict; v != string(referee.Wrong) && v != string(protocols.KindFoul) {
			return fmt.Errorf("seats[%d].verdict: found %q with a reply that is cut, expected wrong or foul", e.Seat-1, v)
		}
		if slices.ContainsFunc(events[i+1:], func(later referee.Event) bool { return later.Seat == e.Seat }) {
			return fmt.Errorf("events[%d].reply_bytes: found a reply that is cut before the seat's last", i)
		}
	}
	return nil
}

// compareUse checks the resources that the seats used against the events and
// the limits.
func (r Record) compareUse(c claimed, played referee.Result) error {
	for i, s := range played.Seats {
		claim := c.Seats[i]
		if err := cmp.Or(compareClaim(i, "replies", claim.Replies, s.Replies), r.compareTimes(i, claim.WallUS, claim.ChargedUS)); err != nil {
			return err
		}
		seat := r.Seats[i]
		if limit := r.Limits.MemoryBytes; seat.hasPlayed() && limit > 0 && seat.PeakBytes > limit {
			return fmt.Errorf("seats[%d].peak_bytes: found %d with verdict %s, limits.memory_bytes allows %d",
				i, seat.PeakBytes, seat.Verdict, limit)
		}
	}
	return nil
}

// hasPlayed reports whether the seat has replied to all requests.
func (s Seat) hasPlayed() bool {
	return s.Verdict == string(referee.OK) || s.Verdict == string(referee.Wrong)
}

// scaled names the scale of the limits, if they have one.
func (r Record) scaled() string {
	if r.Scale == 0 {
		return ""
	}
	return fmt.Sprintf(", times scale %v,", r.Scale)
}

// charged returns what a reply, or a request that was not answered, cost of the
// budget, in microseconds, and the field that says so. The cost is the time of the clock, less the start-up
// allowance for a seat's first reply. Where pondering is charged or frozen,
// time taken by others has been subtracted and time pondered before the reply
// added; the record does not hold how much.
func (r Record) charged(e Event, first bool) (cost int64, name string, err error) {
	cost, name = r.cost(e, first)
	if e.ChargedUS == nil {
		return cost, name, nil
	}
	const slack = 1 // rounding
	found, alone := *e.ChargedUS, r.Limits.Policy() == referee.PonderAllow || len(r.Seats) == 1
	if alone && (found < max(0, cost-e.StallUS-e.WaitUS)-slack || found > cost+slack) {
		return 0, "", fmt.Errorf("charged_us: found %d, its time gives %d", found, cost)
	}
	return found, "charged_us", nil
}

// cost returns what an event cost by its own time alone, and the field that says so. A remote
// seat is charged less the grace, and a person nothing.
func (r Record) cost(e Event, first bool) (cost int64, name string) {
	l := r.Limits.Scaled(r.Scale)
	cost, name = e.WallUS, "wall_us"
	kind := ""
	if e.Seat > 0 && e.Seat <= len(r.Seats) {
		kind = r.Seats[e.Seat-1].Kind
	}
	switch kind {
	case KindRemote:
		cost = max(0, cost-l.GraceUS)
	case KindHuman:
		cost = 0
	}
	if l.cpu() {
		cost, name = e.CPUUS, "cpu_us"
	}
	if first {
		cost = max(0, cost-l.StartUS)
	}
	return cost, name
}

// compareIdentity checks the id and the start time of a record that umpire
// itself has written.
func (r Record) compareIdentity() error {
	own := r.ID != "" && r.Umpire != ""
	for _, s := range r.Seats {
		own = own && s.Digest != ""
	}
	if own && r.ID != r.Identity() {
		return fmt.Errorf("id: found %q, game, case, limits, digests and seats give %q", r.ID, r.Identity())
	}
	if r.Started != "" {
		if _, err := time.Parse(time.RFC3339, r.Started); err != nil {
			return fmt.Errorf("started: found %q, expected a time as in RFC 3339", r.Started)
		}
	}
	return nil
}

// verifyError checks the record of a match that umpire itself failed to play:
// the record must not hold a failure against any seat.
func (r Record) verifyError() error {
	for i, s := range r.Seats {
		if s.Verdict != "" {
			return fmt.Errorf("seats[%d].verdict: found %q in a match that umpire failed to play", i, s.Verdict)
		}
	}
	return r.compareIdentity()
}

// Charged returns what each event cost of its seat's budget, in microseconds.
// The error names the event whose cost does not agree with its time.
func (r Record) Charged() ([]int64, error) {
	costs := make([]int64, len(r.Events))
	asked := make(map[int]bool)
	for i, e := range r.Events {
		cost, _, err := r.charged(e, !asked[e.Seat])
		if err != nil {
			return nil, fmt.Errorf("events[%d].%w", i, err)
		}
		costs[i], asked[e.Seat] = cost, true
	}
	return costs, nil
}
