package cli

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/protocols"
	"umpire/referee/cases"
	"umpire/referee/record"
	"umpire/referee/report"
)

func (a *app) gamesCommand() *cli.Command {
	return &cli.Command{
		Name: "games", Usage: "list the games, or show the rules, protocol, limits and bots of one",
		ArgsUsage: "[GAME]",
		Flags:     []cli.Flag{jsonFlag()},
		Action: func(c *cli.Context) error {
			if c.NArg() > 1 {
				return usagef("found %d arguments, expected one game", c.NArg())
			}
			if c.NArg() == 0 {
				return a.listGames(c.Bool("json"))
			}
			g, err := a.game(c.Args().First())
			if err != nil {
				return err
			}
			return a.describeGame(g, c.Bool("json"))
		},
	}
}

// gameFacts describes a game as `games --json` prints it.
type gameFacts struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	MinSeats int      `json:"min_seats"`
	MaxSeats int      `json:"max_seats"`
	Cases    int      `json:"cases"`  // in the standard set
	Groups   []string `json:"groups"` // of the standard set
	Formula  string   `json:"formula"`
	Points   float64  `json:"points"`   // total of the standard cases
	Baseline float64  `json:"baseline"` // default Y; 0 if there is no default
	Bots     []string `json:"bots"`
	House    string   `json:"house"`
	Rules    string   `json:"rules,omitempty"`
}

func (a *app) facts(g protocols.Game) (gameFacts, cases.Set, error) {
	set, err := cases.Load(a.cases, g.Name, g)
	f := gameFacts{
		Name: g.Name, Title: g.Title, MinSeats: g.MinSeats, MaxSeats: g.MaxSeats,
		Cases: len(set.Cases), Groups: set.GroupNames(), Formula: g.Formula, Baseline: g.Baseline, House: g.DefaultOpponent,
	}
	for _, group := range set.Groups {
		f.Points += group.Points
	}
	for _, b := range a.bots {
		if b.Game == g.Name {
			f.Bots = append(f.Bots, b.Name)
		}
	}
	return f, set, err
}

func (a *app) listGames(asJSON bool) error {
	t := report.Table{Header: []string{"game", "title", "seats", "cases", "bots"}, Spare: []int{0, 1, 0, 0, 0}}
	for _, g := range a.games {
		f, _, err := a.facts(g)
		if err != nil {
			return err
		}
		if asJSON {
			if err := a.out.JSON().Encode(f); err != nil {
				return err
			}
			continue
		}
		t.Add(f.Name, f.Title, g.SeatRange(), f.Cases, "@"+strings.Join(f.Bots, " @"))
	}
	if asJSON {
		return nil
	}
	a.out.Table(t, nil)
	return nil
}

func (a *app) describeGame(g protocols.Game, asJSON bool) error {
	f, set, err := a.facts(g)
	if err != nil {
		return err
	}
	f.Rules = g.Rules
	if asJSON {
		return a.out.JSON().Encode(f)
	}
	a.printf("%s\n\n%s\n\n", strings.TrimSpace(g.Rules), a.out.Style(report.Bold, "In umpire"))
	a.printf("seats     %s\n", g.SeatRange())
	a.printf("limits    %s\n", limitsOf(g, set))
	a.printf("formula   %s\n", g.Formula)
	a.printf("cases     %d, worth %g points, in groups %s\n", f.Cases, f.Points, strings.Join(f.Groups, ", "))
	a.printf("generated groups %s (-n N --group G)\n", strings.Join(g.Groups, ", "))
	a.printf("bots\n")
	for _, b := range a.bots {
		if b.Game == g.Name {
			a.printf("  @%-10s %s\n", b.Name, b.About)
		}
	}
	return nil
}

// limitsOf describes the limits of a game in words or, if they depend on the
// case, their range in its standard set.
func limitsOf(g protocols.Game, set cases.Set) string {
	low := set.Cases[0].Limits(g.MaxSeats)
	high, same := low, true
	for _, c := range set.Cases {
		l := c.Limits(g.MaxSeats)
		same = same && l == low
		low.Time, high.Time = min(low.Time, l.Time), max(high.Time, l.Time)
		low.PerMove, high.PerMove = min(low.PerMove, l.PerMove), max(high.PerMove, l.PerMove)
		low.Startup, high.Startup = min(low.Startup, l.Startup), max(high.Startup, l.Startup)
		low.Memory, high.Memory = min(low.Memory, l.Memory), max(high.Memory, l.Memory)
	}
	text := limitsText(low, high)
	if !same {
		text = "depend on the case; in the standard cases " + text
	}
	return text
}

// limitsText describes limits in words, each from low to high.
func limitsText(low, high protocols.Limits) string {
	var parts []string
	if high.Time > 0 {
		parts = append(parts, span(low.Time, high.Time)+" for all replies of a match")
	}
	if high.PerMove > 0 {
		parts = append(parts, span(low.PerMove, high.PerMove)+" a reply")
	}
	if len(parts) > 0 {
		parts[len(parts)-1] += " (" + record.NewLimits(high, "").Clock + " time)"
	}
	if high.Startup > 0 {
		parts = append(parts, span(low.Startup, high.Startup)+" more for the first")
	}
	if high.Memory > 0 {
		parts = append(parts, span(low.Memory>>20, high.Memory>>20)+" MiB of memory")
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// span formats a range of values, or the value if both ends are equal.
func span[T comparable](low, high T) string {
	if low == high {
		return fmt.Sprint(low)
	}
	return fmt.Sprintf("%v to %v", low, high)
}
