package report

import "io"

// Exported is a result in forms for other programs.
type Exported struct {
	Name   string  // name of the whole result, in JUnit XML
	Table  Table   // the result: exact values, one fact per column
	More   []Table // further tables, for Markdown only
	Suites []Suite // the single matches, for JUnit XML
}

// Exporters holds the functions that write a result, by the name of the format.
var Exporters = map[string]func(io.Writer, Exported) error{
	"csv":      func(w io.Writer, e Exported) error { return e.Table.WriteCSV(w) },
	"markdown": writeMarkdown,
	"junit":    func(w io.Writer, e Exported) error { return WriteJUnit(w, e.Name, e.Suites) },
}

func writeMarkdown(w io.Writer, e Exported) error {
	for i, t := range append([]Table{e.Table}, e.More...) {
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
