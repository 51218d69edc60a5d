package referee

import (
	"context"
	"fmt"
	"strings"

	"umpire/protocols"
)

// Judged is a Match whose rules are said by a judge, which takes its time and may
// fail.
type Judged interface {
	protocols.Match
	// Hear takes all answers of a step, in the order of Await, before Reply and Fail
	// are called for them, and hears what the judge says to them: at first, before
	// Next, to none. Neither Next, Reply nor Fail then has to wait. An error is
	// nobody's verdict.
	Hear(ctx context.Context, answers []Answer) error
	// Talk is what the judge has said so far, line by line.
	Talk() string
}

// RefusedError is the error of a match whose judge refuses to play the case.
type RefusedError struct {
	Line int // of the case's text, from 1; 0: all of it
	Why  string
}

func (r *RefusedError) Error() string {
	if r.Line == 0 {
		return refusesAll + r.Why
	}
	return fmt.Sprintf(refusesLine+"%s", r.Line, r.Why)
}

// How the text of a RefusedError begins.
const (
	refusesAll  = "the judge refuses the case: "
	refusesLine = "the judge refuses line %d of the case: "
)

// ParseRefused reads the text of a RefusedError.
func ParseRefused(text string) (*RefusedError, bool) {
	r := new(RefusedError)
	if why, ok := strings.CutPrefix(text, refusesAll); ok {
		r.Why = why
		return r, true
	}
	_, err := fmt.Sscanf(text, refusesLine, &r.Line)
	_, r.Why, _ = strings.Cut(text, ": ")
	return r, err == nil && r.Line > 0
}

// Answer is what a seat answered in a step of a Judged match.
type Answer struct {
	Seat    int
	Text    string
	Failure *protocols.Failure // nil for a reply
}

// hear lets the judge of a match, if it has one, hear the answers of a step. If the
// judge fails, they are events all the same.
func (d *driver) hear(ctx context.Context, step protocols.Step, replies []Reply, errs []error) error {
	if d.judged == nil {
		return nil
	}
	answers := make([]Answer, len(replies))
	for i, n := range step.Await {
		if own := umpiresOwn(n, errs[i]); own != nil {
			return own
		}
		failure, _ := errs[i].(*protocols.Failure)
		answers[i] = Answer{Seat: n, Text: replies[i].Text, Failure: failure}
	}
	err := d.judged.Hear(ctx, answers)
	for i := 0; err != nil && i < len(answers); i++ {
		_ = d.account(answers[i].Seat, replies[i], errs[i])
	}
	return err
}
