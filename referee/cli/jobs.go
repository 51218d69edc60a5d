package cli

import (
	"cmp"
	"fmt"

	"umpire/referee/arena"
	"umpire/referee/report"
	"umpire/referee/settings"
)

// load returns the demand of one of the session's matches on the machine.
func (s *session) load() arena.Load {
	return arena.LoadOf(s.game, s.pondering, cmp.Or(s.seats, s.game.MaxSeats))
}

// spread sets how many matches run concurrently, and where.
func (s *session) spread() error {
	cpus, load := arena.CPUs(), s.load()
	jobs := load.Jobs(len(cpus))
	if s.noJobs() && s.mayHaveWorkers() {
		s.runner.Jobs = 1 // not played with
		return nil
	}
	if s.noJobs() {
		return usagef("--jobs: found 0, expected 1 or more, or workers that play: --listen or --nats")
	}
	asked, err := countFlag(s.c, "jobs")
	if err != nil {
		return err
	}
	if asked > 0 {
		jobs = asked
	}
	if s.c.Bool("verbose") {
		jobs = 1
	}
	s.runner.Jobs = jobs
	affinity := s.c.String("affinity")
	if err := settings.Affinity.Check(affinity); err != nil {
		return usage(err)
	}
	where := load.Affinity(jobs, cpus, affinity != settings.Off)
	switch {
	case where.Short:
		return usagef("--pondering allow: found %s for %s at a time, expected one for each of the %d bots; "+
			"use fewer --jobs, --pondering freeze, or --affinity off to let them take each other's CPU",
			report.Plural(len(cpus), "CPU"), report.Plural(jobs, "match"), jobs*load.Thinkers)
	case where.Contended:
		s.note("notice: bots that think during their opponent's turn may take its CPU\n")
	}
	s.runner.CPUs, s.runner.Spread = s.claims.Take(where.CPUs, jobs*where.Spread), where.Spread
	return nil
}

// under describes the conditions under which contestants play, before it is
// known which workers play them.
func (s *session) under() string {
	if s.spreads() {
		return s.underLevel("of each worker")
	}
	return s.underLevel(string(s.launcher.Level()))
}

// underLevel describes the conditions of matches at a level of isolation.
func (s *session) underLevel(level string) string {
	text := "isolation " + level
	if s.game.MaxSeats > 1 {
		text += fmt.Sprintf(", pondering %s", s.pondering)
	}
	return text
}
