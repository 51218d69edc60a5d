package contestant

import (
	"cmp"
	"slices"
	"time"

	"umpire/protocols"
	"umpire/referee"
)

// excess returns why a side has written too much.
func (s *side) excess(r *Relay) *protocols.Failure {
	switch {
	case s.c.stderr.total() > referee.MaxStderr:
		return fail(protocols.KindOutput, "wrote more than %s to standard error", referee.Size(referee.MaxStderr))
	case s.seat > 0 && s.total > r.Output:
		return fail(protocols.KindOutput, "wrote more than %s", referee.Size(r.Output))
	case s.seat == 0 && r.JudgeOutput > 0 && s.total+s.c.stderr.total() > r.JudgeOutput:
		return fail(protocols.KindOutput, "it wrote more than %s to standard output and standard error", referee.Size(r.JudgeOutput))
	case s.seat == 0 && slices.ContainsFunc(s.ports, func(p *port) bool { return p.to != nil && len(p.to.unsent) > maxUnread }):
		return fail(protocols.KindOutput, "wrote %s that the submission has not read", referee.Size(maxUnread))
	}
	return nil
}

// end takes the end of a side that has ended by itself.
func (r *Relay) end(s *side) error {
	r.reap(s)
	if s.c.exit.Err != nil {
		r.abandon(r.all...)
		return void(s.seat, s.c.exit.Err)
	}
	s.wait.measure(true)
	f := &s.wait.facts
	f.end(s.c.exit)
	why := cmp.Or(f.excess(), s.excess(r))
	if why == nil && s.seat == 0 && s.c.exit.DiskFull {
		why = fail(protocols.KindOutput, "it filled the %s that its files may have", referee.Size(f.diskLimit))
	}
	if why == nil && s.seat > 0 {
		s.wait.noticeStall()
		if why = cmp.Or(r.late(s), f.pretended("")); why == nil {
			if void := f.untimely(); void != nil {
				r.abandon(r.all...)
				return void
			}
		}
	}
	if why != nil {
		r.see(referee.Exchange{Seat: s.seat, Fail: why})
	}
	e := referee.Exchange{Seat: s.seat, Ended: true, Exit: s.c.exit.Status.ExitStatus()}
	if e.Signal = endSignal(s.c.exit.Status); e.Signal != "" {
		e.Exit = 0
	}
	r.see(e)
	r.after(s, why == nil && e.Signal == "" && e.Exit == 0, e.Signal == "" && !r.Rejects(e.Exit) && why == nil)
	return nil
}

// after goes on when a side has ended: well, as a contestant may, or with a judge's
// consent.
func (r *Relay) after(s *side, well, accepted bool) {
	switch {
	case s == r.judge && !accepted:
		r.abandon(r.bots...)
	case s == r.judge:
		for _, b := range r.bots {
			if b.runs() {
				b.ports[0].closeIn()
			}
		}
	case !well && r.Answer == nil:
		r.abandon(r.bots...)
	}
	if s == r.judge || !r.judge.runs() {
		return
	}
	left := false
	for i, b := range r.bots {
		if left = left || b.runs(); !b.runs() {
			r.judge.ports[i].closeIn()
		}
	}
	switch {
	case !well:
		r.harmless, r.deadline = true, clock()+patience
	case !left && r.deadline == 0:
		r.deadline = clock() + r.JudgeLimit + judgeWall
	}
}

// reap kills what is left of a side, and carries all that it has written.
func (r *Relay) reap(s *side) {
	r.empty(s)
	s.c.kill()
	for _, p := range s.ports {
		p.eof = p.eof && !p.named // it may have opened its FIFO again
	}
	r.empty(s)
	s.end()
}

// empty carries all that a side has written so far, and reports whether there was anything.
func (r *Relay) empty(s *side) (some bool) {
	for _, p := range s.ports {
		for p.read() {
			r.pass(s, p)
			some = true
		}
	}
	for r.drain(s) {
		some = true
	}
	return some
}

// fail ends a side for a reason.
func (r *Relay) fail(s *side, why *protocols.Failure) error {
	if s.ended {
		return nil
	}
	r.reap(s)
	if s.c.exit.Err != nil {
		r.abandon(r.all...)
		return void(s.seat, s.c.exit.Err)
	}
	r.see(referee.Exchange{Seat: s.seat, Fail: why})
	r.after(s, false, false)
	return nil
}

// look looks at clocks and memory, and whether anything can still happen.
func (r *Relay) look() error {
	for _, s := range r.all {
		if !s.runs() {
			continue
		}
		if s.c.isUnreported() {
			if err := r.end(s); err != nil {
				return err
			}
			continue
		}
		s.c.look()
		f := &s.wait.facts
		f.memory, f.oom = s.c.peak, s.c.over
		s.wait.measure(true)
		s.wait.noticeStall()
	}
	r.seeWaits()
	for _, s := range r.all {
		if !s.runs() {
			continue
		}
		why := s.wait.facts.excess()
		if why == nil {
			why = r.late(s)
		}
		if s == r.judge && why != nil && why.Kind == protocols.KindTime {
			why = fail(protocols.KindTime, "it used more than %s of CPU time", referee.Seconds(r.JudgeLimit))
		}
		if why == nil && s == r.judge && r.deadline > 0 && clock() > r.deadline {
			if r.harmless {
				r.abandon(s)
				continue
			}
			why = fail(protocols.KindTime, "it has not ended %s after the submission", referee.Seconds(r.JudgeLimit+judgeWall))
		}
		if why == nil && s == r.judge && r.kept-s.wait.facts.given()-s.wait.machinesPart() > r.JudgeLimit+judgeWall {
			why = fail(protocols.KindTime, "it kept the submission waiting for %s", referee.Seconds(r.JudgeLimit+judgeWall))
		}
		if why != nil {
			if err := r.fail(s, why); err != nil {
				return err
			}
		}
	}
	return r.lookIdle()
}

// seeWaits looks whether any side waits for a CPU: for a judge that has none, the contestant
// waits as well.
func (r *Relay) seeWaits() {
	var cpu time.Duration
	var running []*Contestant
	for _, s := range r.all {
		if cpu += s.wait.facts.cpu; s.runs() {
			running = append(running, s.c)
		}
	}
	r.waits.look(true, cpu, running...)
}

// late returns how a side has passed its limit of time; nil if it has not. Processes of a
// contestant share that of CPU time.
func (r *Relay) late(s *side) *protocols.Failure {
	w, f := &s.wait, &s.wait.facts
	if s.seat > 0 && r.Limit > 0 {
		f.limit = r.Limit
		for _, b := range r.bots {
			if b != s {
				f.limit = max(0, f.limit-b.wait.facts.cpu)
			}
		}
	}
	switch {
	case w.late() == nil:
		return nil
	case f.cpu > f.limit && len(r.bots) > 1 && s.seat > 0:
		return fail(protocols.KindTime, "its processes used more than %s of CPU time together", referee.Seconds(r.Limit))
	case f.cpu > f.limit:
		return fail(protocols.KindTime, "used more than %s of CPU time", referee.Seconds(f.limit))
	}
	return fail(protocols.KindTime, "was still running after %s; it used only %s of CPU time: did it end, and was its output flushed?",
		referee.Seconds(f.wallLimit), referee.Seconds(f.cpu))
}

// lookIdle ends a contestant that can't go on: it is stopped, or all sides read and
// nothing is under way to any.
func (r *Relay) lookIdle() error {
	var first *side
	parked := r.Answer != nil || r.judge.runs()
	for _, b := range r.bots {
		if !b.runs() {
			continue
		}
		reads, stopped := b.lookIdle()
		if stopped {
			return r.fail(b, fail(protocols.KindIdle, "stopped by a signal"))
		}
		if first == nil {
			first = b
		}
		parked = parked && reads
	}
	if first == nil || !parked && !r.judge.runs() {
		return nil
	}
	if r.judge.runs() {
		waits, _ := r.judge.lookIdle()
		parked = parked && waits
		r.excuse()
	}
	crowded := func(s *side) bool { return s.runs() && !s.idle.alone() }
	if !parked || slices.ContainsFunc(r.all, crowded) || r.hears() {
		return nil
	}
	why := "is the output flushed?"
	if r.judge != nil && r.judge.total == 0 {
		why += " Or that of the judge, which has said nothing yet?"
	}
	why = cmp.Or(first.wait.facts.unended(""), why)
	return r.fail(first, fail(protocols.KindIdle, "blocked reading while the judge waits for it to write; %s", why))
}

// excuse takes what has passed since the last look off the wall time of processes that wait
// for the judge, if that waits for none: but for the CPU time that they have used.
func (r *Relay) excuse() {
	passed := func(s *side) (wall, cpu time.Duration) {
		w, f := &s.wait, &s.wait.facts
		wall, cpu = f.wall-w.lookedWall, f.cpu-w.lookedCPU
		w.lookedWall, w.lookedCPU = f.wall, f.cpu
		return wall, cpu
	}
	kept, _ := passed(r.judge)
	for _, b := range r.bots {
		if !b.runs() {
			continue
		}
		wall, cpu := passed(b)
		if r.judge.idle.waits || !b.idle.waits {
			kept = 0
			continue
		}
		b.wait.facts.excused += max(0, wall-cpu)
	}
	r.kept += kept
}

// lookIdle reports whether a side certainly waits to be told something, or is stopped.
func (s *side) lookIdle() (parked, stopped bool) {
	var in, out []int
	for _, p := range s.ports {
		if p.in >= 0 && !p.closed && len(p.unsent) == 0 {
			in = append(in, p.in)
		}
		out = append(out, p.out)
	}
	if s.aside != nil && len(s.aside.unsent) > 0 {
		in = nil
	}
	return s.idle.look(s.c, in, out)
}

// hears carries what was written meanwhile, and reports whether there was anything.
func (r *Relay) hears() (some bool) {
	for _, s := range r.all {
		if s.runs() && r.empty(s) {
			some = true
		}
	}
	return some
}
