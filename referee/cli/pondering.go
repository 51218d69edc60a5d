package cli

import (
	"cmp"
	"fmt"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/settings"
)

// thinkers is how many contestants of a match may think at the same time.
func (s *session) thinkers() int {
	if !s.game.Simultaneous && s.pondering != referee.PonderAllow {
		return 1
	}
	return s.mostSeats()
}

// mostSeats is how many contestants a match may have.
func (s *session) mostSeats() int { return cmp.Or(s.seats, s.game.MaxSeats) }

// spread sets how many matches run at once, and where.
func (s *session) spread() error {
	cpus, thinkers := arena.CPUs(), s.thinkers()
	jobs := max(1, len(cpus)/thinkers)
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
	ponder := s.pondering == referee.PonderAllow && thinkers > 1
	switch enough := jobs*thinkers <= len(cpus); {
	case affinity == settings.Off && ponder && !enough:
		s.note("notice: bots that think during their opponent's turn may take its CPU\n")
	case affinity == settings.Off:
	case ponder && !enough && len(cpus) > 0:
		return usagef("--pondering allow: found %s for %s at once, expected one for each of the %d bots; "+
			"use fewer --jobs, --pondering freeze, or --affinity off to let them take each other's CPU",
			plural(len(cpus), "CPU"), plural(jobs, "match"), jobs*thinkers)
	case enough && (ponder || thinkers == 1):
		s.runner.CPUs, s.runner.Spread = cpus, thinkers
	}
	return nil
}

// under says under what conditions contestants play.
func (s *session) under() string {
	text := fmt.Sprintf("isolation %s", s.launcher.Level())
	if s.game.MaxSeats > 1 {
		text += fmt.Sprintf(", pondering %s", s.pondering)
	}
	return text
}
