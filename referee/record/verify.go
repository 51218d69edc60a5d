package record

import (
	"fmt"
	"slices"
	"time"

	"umpire/protocols"
	"umpire/referee"
)

// Verification is the outcome recomputed from a record's case and events,
// independent of what the record claims.
type Verification struct {
	ID    string `json:"id"`
	Name  string `json:"name,omitempty"` // of its match; "": its id
	Valid bool   `json:"valid"`
	Why   string `json:"why,omitempty"` // what is wrong, naming the first wrong field
	// Error is set where umpire itself failed to play the match: there is no
	// outcome to judge.
	Error string `json:"error,omitempty"`
	// Unchecked says which part of a valid record can't be judged again, since
	// the record does not hold the data.
	Unchecked string `json:"unchecked,omitempty"`
	// Judge says, of a match with a judge of the game's own, whether that has judged
	// again: JudgeNotRun or JudgeAgrees; "": the game is built in.
	Judge string `json:"judge,omitempty"`
	// Complete is false where a seat's verdict, score, place or number of
	// replies is missing, so that nothing could be compared with it.
	Complete bool               `json:"complete"`
	Seats    []SeatVerification `json:"seats"` // empty if the outcome could not be recomputed
}

// Values of Verification.Judge.
const (
	JudgeNotRun = "not run"
	JudgeAgrees = "agrees"
)

// Add adds what else is wrong with the record, if anything is.
func (j *Verification) Add(err error) {
	if j.Valid && err != nil {
		j.Valid, j.Why = false, err.Error()
	}
}

// SeatVerification is the recomputed outcome of one seat.
type SeatVerification struct {
	Score   protocols.Score `json:"score"`
	Place   int             `json:"place"`
	Verdict string          `json:"verdict"`
}

// claimed holds the fields of a record that may be missing, and are compared if
// present.
type claimed struct {
	Seats []claimedSeat `json:"seats"`
}

type claimedSeat struct {
	Verdict   *string          `json:"verdict"`
	Detail    *string          `json:"detail"`
	Score     *protocols.Score `json:"score"`
	Place     *int             `json:"place"`
	WallUS    *int64           `json:"wall_us"`
	ChargedUS *int64           `json:"charged_us"`
	Replies   *int             `json:"replies"`
}

// claims returns all fields that may be missing, as those of a record that
// umpire has written.
func (r Record) claims() (c claimed) {
	for i := range r.Seats {
		s := &r.Seats[i]
		c.Seats = append(c.Seats, claimedSeat{&s.Verdict, &s.Detail, &s.Score, &s.Place, &s.WallUS, &s.ChargedUS, &s.Replies})
	}
	return c
}

// Verify recomputes the outcome of the record in a line of a results file. The error says
// that the line is not a record at all, as does the Verification.
func Verify(line Line, games []protocols.Game) (Verification, error) {
	r, err := line.Record()
	var c claimed
	missing := ""
	if err == nil {
		missing, err = line.decode(&c)
	}
	j, err := r.verification(c, err, games)
	j.Complete = err == nil && (missing == "" || r.Error != "")
	return j, err
}

// VerifyWhole is Verify for a record that umpire has written, with all fields
// of its seats: one that is missing counts as 0, or empty. It also returns the
// record.
func VerifyWhole(line Line, games []protocols.Game) (Record, Verification, error) {
	r, err := line.Record()
	j, err := r.verification(r.claims(), err, games)
	j.Complete = err == nil
	return r, j, err
}

// verification verifies a record, unless err says that it is none.
func (r Record) verification(c claimed, err error, games []protocols.Game) (Verification, error) {
	j := Verification{Seats: []SeatVerification{}}
	if err != nil {
		j.Why = err.Error()
		return j, err
	}
	if j.ID, j.Name = r.ID, r.Name; r.Package != nil {
		j.Judge = JudgeNotRun
	}
	if err := r.verify(&j, c, games); err != nil {
		j.Why = err.Error()
	}
	j.Valid = j.Why == ""
	return j, nil
}

// verify compares the record with its recomputed outcome; the error says what is wrong with the record.
func (r Record) verify(j *Verification, c claimed, games []protocols.Game) error {
	if s := r.Scale; s != 0 && !(s >= MinScale && s <= MaxScale) {
		return fmt.Errorf("scale: found %v, expected %v to %v", s, MinScale, MaxScale)
	}
	if r.IsRelayed() {
		return r.verifyRelayed(j, c)
	}
	setup, events, err := r.Setup(games)
	if err != nil {
		return err
	}
	if r.Error != "" {
		j.Error = r.Error
		return r.verifyError()
	}
	former := make([][]string, len(r.Seats)) // of each seat's detail
	played, err := setup.Replay(events, referee.Watcher{Event: func(e referee.Event, foul *protocols.Foul, _ protocols.Match) {
		if foul != nil {
			former[e.Seat-1] = foul.Former
		}
	}})
	if err != nil {
		return err
	}
	cut := slices.IndexFunc(events, func(e referee.Event) bool { return e.Cut != nil })
	if cut >= 0 {
		j.Unchecked = fmt.Sprintf("events[%d].reply: %d of %d bytes are kept, so verdict, detail, score and place can't be recomputed",
			cut, len(events[cut].Reply), events[cut].Cut.Bytes)
		err = r.compareCut(events)
	} else {
		for _, s := range played.Seats {
			j.Seats = append(j.Seats, SeatVerification{s.Score, s.Place, string(s.Verdict)})
		}
		err = compareOutcome(c, played, former)
	}
	if err == nil {
		err = r.compareUse(c, played)
	}
	if err == nil {
		err = r.compareIdentity()
	}
	return err
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

// Replay plays a recorded match again from its events. The error says what is
// wrong with the record.
func (r Record) Replay(games []protocols.Game, watch referee.Watcher) (referee.Result, error) {
	setup, events, err := r.Setup(games)
	if err != nil {
		return referee.Result{}, err
	}
	return setup.Replay(events, watch)
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
		return referee.Setup{}, nil, fmt.Errorf("seats: found %d, expected %d to %d", n, g.MinSeats, g.MaxSeats)
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

// Parse finds the record's game and reads its case: that of a package is told by what
// its judge said.
func (r Record) Parse(games []protocols.Game) (protocols.Game, protocols.Case, error) {
	if r.Package != nil {
		return r.told()
	}
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

// compareOutcome names the first field that does not agree with the replayed
// match. A detail may also be a former one of its seat.
func compareOutcome(c claimed, played referee.Result, former [][]string) error {
	for i, s := range played.Seats {
		claim := c.Seats[i]
		if claim.Detail != nil && slices.ContainsFunc(former[i], func(was string) bool { return *claim.Detail == text(was) }) {
			claim.Detail = nil
		}
		for _, f := range []struct {
			name        string
			found, want any
			there       bool
		}{
			{"score", deref(claim.Score), s.Score, claim.Score != nil},
			{"place", deref(claim.Place), s.Place, claim.Place != nil},
			{"verdict", deref(claim.Verdict), string(s.Verdict), claim.Verdict != nil},
			{"detail", deref(claim.Detail), text(s.Detail), claim.Detail != nil},
		} {
			if f.there && f.found != f.want {
				return fmt.Errorf("seats[%d].%s: found %#v, the events give %#v", i, f.name, f.found, f.want)
			}
		}
	}
	return nil
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

func deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// compareUse checks the resources that the seats used against the events and
// the limits.
func (r Record) compareUse(c claimed, played referee.Result) error {
	for i, s := range played.Seats {
		claim := c.Seats[i]
		if claim.Replies != nil && *claim.Replies != s.Replies {
			return fmt.Errorf("seats[%d].replies: found %d, the events give %d", i, *claim.Replies, s.Replies)
		}
		if err := r.compareTimes(i, claim.WallUS, claim.ChargedUS); err != nil {
			return err
		}
		seat := r.Seats[i]
		fine := seat.Verdict == string(referee.OK) || seat.Verdict == string(referee.Wrong)
		if limit := r.Limits.MemoryBytes; fine && limit > 0 && seat.PeakBytes > limit {
			return fmt.Errorf("seats[%d].peak_bytes: found %d with verdict %s, limits.memory_bytes allows %d",
				i, seat.PeakBytes, seat.Verdict, limit)
		}
	}
	return nil
}

// compareTimes checks a seat's times: the times of its replies, and of a request
// that it failed to answer, must add up to the seat's, and the times charged for
// replies must be within the limits. Sums of microseconds may be off by one for
// each of its events.
func (r Record) compareTimes(seat int, wall, charged *int64) error {
	var sumWall, sumCharged, asked int64
	limits := r.Limits.Scaled(r.Scale)
	for i, e := range r.Events {
		if e.Seat != seat+1 {
			continue
		}
		cost, name, err := r.charged(e, asked == 0)
		if err != nil {
			return fmt.Errorf("events[%d].%w", i, err)
		}
		replied := e.Fail == "" // a failure may be that the limits are exceeded
		if over := limits.MoveUS; replied && over > 0 && cost > over {
			return fmt.Errorf("events[%d].%s: %d are charged, limits.move_us%s allows %d", i, name, cost, r.scaled(), over)
		}
		sumWall += e.WallUS
		sumCharged += cost
		asked++
		if over := limits.TimeUS; replied && over > 0 && sumCharged > over {
			return fmt.Errorf("events[%d].%s: %d are charged in all, limits.time_us%s allows %d", i, name, sumCharged, r.scaled(), over)
		}
	}
	for _, f := range []struct {
		name  string
		found *int64
		sum   int64
	}{{"wall_us", wall, sumWall}, {"charged_us", charged, sumCharged}} {
		if f.found != nil && (*f.found < f.sum || *f.found > f.sum+asked) {
			return fmt.Errorf("seats[%d].%s: found %d, the events give %d", seat, f.name, *f.found, f.sum)
		}
	}
	return r.compareMatchTime(seat, sumWall, asked)
}

// scaled names the scale of the limits, if they have one.
func (r Record) scaled() string {
	if r.Scale == 0 {
		return ""
	}
	return fmt.Sprintf(", times scale %v,", r.Scale)
}

// cpuTick is the time, in microseconds, by which a system that accounts for CPU
// time in ticks may be wrong on each CPU.
const cpuTick = 10_000

// compareMatchTime checks that a seat's times are possible in the time that the
// match took: asked replies and requests, one after the other, and what all CPUs
// that it may use can do meanwhile. The clock of CPU time may run faster by 1 %.
// A record of another program may not tell how long the match took.
func (r Record) compareMatchTime(seat int, replies, asked int64) error {
	if r.WallUS == 0 && r.Umpire == "" {
		return nil
	}
	if bound := r.WallUS; replies > bound+asked {
		return fmt.Errorf("seats[%d]: found replies of %d us in all, the match's wall_us allows %d", seat, replies, bound)
	}
	if found, bound := r.Seats[seat].CPUUS, (r.WallUS+r.WallUS/100+cpuTick)*int64(r.CPUs); r.CPUs > 0 && found > bound {
		return fmt.Errorf("seats[%d].cpu_us: found %d, the match's wall_us %d and cpus %d allow %d", seat, found, r.WallUS, r.CPUs, bound)
	}
	return nil
}

// charged returns what a reply, or a request that was not answered, cost of the
// budget, in microseconds, and the
// field that says so. The cost is the time of the clock, less the start-up
// allowance for a seat's first reply. Where pondering is charged or frozen,
// time taken by others has been subtracted and time pondered before the reply
// added; the record does not hold how much. A remote seat is charged less the
// grace, and a person nothing.
func (r Record) charged(e Event, first bool) (cost int64, name string, err error) {
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
	if l.Clock == "cpu" {
		cost, name = e.CPUUS, "cpu_us"
	}
	if first {
		cost = max(0, cost-l.StartUS)
	}
	if e.ChargedUS == nil {
		return cost, name, nil
	}
	const slack = 1 // rounding
	if found := *e.ChargedUS; l.Policy() == referee.PonderAllow && (found < max(0, cost-e.StallUS)-slack || found > cost+slack) {
		return 0, "", fmt.Errorf("charged_us: found %d, its time gives %d", found, cost)
	}
	return *e.ChargedUS, "charged_us", nil
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
