package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee/fleet"
	"umpire/referee/report"
)

func recheckFlag() cli.Flag {
	return &cli.StringFlag{Name: "recheck", Usage: "play a random `SHARE` of the workers' matches, such as 1%, again on another worker, and report differences"}
}

// recheckShare reads --recheck: a percentage or a fraction.
func recheckShare(c *cli.Context) (float64, error) {
	text := c.String("recheck")
	if !c.IsSet("recheck") {
		return 0, nil
	}
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	share, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		share /= 100
	}
	if err != nil || !(share >= 0 && share <= 1) {
		return 0, usagef("--recheck: found %q, expected a share of the matches: 1%%, or 0.01", text)
	}
	return share, nil
}

// rechecks returns what playing matches again has shown; nil if none were to be.
func (s *session) rechecks() *fleet.Rechecks {
	if s.fleet == nil || s.fleet.coordinator == nil || s.fleet.coordinator.Recheck == 0 {
		return nil
	}
	found := s.fleet.coordinator.Rechecks()
	return &found
}

// noteRechecks says what playing matches again has shown.
func (s *session) noteRechecks() {
	found := s.rechecks()
	if found == nil {
		return
	}
	s.note("recheck: %s played again on another worker, %d with the same outcome\n", report.Plural(found.Matches, "match"), found.Same)
	for _, d := range found.Differ {
		s.note("recheck: warning: %s\n", d)
	}
	if len(found.Unsteady) > 0 {
		var bots []string
		for _, u := range found.Unsteady {
			bots = append(bots, fmt.Sprintf("%s (%s)", u.Bot, report.Plural(u.Matches, "match")))
		}
		s.note("recheck: bots that do not play the same each time, which says nothing about workers: %s\n", strings.Join(bots, ", "))
	}
	if found.Skipped > 0 {
		s.note("recheck: %s could not be played again: there was no other worker, or umpire failed\n", report.Plural(found.Skipped, "match"))
	}
}
