package build

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"time"

	"umpire/referee/procfs"
)

// Glance is how often a compiler's processes are looked at.
const Glance = 250 * time.Millisecond

// timer takes the time of a compiler: that in which it computes, or waits of its own accord.
// What it waits for a CPU is the machine's. Where nobody looks at it, all is its own.
type timer struct {
	begun   time.Time
	stalled func() time.Duration // since begun; see Builder.Stalled

	mu     sync.Mutex
	seen   time.Duration // wall time of the last look
	cpu    time.Duration // CPU time used until then
	waited time.Duration // the machine's part until then
}

func newTimer(stalled func() time.Duration) *timer {
	t := &timer{begun: time.Now(), stalled: func() time.Duration { return 0 }}
	if stalled != nil {
		before := stalled()
		t.stalled = func() time.Duration { return stalled() - before }
	}
	return t
}

// wall returns how long it has taken, without umpire's stalls.
func (t *timer) wall() time.Duration { return time.Since(t.begun) - t.stalled() }

// look serves as Command.Look.
func (t *timer) look(cpu time.Duration, ready bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	wall := t.wall()
	if idle := wall - t.seen - max(0, cpu-t.cpu); ready && idle > 0 {
		t.waited += idle
	}
	t.seen, t.cpu = wall, max(t.cpu, cpu)
}

// await returns the error of what, once all of its time is over: the machine's, if that took most
// of it. If ctx ends before, there is none.
func (t *timer) await(ctx context.Context, what string) error {
	for {
		own, wall := t.left()
		switch {
		case own <= 0:
			return &FailedError{fmt.Errorf("%s took more than %g s", what, timeout.Seconds())}
		case wall <= 0:
			return fmt.Errorf("%s had no CPU for %.0f s of %g s: is the machine overloaded?", what, (mostWall - timeout + own).Seconds(), mostWall.Seconds())
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(min(own, wall)):
		}
	}
}

// left returns how much time of its own is left, and how much in all.
func (t *timer) left() (own, wall time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	took := t.wall()
	return timeout - (took - t.waited), mostWall - took
}

const (
	// mostProcesses is how many processes of a compiler are looked at.
	mostProcesses = 1024
	// ticks is how many ticks /proc counts in a second (USER_HZ).
	ticks = 100
)

// LookAt returns the CPU time of a process and all below it, with that of those that they have
// waited for, and whether any of them computes, or could if it had a CPU.
func LookAt(pid int) (cpu time.Duration, ready bool) {
	for _, one := range procfs.Descendants(pid, []int{pid}, mostProcesses) {
		for _, thread := range procfs.Threads(one) {
			fields := procfs.StatFieldsOf(procfs.ThreadDir(thread))
			ready = ready || len(fields) > 0 && fields[0] == "R"
		}
		fields := procfs.StatFields(one)
		if len(fields) < 15 {
			continue
		}
		for _, text := range fields[11:15] { // utime, stime, cutime, cstime
			n, _ := strconv.ParseInt(text, 10, 64)
			cpu += time.Duration(n) * time.Second / ticks
		}
	}
	return cpu, ready
}
