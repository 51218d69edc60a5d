package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/protocols"
	"umpire/referee/cases"
	"umpire/referee/record"
	"umpire/referee/report"
)

func casesCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "cases", Usage: "print or generate cases",
		ArgsUsage: "GAME",
		Description: "Without -n, the standard cases. Cases of several lines are separated by blank lines.\n" +
			"With -o, each goes to DIR/GROUP/NAME.txt, and the groups' points to DIR/groups.yaml:\n" +
			"--cases DIR is the same set.",
		Flags: slices.Concat(caseFlags("play", "print"), []cli.Flag{
			&cli.BoolFlag{Name: "all", Usage: "every possible case, for games with few"},
			&cli.StringFlag{Name: "o", Usage: "write files to folder `DIR`"},
			jsonFlag(),
		}, readingFlags()),
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usagef("found %d arguments, expected one game", c.NArg())
			}
			if err := apart(c, "all", "n", "cases", "case", "group", "seed"); err != nil {
				return err
			}
			g, err := a.umpire.Game(c.Args().First())
			if err != nil {
				return err
			}
			set, err := chosenCases(a, c, g)
			if err != nil {
				return usage(err)
			}
			if dir := c.String("o"); dir != "" {
				return usage(writeCases(a, dir, set))
			}
			return printCases(a, set, c.Bool("json"))
		},
	}
}

func chosenCases(a *app, c *cli.Context, g protocols.Game) (cases.Set, error) {
	if !c.Bool("all") {
		return a.caseSet(c, g)
	}
	if g.All == nil {
		return cases.Set{}, fmt.Errorf("--all: %s has too many cases to list; -n N generates some", g.Name)
	}
	var list []cases.Case
	for one := range g.All() {
		list = append(list, cases.Case{Name: fmt.Sprintf("all/%03d", len(list)+1), Group: "all", Case: one})
	}
	return cases.NewSet(g, list...), nil
}

func printCases(a *app, set cases.Set, asJSON bool) error {
	for i, c := range set.Cases {
		if a.files.Context.Err() != nil {
			return context.Canceled
		}
		text := c.String()
		if asJSON {
			if err := a.out.JSON().Encode(record.Case{Name: c.Name, Group: c.Group, Points: c.Points, Text: text}); err != nil {
				return err
			}
			continue
		}
		if i > 0 && strings.Contains(text, "\n") {
			a.printf("\n")
		}
		a.printf("%s\n", text)
	}
	return nil
}

// writeCases writes a set as a folder that --cases reads as the same set.
func writeCases(a *app, dir string, set cases.Set) error {
	groups, err := cases.GroupsText(set)
	if err != nil {
		return err
	}
	// Existing files there would become part of the set.
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return fmt.Errorf("-o: %s exists already, expected a new folder or an empty one", filepath.Join(dir, entries[0].Name()))
	}
	for n, c := range set.Cases {
		if a.files.Context.Err() != nil {
			a.note("umpire: interrupted; wrote %d of %s to %s\n", n, report.Plural(len(set.Cases), "case"), fileLink(a.err, dir))
			a.note("umpire: cases are the same each time: to get them all, remove that folder and run it again\n")
			a.stopSaid = true
			return context.Canceled
		}
		name := strings.TrimPrefix(c.Name, c.Group+"/")
		name = strings.NewReplacer("#", "-", "/", "-").Replace(name) + ".txt"
		if err := putFile(filepath.Join(dir, c.Group, name), []byte(strings.TrimSuffix(c.String(), "\n")+"\n")); err != nil {
			return err
		}
	}
	if err := putFile(filepath.Join(dir, cases.GroupsFile), groups); err != nil {
		return err
	}
	a.note("wrote %s to %s\n", report.Plural(len(set.Cases), "case"), fileLink(a.err, dir))
	return nil
}
