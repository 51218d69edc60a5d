package arena_test

import (
	"fmt"
	"testing"

	"go.uber.org/goleak"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
	"umpire/referee/arena"
	"umpire/referee/record"
)

// TestEnough: from the moment on that no more matches are to begin, none does,
// though many lie ready or come without end; that is no error.
func TestEnough(t *testing.T) {
	defer goleak.VerifyNone(t)
	const most = 3
	for _, jobs := range []int{1, 4} {
		over := 0
		endless := func(yield func(arena.Fixture) bool) {
			for n := 0; yield(arena.Fixture{Game: "sum", Case: record.Case{Text: fmt.Sprint(n)}}); n++ {
			}
		}
		l := arena.Local{Games: []protocols.Game{protocoltest.Sum()}, Jobs: jobs}
		enough := make(chan struct{})
		l.Enough = func() bool {
			select {
			case <-enough:
				return true
			default:
				return false
			}
		}
		err := l.Run(t.Context(), endless, func(int, record.Record) error {
			if over++; over == most {
				close(enough)
			}
			return nil
		})
		if err != nil || over < most || over >= most+jobs {
			t.Errorf("%d jobs: %d matches ended, error %v, expected %d, and those that the other jobs had begun", jobs, over, err, most)
		}
	}
}
