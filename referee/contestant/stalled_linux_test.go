package contestant

import (
	"context"
	"errors"
	"os"
	"runtime"
	"testing"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/procfs"
	"umpire/referee/sandbox"
)

// stopping stands for an umpire that is stopped for an hour right after the first
// look for stalls.
type stopping struct {
	during *wait
	looked bool
}

func (s *stopping) Look() time.Duration {
	if !s.looked {
		s.looked = true
		s.during.start -= time.Hour
		return 0
	}
	return s.Total()
}

func (s *stopping) Total() time.Duration { return time.Hour }
func (*stopping) Held() bool             { return false }
func (*stopping) AwaitRelease()          {}

// TestStalledWhileLooking: a stall between the look for stalls and the next reading
// of the clock is no time of the contestant, which loses by all of the rest.
func TestStalledWhileLooking(t *testing.T) {
	for limit, isLate := range map[time.Duration]bool{30 * time.Minute: false, time.Second: true} {
		now := clock()
		w := &wait{c: &Contestant{exit: &sandbox.Exit{}, endedAt: now, cpus: 1}, start: now - time.Minute, due: now}
		w.ask.Stalls = &stopping{during: w}
		w.facts.limit, w.facts.wallLimit = limit, -1
		w.observe()
		if failure := w.facts.late(); (failure != nil) != isLate || w.facts.wall < time.Hour {
			t.Errorf("limit %v: late: %v, %v of %v stalled", limit, failure, w.facts.stall, w.facts.wall)
		}
	}
}

// TestLate: that umpire looks later than it meant to is no time of the contestant, which loses
// by all of the rest.
func TestLate(t *testing.T) {
	for limit, isLate := range map[time.Duration]bool{40 * time.Second: false, 20 * time.Second: true} {
		now := clock()
		w := &wait{c: &Contestant{exit: &sandbox.Exit{}, endedAt: now, cpus: 1}, start: now - time.Minute, due: now - 30*time.Second}
		w.facts.limit, w.facts.wallLimit = limit, -1
		w.observe()
		if failure := w.facts.late(); (failure != nil) != isLate || w.facts.wait != 30*time.Second {
			t.Errorf("limit %v: late: %v, %v of %v waited", limit, failure, w.facts.wait, w.facts.wall)
		}
	}
}

// TestLateSoon: it is noticed within the first tick, too, that umpire is late.
func TestLateSoon(t *testing.T) {
	const ms = time.Millisecond
	now := clock()
	w := &wait{c: &Contestant{exit: &sandbox.Exit{}, endedAt: now, cpus: 1}, start: now - 20*ms, due: now - 16*ms}
	w.facts.limit, w.facts.wallLimit = 10*ms, -1
	w.observe()
	if failure := w.facts.late(); failure != nil || w.facts.wait != 16*ms {
		t.Errorf("late: %v, %v of %v waited, expected 16ms", failure, w.facts.wait, w.facts.wall)
	}
}

// starving stands for an umpire that gets no CPU for an hour in the middle of the first
// look for stalls, and does not take that for one.
type starving struct {
	stopping
}

func (s *starving) Look() time.Duration {
	if !s.looked {
		s.looked = true
		s.during.start -= time.Hour
		s.during.due -= time.Hour
	}
	return 0
}

func (*starving) Total() time.Duration { return 0 }

// blocked is a process that uses no CPU time.
type blocked struct{ sandbox.Process }

func (blocked) CPU() time.Duration              { return 0 }
func (blocked) Children() (time.Duration, bool) { return 0, false }
func (blocked) Pid() int                        { return 1<<31 - 1 } // which the kernel never gives

// TestStarvedWhileLooking: that umpire has no CPU between its reading of the clock and the
// next, after it was late already, is no time of the contestant, which loses by all of the rest.
func TestStarvedWhileLooking(t *testing.T) {
	const waited = time.Hour + 30*time.Second
	for name, exit := range map[string]*sandbox.Exit{"running": nil, "ended": {}} {
		for limit, isLate := range map[time.Duration]bool{40 * time.Second: false, 20 * time.Second: true} {
			now := clock()
			w := &wait{c: &Contestant{exit: exit, proc: blocked{}, endedAt: now, cpus: 1}, start: now - time.Minute, due: now - 30*time.Second}
			w.ask.Stalls = &starving{stopping{during: w}}
			w.facts.limit, w.facts.wallLimit, w.lookAt = limit, -1, 2*time.Hour
			w.observe()
			if failure := w.facts.late(); (failure != nil) != isLate || w.facts.wait < waited || w.facts.wait > waited+5*time.Second {
				t.Errorf("%s, limit %v: late: %v, %v of %v waited", name, limit, failure, w.facts.wait, w.facts.wall)
			}
		}
	}
}

// TestStarvedBeforeLook: what umpire waited before the first look at run delays, which can't
// tell, counts as well where the contestant is not late yet.
func TestStarvedBeforeLook(t *testing.T) {
	const waited = time.Hour + 30*time.Second
	now := clock()
	w := &wait{c: &Contestant{proc: blocked{}, cpus: 1}, start: now - time.Minute, due: now - 30*time.Second}
	w.ask.Stalls = &starving{stopping{during: w}}
	w.facts.limit = -1
	w.measure(false)
	w.noticeStall()
	w.seeWaits()
	if part := w.machinesPart(); part < waited || part > waited+5*time.Second {
		t.Errorf("%v of %v waited, expected %v", part, w.facts.wall, waited)
	}
}

// shells returns what starts programs of the shell at level none.
func shells(t *testing.T) func(program string) *Contestant {
	t.Helper()
	launcher, err := sandbox.NewNone()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(launcher.(interface{ CloseIdle() }).CloseIdle)
	return func(program string) *Contestant {
		c, err := Start(launcher, sandbox.Command{Path: "/bin/sh", Args: []string{"sh", "-c", program}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
}

// TestStarvedInRound: that umpire has no CPU for an hour while it looks at the contestant, which
// replies then, makes the match void.
func TestStarvedInRound(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c := shells(t)("read line; echo done; read line")
	defer c.Stop()
	w := c.newWait(referee.Ask{Limit: time.Hour / 2, Alone: true}, clock())
	w.due = w.start
	w.ask.Meanwhile = func() {
		w.ask.Meanwhile = nil
		w.start -= time.Hour
		w.due -= time.Hour
		c.Send("go on")
		awaitOutput(c)
	}
	_, err := w.run(t.Context())
	if void, ok := errors.AsType[*referee.VoidError](err); !ok || void.Cause != referee.CauseMachine {
		t.Errorf("found %v, %v of %v waited, expected that the machine makes the match void", err, w.facts.wait, w.facts.wall)
	}
}

// awaitOutput waits until the contestant has written something.
func awaitOutput(c *Contestant) {
	pollFor([]pollFD{{Fd: int32(c.std.out), Events: toRead}}, time.Minute)
}

// TestAsleep: that umpire has no CPU for an hour while it looks at the contestant, which neither
// runs nor replies meanwhile, takes nothing off its time, also if it has written to standard error.
func TestAsleep(t *testing.T) {
	for _, said := range []string{"", "asleep"} {
		t.Run(said, func(t *testing.T) { testAsleep(t, said) })
	}
}

func testAsleep(t *testing.T, said string) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c := shells(t)("read line; sleep 1000")
	defer c.Kill()
	stderr := stderrOf(t, c)
	c.Send("go on")
	w := c.newWait(referee.Ask{Limit: time.Hour / 2, Alone: true}, clock())
	w.due = w.start
	w.ask.Meanwhile = func() {
		if !w.waits.ready {
			w.ask.Meanwhile = nil
			w.start -= time.Hour
			w.due -= time.Hour
			_, _ = stderr.WriteString(said)
		}
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	_, err := w.run(ctx)
	if failure, ok := err.(*protocols.Failure); !ok || failure.Kind != protocols.KindTime {
		t.Errorf("found %v, %v of %v waited, expected time", err, w.facts.wait, w.facts.wall)
	}
}

// TestFullStderr: who fills the pipe of its standard error may have waited for umpire to read it.
func TestFullStderr(t *testing.T) {
	c := shells(t)("read line")
	defer c.Kill()
	stderr := stderrOf(t, c)
	for _, size := range []int{1, 100, 4 << 10} {
		if _, err := stderr.Write(make([]byte, size)); err != nil {
			t.Fatal(err)
		}
		if full := c.readStderr(); full != (size >= 4<<10) {
			t.Errorf("%d bytes: found %v", size, full)
		}
	}
}

// stderrOf opens the standard error of a contestant for others to write to.
func stderrOf(t *testing.T, c *Contestant) *os.File {
	t.Helper()
	f, err := os.OpenFile(procfs.Dir(c.proc.Pid())+"/fd/2", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// TestWaitsThatDelay: what umpire waits for a CPU counts if it had something to see then, or a
// contestant was ready or ran; what the contestants wait counts always.
func TestWaitsThatDelay(t *testing.T) {
	const ms, s = time.Millisecond, time.Second
	type look struct {
		at, due, polled             time.Duration // the look, the last poll as planned and as it was
		found, ready                bool
		theirs, umpires, afterwards time.Duration // since the last look; all that counts
	}
	first := look{at: s, due: s, polled: s}
	for name, looks := range map[string][]look{
		"asleep":                        {first, {6 * s, 1 * s, 6*s - ms, false, false, 0, 5 * s, ms}, {7 * s, 7 * s, 7 * s, false, false, 0, 0, 0}},
		"late for another thread":       {first, {6 * s, 1 * s, 6 * s, false, false, 0, 0, 0}},
		"it replied":                    {first, {6 * s, 1 * s, 6 * s, true, false, 0, 5 * s, 5 * s}},
		"it replied after several":      {first, {6 * s, 1 * s, 6 * s, false, false, 0, 5 * s, 0}, {8 * s, 7 * s, 8 * s, true, false, 0, 1 * s, 1 * s}},
		"it wrote to standard error":    {{1 * s, 1 * s, 1 * s, true, false, 0, s / 2, s / 2}, {6 * s, 1 * s, 6 * s, false, false, 0, 5 * s, s / 2}},
		"ready":                         {first, {6 * s, 1 * s, 6 * s, false, true, 0, 5 * s, 5 * s}, {7 * s, 7 * s, 7 * s, false, false, 0, 0, 5 * s}},
		"ready before":                  {{1 * s, 1 * s, 1 * s, false, true, 0, 0, 0}, {6 * s, 1 * s, 6 * s, false, false, 0, 5 * s, 5 * s}},
		"it waited itself":              {first, {6 * s, 1 * s, 6 * s, false, false, 2 * s, 5 * s, 2 * s}, {7 * s, 7 * s, 7 * s, false, false, 0, 0, 2 * s}},
		"it waited, umpire, it replied": {first, {6 * s, 6 * s, 6 * s, true, false, 2 * s, 1 * s, 3 * s}},
		"after the poll":                {first, {6 * s, 1 * s, 1 * s, false, false, 0, 5 * s, 5 * s}},
	} {
		var w waits
		for i, l := range looks {
			w.polled(l.found, l.polled)
			w.late(l.due, l.at)
			if w.settle(l.at, l.theirs, l.umpires, l.ready); w.total() != l.afterwards {
				t.Errorf("%s: found %v after look %d, expected %v", name, w.total(), i+1, l.afterwards)
			}
		}
	}
}

// starvedRelay has umpire get no CPU for an hour in a relay's first look at the contestant,
// which comes after the one at the judge and before which the contestant has replied.
type starvedRelay struct {
	stopping
	looks int
	bot   *Contestant
}

func (s *starvedRelay) Look() time.Duration {
	if s.looks++; s.looks == 2 {
		epoch = epoch.Add(-time.Hour)
		awaitOutput(s.bot)
	}
	return 0
}

func (*starvedRelay) Total() time.Duration { return 0 }

// TestStarvedRelay: nor is it time of a contestant with a judge that umpire has no CPU between
// its reading of the clock and the next.
func TestStarvedRelay(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start := shells(t)
	started := epoch
	failed := false
	bot := start("sleep 0.5; echo 1")
	relay := Relay{
		Judge: start("sleep 0.5; read line"), Bots: []*Contestant{bot}, Stalls: &starvedRelay{bot: bot},
		Limit: time.Minute, Output: 1 << 20, JudgeLimit: time.Minute, Rejects: func(int) bool { return false },
		See: func(e referee.Exchange) { failed = failed || e.Fail != nil },
	}
	if err := relay.Run(t.Context()); err != nil || failed || epoch.Equal(started) {
		t.Errorf("failed: %v, error %v, starved: %v, expected that nobody fails", failed, err, !epoch.Equal(started))
	}
}

// asleepRelay has umpire get no CPU for an hour while the contestants of a relay sleep, of which
// one has written to standard error.
type asleepRelay struct {
	stopping
	relay  *Relay
	stderr *os.File
}

func (s *asleepRelay) Look() time.Duration {
	if s.relay.waits.looked > 0 && !s.relay.waits.ready && s.stderr != nil {
		epoch = epoch.Add(-time.Hour)
		_, _ = s.stderr.WriteString("asleep")
		s.stderr = nil
	}
	return 0
}

func (*asleepRelay) Total() time.Duration { return 0 }

// TestAsleepRelay: TestAsleep for a contestant with a judge.
func TestAsleepRelay(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start := shells(t)
	bot := start("exec sleep 1000")
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	var found protocols.Kind
	relay := Relay{
		Judge: start("read line"), Bots: []*Contestant{bot},
		Limit: time.Minute, Output: 1 << 20, JudgeLimit: time.Minute, Rejects: func(int) bool { return false },
		See: func(e referee.Exchange) {
			if e.Fail != nil {
				found = e.Fail.Kind
			}
		},
	}
	relay.Stalls = &asleepRelay{relay: &relay, stderr: stderrOf(t, bot)}
	if err := relay.Run(ctx); err != nil || found != protocols.KindTime {
		t.Errorf("found %q, error %v, expected time", found, err)
	}
}

var _, _ referee.Stalls = (*stopping)(nil), (*starving)(nil)
