package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee/report"
)

// exported is a result in the forms that --export offers.
type exported struct {
	Name   string         // of the whole, in JUnit XML
	Table  report.Table   // the result: exact values, one fact a column
	More   []report.Table // further tables, for Markdown alone
	Suites []report.Suite // the single matches, for JUnit XML
}

// export is one thing that --export asks for.
type export struct {
	format string
	file   string // "": standard output
}

func exportFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "export", Usage: "print the result as `csv|markdown|junit` instead; with =FILE, write it there as well"}
}

// exporters writes a result, by the name of the format.
var exporters = map[string]func(io.Writer, exported) error{
	"csv":      func(w io.Writer, e exported) error { return e.Table.WriteCSV(w) },
	"markdown": writeMarkdown,
	"junit":    func(w io.Writer, e exported) error { return report.WriteJUnit(w, e.Name, e.Suites) },
}

func writeMarkdown(w io.Writer, e exported) error {
	for i, t := range append([]report.Table{e.Table}, e.More...) {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		if err := t.WriteMarkdown(w); err != nil {
			return err
		}
	}
	return nil
}

// exports reads --export, which is checked before anything is played.
func exports(c *cli.Context) ([]export, error) {
	var list []export
	shown := c.Bool("json")
	for _, text := range c.StringSlice("export") {
		format, file, toFile := strings.Cut(text, "=")
		if exporters[format] == nil || toFile && file == "" {
			return nil, usagef("--export: found %q, expected csv, markdown or junit, with =FILE behind it or without", text)
		}
		if file == "-" {
			file = ""
		}
		if file == "" {
			if shown {
				return nil, usagef("--export %s: standard output is taken by --json or another --export; --export %s=FILE writes a file", text, format)
			}
			shown = true
		} else if _, err := os.Stat(filepath.Dir(file)); err != nil {
			return nil, usagef("--export %s: %w", text, err)
		}
		list = append(list, export{format, file})
	}
	return list, nil
}

// export writes a result in the forms asked for. Shown tells whether one of them
// went to standard output, where it takes the place of the table.
func (a *app) export(list []export, result exported) (shown bool, err error) {
	for _, e := range list {
		write := exporters[e.format]
		if e.file == "" {
			shown = true
			err = errors.Join(err, write(a.out, result))
			continue
		}
		err = errors.Join(err, writeFile(e.file, func(w io.Writer) error { return write(w, result) }))
	}
	if err != nil {
		err = fmt.Errorf("export: %w", err)
	}
	return shown, err
}

func writeFile(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
