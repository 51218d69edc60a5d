package referee

import (
	"fmt"
	"runtime"
	"time"

	"umpire/protocols"
)

// Grace is how long a contestant may take to end once its match is over.
const Grace = 100 * time.Millisecond

// overrun is the failure of a seat that has used more CPU time than it may, as
// only its end has shown: what looks at it have missed. Not held against it is
// what it may use besides its replies: to ponder, and to end.
func (d *driver) overrun(s *seat) *protocols.Failure {
	budget := d.limits.Time
	if each := d.limits.PerMove * time.Duration(s.replies); each > 0 && (budget == 0 || each < budget) {
		budget = each
	}
	if !d.limits.CPU || budget == 0 {
		return nil
	}
	beside := s.free + s.pondered + Grace*time.Duration(runtime.NumCPU())
	if used := s.usage.CPU - beside; used > budget+d.limits.Startup {
		return &protocols.Failure{Kind: protocols.KindTime, Detail: fmt.Sprintf(
			"used %s of CPU time in all, as its end has shown; %s were allowed", Seconds(used), Seconds(budget+d.limits.Startup))}
	}
	return nil
}

// ponderFreely lets a seat have for nothing what it has computed while it owed
// no reply.
func (s *seat) ponderFreely() {
	if s.watched != nil && !s.stopped {
		cpu, _ := s.watched.Pondered(true)
		s.free += cpu
	}
}
