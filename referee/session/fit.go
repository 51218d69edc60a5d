package session

import (
	"cmp"
	"fmt"

	"umpire/referee/arena"
	"umpire/referee/report"
	"umpire/referee/sandbox"
)

// load returns the demand of one of the matches on the machine.
func (p Play) load() arena.Load {
	l := arena.LoadOf(p.Game, p.Pondering, cmp.Or(p.Seats, p.Game.MaxSeats))
	if f := p.Umpire.Folder(p.Game); f != nil {
		l.Seats++ // its judge is a program, too
		if f.JudgeThinks {
			l.Thinkers++
		}
	}
	return l
}

// freeCPUs counts the CPUs that matches can keep busy: those that umpire may use, or fewer
// where a control group has a quota of CPU time.
func freeCPUs() int { return within(sandbox.CPUQuota(), len(arena.CPUs())) }

// within is how many of some CPUs a quota allows to be busy all the time, but for one of less
// than one CPU; 0 is no quota.
func within(quota float64, cpus int) int {
	if quota == 0 {
		return cpus
	}
	return min(cpus, max(1, int(quota)))
}

// spread sets how many matches run concurrently, and where.
func (s *Session) spread() error {
	cpus, load := arena.CPUs(), s.load()
	jobs := load.Jobs(freeCPUs())
	switch {
	case s.Jobs == NoJobs && s.Workers != nil:
		s.runner.Jobs = 1 // not played with
		return nil
	case s.Jobs == NoJobs:
		return mistakef("--jobs: found 0, expected 1 or more, or workers that play: --listen or --nats")
	case s.Jobs > 0:
		jobs = s.Jobs
	}
	s.runner.Jobs = jobs
	where := load.Affinity(jobs, cpus, s.Pin)
	switch {
	case where.Contended && s.Pin:
		return mistakef("--pondering allow: found %s for %s at a time, expected one for each of the %d bots; "+
			"use fewer --jobs, --pondering freeze, or --affinity off to let them take each other's CPU",
			report.Plural(len(cpus), "CPU"), report.Plural(jobs, "match"), jobs*load.Thinkers)
	case where.Contended:
		s.Machine.Tell.Warn("notice: bots that think during their opponent's turn may take its CPU\n")
	}
	s.runner.CPUs, s.runner.Spread = s.Machine.Claims.Take(where.CPUs, jobs*where.Spread), where.Spread
	return nil
}

// fit bounds the concurrent matches by the room for their contestants.
func (s *Session) fit(room sandbox.Room) error {
	load := s.load()
	seats, most := load.Seats, load.Most(room)
	switch jobs := s.runner.Jobs; {
	case most == 0:
		return fmt.Errorf("this machine has room for %s at a time (%s), and a match of %s takes %d",
			report.Plural(room.Programs, "contestant"), room.Bound, s.Game.Name, seats)
	case jobs <= most:
	case s.Jobs > 0:
		return mistakef("--jobs: found %d, expected at most %d: this machine has room for %s at a time (%s), and a match of %s takes %d",
			jobs, most, report.Plural(room.Programs, "contestant"), room.Bound, s.Game.Name, seats)
	default:
		s.runner.Jobs = s.Machine.Tell.fewer(jobs, most, room)
	}
	return nil
}

// fitMemory bounds the concurrent matches by the memory that is left, but plays one.
func fitMemory(s *Session) {
	load, limit := s.load(), int64(0)
	for _, c := range s.Set.Cases {
		limit = max(limit, s.LimitsOf(c.Case, load.Seats).Memory)
	}
	switch room := sandbox.RoomForMemory(limit); {
	case s.Jobs == NoJobs:
	case load.Most(room) == 0:
		s.Machine.Tell.Warn("umpire: 1 match at a time, which may take more memory than there is for its %s (%s)\n",
			report.Plural(load.Seats, "contestant"), room.Bound)
		s.runner.Jobs = 1
	case load.Most(room) < s.runner.Jobs:
		s.runner.Jobs = s.Machine.Tell.fewer(s.runner.Jobs, load.Most(room), room)
	}
}

// fewer tells that there is room for fewer matches than so many jobs, and returns their
// number.
func (t Tell) fewer(jobs, most int, room sandbox.Room) int {
	t.Warn("umpire: %s at a time, not %d: there is room for %s (%s)\n",
		report.Plural(most, "match"), jobs, report.Plural(room.Programs, "contestant"), room.Bound)
	return most
}
