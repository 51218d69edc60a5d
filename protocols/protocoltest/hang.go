package protocoltest

import (
	"fmt"
	"sync/atomic"
	"time"

	"umpire/protocols"
)

// hang is a finding: a game has not returned from a call.
type hang struct {
	call
	after time.Duration
}

func (h *hang) Error() string {
	return fmt.Sprintf("%s %s (%d bytes): no return within %v", h.what, protocols.Quote(h.text), len(h.text), h.after)
}

// call is a call that a text is given to.
type call struct {
	what, text string
	since      time.Time
}

// pulse holds the call that is under way in a check. Without one, calls are only
// made.
type pulse struct {
	now   atomic.Pointer[call]
	limit time.Duration // how long a call may take
}

// call makes a call.
func (p *pulse) call(what, text string, f func()) {
	if p == nil {
		f()
		return
	}
	p.now.Store(&call{what, text, time.Now()})
	defer p.now.Store(nil)
	f()
}

// watch runs a check and returns its finding, or the call that it hangs in.
func (s Suite) watch(check func(Suite) error) error {
	if s.pulse == nil {
		s.pulse = &pulse{limit: 20 * time.Second}
	}
	found := make(chan error, 1)
	go func() { found <- check(s) }()
	look := time.NewTicker(s.pulse.limit / 4)
	defer look.Stop()
	for {
		select {
		case err := <-found:
			return err
		case now := <-look.C:
			if c := s.pulse.now.Load(); c != nil && now.Sub(c.since) > s.pulse.limit {
				return &hang{*c, s.pulse.limit}
			}
		}
	}
}
