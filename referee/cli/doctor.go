package cli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/report"
	"umpire/referee/sandbox"
	"umpire/referee/stall"
)

func doctorCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "doctor", Usage: "show what limits and isolation this machine can enforce",
		Flags: []cli.Flag{
			jsonFlag(), &cli.BoolFlag{Name: "no-color", Usage: "no colours"},
			&cli.BoolFlag{Name: "calm", Usage: "compute on all CPUs for 3 s, and say whether the machine is quiet enough for the games' time budgets"},
		},
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return usagef("found %q, expected no argument", c.Args().First())
			}
			a.setColour(c)
			r := sandbox.Doctor()
			r.Checks = append(r.Checks, checkMemory(a, len(arena.CPUs())))
			if c.Bool("calm") {
				r.Checks = append(r.Checks, measureCalm(a))
			}
			if c.Bool("json") {
				return a.out.JSON().Encode(r)
			}
			diagnosis(r).Print(a.out)
			return nil
		},
	}
}

// checkMemory compares the memory that is left with what the matches of each game may
// take that are played concurrently: their limit times seats times jobs.
func checkMemory(a *app, cpus int) sandbox.Check {
	used, most := sandbox.MemoryInUse()
	left := max(0, most-used)
	check := sandbox.Check{
		Name: "memory", OK: true, Found: fmt.Sprintf("%s left of %s", mebibytes(left), mebibytes(most)),
		Means: "the concurrent matches of a game fit with all that their bots may take; otherwise fewer are played",
		Get:   "end other programs, use a machine or a group with more memory, or a lower --memory",
	}
	for _, g := range a.umpire.Games {
		example := exampleOf(g)
		if example == nil {
			continue
		}
		seats := g.MaxSeats
		jobs := arena.LoadOf(g, "", seats).Jobs(cpus)
		if need := example.Limits(seats).Memory * int64(seats*jobs); most > 0 && need > left {
			check.OK = false
			check.Found += fmt.Sprintf("; %s may take %s", g.Name, mebibytes(need))
		}
	}
	return check
}

func mebibytes(n int64) string { return fmt.Sprintf("%d MiB", n>>20) }

// calmTime is how long the machine is measured.
const calmTime = 3 * time.Second

// measureCalm finds out whether contestants would wait for CPUs.
func measureCalm(a *app) sandbox.Check {
	cpus := max(1, len(arena.CPUs()))
	return calmCheck(stall.Measure(cpus, calmTime), cpus, gameBudgets(a))
}

// exampleOf returns a case of a game; nil if none can be generated.
func exampleOf(g protocols.Game) protocols.Case {
	if len(g.Groups) == 0 {
		return nil
	}
	example, err := g.Generate(g.Groups[0], 1)
	if err != nil {
		return nil
	}
	return example
}

// gameBudgets returns the games' own budgets of wall time, by game.
func gameBudgets(a *app) map[string]time.Duration {
	budgets := make(map[string]time.Duration)
	for _, g := range a.umpire.Games {
		example := exampleOf(g)
		if example == nil {
			continue
		}
		limits := example.Limits(g.MinSeats)
		if budget := cmp.Or(limits.PerMove, limits.Time); budget > 0 && !limits.CPU {
			budgets[g.Name] = budget
		}
	}
	return budgets
}

// calmCheck says what was measured on so many CPUs, and for which budgets that is
// too much.
func calmCheck(q stall.Quiet, cpus int, budgets map[string]time.Duration) sandbox.Check {
	check := sandbox.Check{
		Name: "quiet", OK: true,
		Found: fmt.Sprintf("programs that compute on %s waited %.0f %% of the time, up to %s at once",
			report.Plural(cpus, "CPU"), 100*q.Waited, q.Longest.Round(time.Millisecond/10)),
		Means: "bots are not late because of other programs, which would make their matches void",
		Get:   "end other programs, lower --jobs, raise --time or use --clock cpu",
	}
	for _, name := range slices.Sorted(maps.Keys(budgets)) {
		if budget := budgets[name]; !q.Affords(budget) {
			check.OK = false
			check.Found += fmt.Sprintf("; too much for %s (%s)", name, referee.Seconds(budget))
		}
	}
	return check
}

// diagnosis returns the report on the machine as people read it.
func diagnosis(r sandbox.Report) report.Machine {
	v := report.Machine{Auto: string(r.Auto)}
	for _, t := range r.Levels {
		v.Levels = append(v.Levels, report.MachineLevel{Name: string(t.Level), OK: t.OK, Reason: t.Reason})
	}
	for _, c := range r.Checks {
		v.Checks = append(v.Checks, report.MachineCheck(c))
	}
	return v
}
