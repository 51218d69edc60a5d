package fleet

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestWorkerOfAnotherRun: at a server with several runs each is asked by a
// worker, which plays for one of them. The others don't say that it has joined,
// nor that it is gone.
func TestWorkerOfAnotherRun(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{})
	var said strings.Builder
	c.crew.mu.Lock()
	c.Note = func(format string, args ...any) { fmt.Fprintf(&said, format, args...) }
	c.crew.mu.Unlock()
	elsewhere, here := newByHandAs(t, s, "elsewhere", ""), newByHandAs(t, s, "here", "")
	if err := here.ask(t.Context(), here.beat(here.id), beat{}, new(orders)); err != nil {
		t.Fatal(err)
	}
	if f := c.Now(); len(f.Workers) != 1 || f.Workers[0].Name != "here" {
		t.Errorf("found workers %+v, expected the one that has sent a beat", f.Workers)
	}
	c.crew.mu.Lock()
	c.crew.members[elsewhere.id].seen = time.Now().Add(-2 * lostAfter)
	c.crew.mu.Unlock()
	if f := c.Now(); len(f.Workers) != 1 || f.Silent != 0 {
		t.Errorf("found workers %+v and %d silent, expected one and none", f.Workers, f.Silent)
	}
	c.crew.mu.Lock()
	defer c.crew.mu.Unlock()
	if want := "umpire: worker here has joined, with 1 at a time, isolation \n"; said.String() != want {
		t.Errorf("found %q, expected %q", said.String(), want)
	}
}
