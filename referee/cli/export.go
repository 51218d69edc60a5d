package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee/cli/shell"
	"umpire/referee/report"
	"umpire/referee/settings"
)

// exportFlag is --export in these forms.
func exportFlag(forms ...string) cli.Flag {
	return &cli.StringSliceFlag{Name: "export", Usage: "`" + strings.Join(forms, "|") + "`: print the result in this form instead of the table; with =FILE, write it there and print the table"}
}

// exportForms are those of every result; standings have more, and analyses their own.
var exportForms = []string{"csv", "markdown", "junit", "tap"}

// exports reads --export, which is checked before anything is played.
func exports(c *cli.Context) ([]export, error) {
	var list []export
	shown := c.Bool("json") || c.String("events") == "-"
	for _, text := range c.StringSlice("export") {
		forms := strings.Split(shell.ValueName(shell.Flag(c.Command, "export")), "|")
		format, file, toFile := strings.Cut(text, "=")
		if !slices.Contains(forms, format) || toFile && file == "" {
			return nil, usagef("--export: found %q, expected %s, optionally followed by =FILE", text, settings.Or(forms))
		}
		if file == "-" {
			file = ""
		}
		if file == "" {
			if shown {
				return nil, usagef("--export %s: standard output is taken by --json, --events or another --export; --export %s=FILE writes a file", text, format)
			}
			shown = true
		} else if _, err := os.Stat(filepath.Dir(file)); err != nil {
			return nil, usagef("--export %s: %w", text, err)
		}
		list = append(list, export{format, file})
	}
	if c.Bool("plot") && shown {
		return nil, usagef("--plot: draws for people; standard output is taken by --json, --events or --export")
	}
	return list, nil
}

// forPeople reports whether the result is printed for people.
func forPeople(a *app, c *cli.Context) bool {
	return !c.Bool("json") && c.String("events") != "-" && !slices.ContainsFunc(a.exports, func(e export) bool { return e.file == "" })
}

// export writes a result in the requested formats. Shown reports whether one of
// them went to standard output, in place of the table.
func (a *app) export(result report.Exported) (shown bool, err error) {
	for _, e := range a.exports {
		write := report.Exporters[e.format]
		if e.file == "" {
			shown = true
			err = errors.Join(err, write(a.stdout, result))
			continue
		}
		err = errors.Join(err, writeFile(e.file, func(w io.Writer) error { return write(w, result) }))
	}
	if err != nil {
		err = fmt.Errorf("export: %w", err)
	}
	return shown, err
}

// printResult prints a result as the flags request: exported, as JSON, or
// human-readable.
func (a *app) printResult(c *cli.Context, result report.Exported, value any, print func(*report.Printer)) error {
	shown, err := a.export(result)
	a.events.standings(value)
	err = errors.Join(err, tellGitHub(a, c, result))
	switch {
	case err != nil || shown:
		return err
	case c.String("events") == "-" && !c.Bool("json"):
		return nil
	}
	return a.show(c, value, print)
}

// show prints a value as JSON, if that is asked for, and otherwise as print does.
func (a *app) show(c *cli.Context, value any, print func(*report.Printer)) error {
	if c.Bool("json") {
		return a.out.JSON().Encode(value)
	}
	print(a.out)
	return nil
}

func writeFile(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
