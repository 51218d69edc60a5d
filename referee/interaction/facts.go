package interaction

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"umpire/referee"
)

// Judge returns the ruling on a match from all that was seen of it, by a contestant of so many
// processes; 0: of those that are seen. Of several runs, all but the last must have been
// accepted. The error is a JudgeError, or says that these can't be the facts of a match.
func Judge(f Format, processes int, seen []referee.Exchange) (Ruling, error) {
	facts, pass := newFacts(processes), 1
	for i, e := range seen {
		if e.Pass == 0 {
			if err := facts.Add(f, e); err != nil {
				return Ruling{}, fmt.Errorf("events[%d]: %w", i, err)
			}
			continue
		}
		if pass++; e.Pass != pass {
			return Ruling{}, fmt.Errorf("events[%d].pass: found %d, expected %d", i, e.Pass, pass)
		}
		if r, err := Rule(f, facts); err != nil || r.Verdict != referee.OK {
			return Ruling{}, errors.Join(err, fmt.Errorf("events[%d].pass: found a further run after one that was not accepted", i))
		}
		facts = newFacts(processes)
	}
	r, err := Rule(f, facts)
	if pass > 1 && r.Detail != "" {
		r.Former, r.Detail = []string{r.Detail}, fmt.Sprintf("pass %d: %s", pass, r.Detail)
	}
	return r, err
}

// newFacts returns the facts of a run of which nothing has been seen.
func newFacts(processes int) Facts { return Facts{Bots: make([]End, processes), most: processes} }

var (
	errTwice = errors.New("ends a second time")
	errAfter = errors.New("goes on after its end")
)

// MaxProcesses is how many processes a contestant may have, in a format that knows several.
const MaxProcesses = 64

// bot is the end of a process of the contestant, by its seat.
func (f *Facts) bot(seat int) *End {
	for len(f.Bots) < seat {
		f.Bots = append(f.Bots, End{})
	}
	return &f.Bots[seat-1]
}

// processes is how many processes the contestant may have.
func (f *Facts) processes(format Format) int {
	if format != CMS {
		return 1
	}
	return cmp.Or(f.most, MaxProcesses)
}

// Add adds what was seen next.
func (f *Facts) Add(format Format, e referee.Exchange) error {
	var end *End
	most := f.processes(format)
	switch {
	case e.To != 0 && (format != CMS || e.Seat != 0 || e.To < 0 || e.To > most || e.Ended || e.Fail != nil):
		return fmt.Errorf("found %d as that which the judge tells something, expected a process of a contestant", e.To)
	case e.To > 0:
		f.bot(e.To) // which must end, too
		return nil
	case e.Seat == 0 && f.Judge.Ended:
		end = &f.Checker
	case e.Seat == 0:
		end = &f.Judge
	case e.Seat >= 1 && e.Seat <= most:
		end = f.bot(e.Seat)
	case most == 1:
		return fmt.Errorf("found seat %d, expected 1 or the judge", e.Seat)
	default:
		return fmt.Errorf("found seat %d, expected 1 to %d or the judge", e.Seat, most)
	}
	switch {
	case e.Seat > 0 && end.seen() && (e.Text != "" || e.EOF):
		return errAfter
	case end == &f.Checker && format != Polygon && (e.Ended || e.Fail != nil):
		return errTwice
	case e.Fail != nil && end.Fail == nil:
		end.Fail = e.Fail
	case e.Ended && end.Ended:
		return errTwice
	case e.Ended:
		end.Ended, end.Exit, end.Signal, end.Detail, end.Score = true, e.Exit, e.Signal, e.Detail, e.Score
		if end == &f.Judge {
			f.Before = !f.ended() && !slices.ContainsFunc(f.Bots, func(e End) bool { return e.failed() })
		}
	}
	return nil
}

// Result is how a match ended for its one seat, by a ruling.
func (r Ruling) Result() referee.Seat {
	seat := referee.Seat{Verdict: r.Verdict, Detail: r.Detail}
	seat.Place = 1
	switch r.Verdict {
	case referee.OK:
		seat.Score = r.Score
	case referee.Wrong:
		seat.Wrong = r.Detail
	}
	return seat
}
