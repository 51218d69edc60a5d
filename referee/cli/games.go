package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/protocols"
	"umpire/referee/cases"
	"umpire/referee/external"
	"umpire/referee/external/conformance"
	"umpire/referee/report"
	"umpire/referee/session"
)

func gamesCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "games", Usage: "list the games, or show the rules, protocol, limits and bots of one",
		ArgsUsage: "[GAME]",
		Description: `GAME is a name or, of a game of your own, the path to its folder, which has an umpire.yaml.
--check plays it in all the ways that its judge has to withstand, and says what is wrong, where, and
what to write instead; the exit code is 1 then.`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "add", Usage: "give the game in folder `DIR` its name, for all commands"},
			&cli.StringFlag{Name: "remove", Usage: "forget the name `NAME` of a game that was added, also if its folder is gone; the folder stays"},
			&cli.StringFlag{Name: "check", Usage: "check the game in folder `DIR`: its cases, judge, bots and rules"},
			&cli.IntFlag{Name: "n", Value: 200, Usage: "with --check: `N` matches of random legal play, each of them twice"},
			jsonFlag(), isolationFlag(), languagesFlag(),
		}, readingFlags()),
		Action: func(c *cli.Context) error {
			set := slices.DeleteFunc([]string{"check", "add", "remove"}, func(name string) bool { return !c.IsSet(name) })
			switch {
			case len(set) > 1:
				return usagef("--%s: can't be combined with --%s", set[0], set[1])
			case c.IsSet("n") && !c.IsSet("check"):
				return usagef("-n: is for --check")
			case len(set) > 0 && c.NArg() > 0:
				return usagef("--%s: found %s as well, expected none", set[0], report.Plural(c.NArg(), "argument"))
			case c.IsSet("check"):
				return checkGame(a, c, c.String("check"))
			case c.IsSet("add"):
				dir := c.String("add")
				g, file, err := a.umpire.AddGame(c.Context, dir)
				if err != nil {
					return err
				}
				return a.show(c, namedGame{g.Name, session.Absolute(dir), file}, func(p *report.Printer) {
					p.Printf("%s is %s now: umpire games %s; %s says so\n", g.Name, dir, g.Name, file)
				})
			case c.IsSet("remove"):
				name := c.String("remove")
				file, err := a.umpire.RemoveGame(name)
				if err != nil {
					return err
				}
				return a.show(c, namedGame{Name: name, File: file}, func(p *report.Printer) {
					p.Printf("%s is no game any more; %s says so, and the folder is as it was\n", name, file)
				})
			case c.NArg() > 1:
				return usagef("found %d arguments, expected one game", c.NArg())
			case c.NArg() == 0:
				return listGames(a, c.Bool("json"))
			}
			g, err := a.umpire.Game(c.Args().First())
			if err != nil {
				return err
			}
			return describeGame(a, c, g)
		},
	}
}

// namedGame is a name of a game that was added or removed, as JSON.
type namedGame struct {
	Name   string `json:"name"`
	Folder string `json:"folder,omitempty"` // that has the name now
	File   string `json:"file"`             // the list of such names
}

// gameView gathers what there is to know of a game. While a game is being
// written, it may have no standard cases: that is a notice.
func gameView(a *app, g protocols.Game) (report.Game, error) {
	set, err := cases.Load(a.umpire.StandardCases(), g.Name, g)
	v := report.Game{Of: g, Set: set, Facts: report.GameJSON{
		Name: g.Name, Title: g.Title, MinSeats: g.MinSeats, MaxSeats: g.MaxSeats,
		Cases: len(set.Cases), Groups: set.GroupNames(), Formula: g.Formula, Baseline: g.Baseline, House: g.DefaultOpponent,
	}}
	for _, group := range set.Groups {
		v.Facts.Points += group.Points
	}
	f := a.umpire.Folder(g)
	for _, b := range a.bots {
		if b.Game == g.Name && f == nil {
			v.Facts.Bots, v.About = append(v.Facts.Bots, b.Name), append(v.About, b.About)
		}
	}
	if f != nil {
		v.Facts.Bots = ownBots(f)
		v.About = make([]string, len(v.Facts.Bots))
		if f.Bots()["random"] == "" {
			v.About[len(v.About)-1] = "replies with any of the choices; only where the judge says any"
		}
	}
	if errors.Is(err, cases.ErrNoSet) {
		a.note("umpire: %v; `umpire cases %s -n 6 -o testdata/cases/%s` draws one for the next build\n", err, g.Name, g.Name)
		return v, nil
	}
	return v, err
}

func listGames(a *app, asJSON bool) error {
	var list report.Games
	wrong := func(name string, err error) { a.note("notice: %s is not listed: %v\n", name, err) }
	games, err := a.umpire.AllGames(wrong)
	if err != nil {
		return err
	}
	for _, g := range games {
		v, err := gameView(a, g)
		switch {
		case err != nil && !a.umpire.IsBuiltIn(g.Name):
			wrong(g.Name, err)
		case err != nil:
			return err
		default:
			list = append(list, v)
		}
	}
	if !asJSON {
		list.Print(a.out)
		return nil
	}
	for _, v := range list {
		if err := a.out.JSON().Encode(v.Facts); err != nil {
			return err
		}
	}
	return nil
}

func describeGame(a *app, c *cli.Context, g protocols.Game) error {
	v, err := gameView(a, g)
	if err != nil {
		return err
	}
	v.Facts.Rules = g.Rules
	return a.show(c, v.Facts, v.Print)
}

// checkGame checks the game in a folder, and prints each part when it is over.
func checkGame(a *app, c *cli.Context, dir string) (err error) {
	k := session.GameCheck{Umpire: a.umpire, Machine: a.machine(c, flagValues(c)), Dir: dir}
	a.umpire.Machine = k.Machine
	if k.Matches, err = flagValues(c).count("n"); err != nil {
		return err
	}
	var wrong error // of printing
	add := "umpire games --add " + quote(dir) + ", "
	k.Begun = func(f *external.Folder) {
		if a.umpire.IsBuiltIn(f.Name) {
			add = ""
		}
		if !c.Bool("json") {
			a.printf("%s: %s, %s, %s\n", f.Name, f.Facts.Title, session.SeatsOf(f.Game()), f.Judge)
		}
	}
	k.Told = func(p conformance.Part) {
		if c.Bool("json") {
			wrong = a.out.JSON().Encode(p)
		} else {
			printPart(a, p)
		}
	}
	ok, err := k.Run(c.Context)
	switch {
	case err != nil:
		return err
	case wrong != nil:
		return wrong
	case !ok:
		return errNo
	case !c.Bool("json"):
		a.printf("nothing is wrong; next: %sumpire test %s BOT\n", report.Safe(add), report.Safe(quote(dir)))
	}
	return nil
}

// printPart prints how a part of a game's check went.
func printPart(a *app, p conformance.Part) {
	if p.Wrong == nil {
		a.printf("  ok       %-9s %s\n", p.Name, p.Did)
	} else {
		printFinding(a, a.out.Style(report.Red, "wrong  "), p.Name, *p.Wrong)
	}
	for _, f := range p.Warnings {
		printFinding(a, a.out.Style(report.Yellow, "warning"), p.Name, f)
	}
}

// printFinding prints what is wrong, where, and what to write instead.
func printFinding(a *app, how report.Text, part string, f conformance.Finding) {
	a.out.Say("  %s  %-9s %s\n", how, part, f.What)
	for _, line := range f.Where {
		a.printf("             %s\n", report.SafeLine(line))
	}
	if f.Instead != "" {
		first, more, _ := strings.Cut(f.Instead, "\n")
		a.out.Say("           instead: %s\n", first)
		for line := range strings.Lines(more) {
			a.printf("           %s\n", report.SafeLine(strings.TrimSuffix(line, "\n")))
		}
	}
}
