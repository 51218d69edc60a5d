package contestant_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/sandbox"
)

// TestLongestLine: a line may have as many bytes as it says, and no more, also where its end
// is there already when they are counted.
func TestLongestLine(t *testing.T) {
	defer locked()()
	launcher, err := sandbox.NewNone()
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]protocols.Kind{referee.MaxLine: "", referee.MaxLine + 1: protocols.KindOutput} {
		c := shell(t, launcher, `{ head -c "$1" /dev/zero | tr '\0' a; echo; } | dd bs=1M iflag=fullblock status=none; cat`, strconv.Itoa(n))
		reply, err := c.Receive(t.Context(), referee.Ask{Limit: 20 * time.Second})
		failure, _ := errors.AsType[*protocols.Failure](err)
		if want == "" && (err != nil || reply.Text != strings.Repeat("a", n)) || want != "" && (failure == nil || failure.Kind != want) {
			t.Errorf("%d bytes: found %d bytes and the error %v, expected %q", n, len(reply.Text), err, want)
		}
	}
}
