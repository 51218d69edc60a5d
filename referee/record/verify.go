package record

import (
	"fmt"
	"slices"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/interaction"
)

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
	if p := r.Case.Points; p < 0 {
		return fmt.Errorf("case.points: found %v, expected 0 or more", p)
	}
	if err := r.verifySeats(); err != nil {
		return err
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

// verifySeats checks that voids are of the record's seats, and that nothing is said of
// players from outside that umpire can't know.
func (r Record) verifySeats() error {
	for i, v := range r.Voids {
		if v.Seat > len(r.Seats) {
			return fmt.Errorf("voids[%d].seat: found %d, expected 1 to %d", i, v.Seat, len(r.Seats))
		}
	}
	for i, s := range r.Seats {
		for _, f := range []struct {
			name  string
			known bool
		}{{"cpu_us", s.CPUUS > 0}, {"peak_bytes", s.PeakBytes > 0}, {"stderr", s.Stderr+s.StderrAfter != ""}} {
			if s.Kind != "" && f.known {
				return fmt.Errorf("seats[%d].%s: found one, expected none of a %s player", i, f.name, s.Kind)
			}
		}
	}
	return nil
}

// verifyRelayed compares the record of a match with what follows from its facts.
func (r Record) verifyRelayed(j *Verification, c claimed) error {
	if len(r.Seats) != 1 || len(r.Events) > 0 {
		return fmt.Errorf("found %d seats and %d events, expected one seat and none in a match of a problem package", len(r.Seats), len(r.Events))
	}
	if _, err := interaction.ParseCase(r.Case.Text); err != nil {
		return fmt.Errorf("case.text: %w", err)
	}
	seen, err := r.Seen()
	if err != nil {
		return err
	}
	if r.Error != "" {
		j.Error = r.Error
		return r.verifyError()
	}
	ruling, err := interaction.Judge(interaction.Format(r.Package.Format), 0, seen)
	if err != nil {
		return fmt.Errorf("exchanges: %w, and there is a verdict", err)
	}
	played := referee.Result{Seats: []referee.Seat{ruling.Result()}}
	s := played.Seats[0]
	j.Seats = append(j.Seats, SeatVerification{s.Score, s.Place, string(s.Verdict)})
	if err := compareOutcome(c, played, [][]string{ruling.Former}); err != nil {
		return err
	}
	if limit := r.Limits.TimeUS; s.Verdict == referee.OK && limit > 0 && len(c.Seats) > 0 && r.Seats[0].CPUUS > limit*int64(r.Passes()) {
		return fmt.Errorf("seats[0].cpu_us: found %d with verdict ok, limits.time_us allows %d", r.Seats[0].CPUUS, limit)
	}
	return r.compareIdentity()
}
