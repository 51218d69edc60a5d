package cli

import (
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee/external"
	"umpire/referee/external/conformance"
	"umpire/referee/report"
	"umpire/referee/session"
)

// checkGame checks the game in a folder, and prints each part when it is over.
func checkGame(a *app, c *cli.Context, dir string) (err error) {
	k := session.GameCheck{Umpire: a.umpire, Machine: a.machine(c, flagValues(c)), Dir: dir}
	a.umpire.Machine = k.Machine
	if k.Matches, err = countFlag(c, "n"); err != nil {
		return err
	}
	var wrong error // of printing
	k.Begun = func(f *external.Folder) {
		if !c.Bool("json") {
			a.printf("%s: %s, %s, %s\n", f.Name, f.Facts.Title, seatsWord(f), f.Judge)
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
		shown := report.Safe(quote(dir))
		a.printf("nothing is wrong; next: umpire games --add %s, umpire test %s BOT\n", shown, shown)
	}
	return nil
}

func seatsWord(f *external.Folder) string {
	if g := f.Game(); g.MaxSeats > 1 {
		return g.SeatRange() + " seats"
	}
	return "1 seat"
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
