package record

import "umpire/protocols"

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
