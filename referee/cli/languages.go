package cli

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee/program/build"
	"umpire/referee/report"
	"umpire/referee/suggest"
)

func languagesCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "languages", Usage: "the language table: suffix, compiler, flags, and what is installed",
		ArgsUsage: "[LANGUAGE|SUFFIX]...",
		Description: `Source files become bots by these rows. Of several for a suffix, the first that is installed is
used. Your own rows go into ` + "`" + `umpire/languages.yaml` + "`" + ` in the folder for configurations (~/.config on Linux),
or into a file that --languages names, and come first.`,
		Flags: []cli.Flag{languagesFlag(), jsonFlag(), &cli.BoolFlag{Name: "no-color", Usage: "no colours"}},
		Action: func(c *cli.Context) error {
			table, err := build.LoadLanguages(c.Context, c.String("languages"))
			if err != nil {
				return usage(err)
			}
			if table, err = someLanguages(table, c.Args().Slice()); err != nil {
				return err
			}
			rows := (&build.Builder{Languages: table}).Installed(c.Context)
			if c.Context.Err() != nil {
				return c.Context.Err()
			}
			if c.Bool("json") {
				return languagesJSON(a, rows)
			}
			printLanguages(a.out, rows)
			return nil
		},
	}
}

// someLanguages returns the rows with the given names or suffixes; all, if none
// is given.
func someLanguages(table build.Languages, names []string) (some build.Languages, err error) {
	if len(names) == 0 {
		return table, nil
	}
	for _, name := range names {
		var known []string
		n := len(some)
		for _, l := range table {
			known = append(known, l.Name)
			if strings.EqualFold(l.Name, name) || slices.Contains(l.Suffixes, "."+strings.TrimPrefix(name, ".")) {
				some = append(some, l)
			}
		}
		if len(some) == n {
			return nil, usagef("unknown language %q%s", name, suggest.DidYouMean(name, known, "known are "+strings.Join(known, ", ")))
		}
	}
	return some, nil
}

// languageFacts is a row as `languages --json` prints it.
type languageFacts struct {
	Name      string   `json:"name"`
	Suffixes  []string `json:"suffixes"`
	Compile   string   `json:"compile"` // "" where there is nothing to compile
	Run       string   `json:"run"`
	Installed bool     `json:"installed"`
	Path      string   `json:"path,omitempty"`
	Version   string   `json:"version,omitempty"`
	Why       string   `json:"why,omitempty"` // why it can't be used
}

func languagesJSON(a *app, rows []build.Installed) error {
	out := a.out.JSON()
	for _, r := range rows {
		facts := languageFacts{
			Name: r.Name, Suffixes: r.Suffixes, Compile: r.Compile, Run: r.Run, Installed: r.Err == nil, Path: r.Path, Version: r.Version,
		}
		if r.Err != nil {
			facts.Why = r.Err.Error()
		}
		if err := out.Encode(facts); err != nil {
			return err
		}
	}
	return nil
}

// printLanguages prints two tables, since the command lines are long: what is
// installed, and how it is called.
func printLanguages(p *report.Printer, rows []build.Installed) {
	what := report.Table{Header: []string{"language", "suffix", "compiler", "installed", "version"}}
	how := report.Table{Header: []string{"language", "", "command line"}}
	for _, r := range rows {
		line, kind := r.Compile, "compile"
		if line == "" {
			line, kind = r.Run, "run"
		}
		tool, _, _ := strings.Cut(line, " ")
		installed := "yes"
		if r.Err != nil {
			installed = "no"
		}
		what.Add(r.Name, strings.Join(r.Suffixes, " "), tool, installed, r.Version)
		how.Add(r.Name, kind, line)
		if kind == "compile" && r.Run != "{out}" {
			how.Add("", "run", r.Run)
		}
	}
	what.Shade = func(row, column int) report.Colour {
		switch {
		case column != 3:
			return ""
		case rows[row].Err == nil:
			return report.Green
		}
		return report.Yellow
	}
	report.Page{Tables: []report.Table{what}}.Print(p)
	for _, r := range rows {
		if r.Broken {
			p.Printf("%s can't be used: %s\n", r.Name, r.Err)
		}
	}
	p.Printf("\n")
	report.Page{Tables: []report.Table{how}}.Print(p)
}
