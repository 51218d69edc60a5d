package problem

import (
	"fmt"
	"time"
)

// MostMeasured is the CPU time that a submission has for each run by which a time limit is
// inferred.
const MostMeasured = time.Minute

// Timing says how a time limit is inferred from the time that submissions take.
type Timing struct {
	Of     []Timed
	Factor float64       // of the slowest
	Unit   time.Duration // the limit is a multiple of it, and at least once
	// Nearest rounds to the nearest multiple, otherwise up.
	Nearest bool
}

// Timed is a submission by which a time limit is inferred, on some cases.
type Timed struct {
	Submission, Main string // as of Submission
	Cases            []string
}

// Limit is the limit where the slowest takes so long.
func (t *Timing) Limit(slowest time.Duration) time.Duration {
	exact := time.Duration(float64(slowest) * t.Factor)
	if t.Nearest {
		exact += t.Unit / 2
	} else {
		exact += t.Unit - 1
	}
	return max(exact/t.Unit, 1) * t.Unit
}

// String says what is done with the slowest time.
func (t *Timing) String() string {
	how := "rounded up to"
	if t.Nearest {
		how = "rounded to"
	}
	return fmt.Sprintf("times %g, %s a multiple of %s", t.Factor, how, t.Unit)
}
