package report

import "io"

// Exported is a result in the forms that other programs read.
type Exported struct {
	Name   string  // of the whole, in JUnit XML
	Table  Table   // the result: exact values, one fact a column
	More   []Table // further tables, for Markdown alone
	Suites []Suite // the single matches, for JUnit XML
}

// Exporters write a result, by the name of the form.
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
