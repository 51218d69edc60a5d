package cli

import (
	"cmp"
	"fmt"

	"github.com/urfave/cli/v2"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
)

func ponderingFlag() cli.Flag {
	return &cli.StringFlag{Name: "pondering", Value: "auto", Usage: "thinking during the opponent's turn, `auto|allow|charge|freeze`: " +
		"allow it, on a CPU of its own; charge it to the bot's budget; charge it, and stop a bot that is seen computing until its turn (auto)"}
}

// pondering is the policy that the user wants. Automatic is to freeze: that
// takes no more CPUs, and is the same on every machine.
func pondering(c *cli.Context, g protocols.Game) (referee.Pondering, error) {
	switch p := referee.Pondering(c.String("pondering")); p {
	case referee.PonderAllow, referee.PonderCharge, referee.PonderFreeze:
		return p, nil
	case "auto":
		if g.MaxSeats == 1 {
			return referee.PonderAllow, nil
		}
		return referee.PonderFreeze, nil
	default:
		return "", usagef("--pondering: found %q, expected auto, allow, charge or freeze", p)
	}
}

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
	if affinity != "auto" && affinity != "off" && affinity != "" {
		return usagef("--affinity: found %q, expected auto or off", affinity)
	}
	ponder := s.pondering == referee.PonderAllow && thinkers > 1
	switch enough := jobs*thinkers <= len(cpus); {
	case affinity == "off" && ponder && !enough:
		s.note("notice: bots that think during their opponent's turn may take its CPU\n")
	case affinity == "off":
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
