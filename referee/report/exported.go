package report

import (
	"errors"
	"io"
	"iter"

	"umpire/referee/record"
	"umpire/referee/standings"
)

// Exported is a result in forms for other programs, and for publishing.
type Exported struct {
	Name   string // name of the whole result, in JUnit XML; of standings it is the game
	Table  Table  // the result for CSV: exact values, one fact per column
	Cross  *Table // results against each other; nil if it has none
	Pairs  *Table // the mirrored pairs of every two bots
	Rows   []standings.Row
	Page   Page    // the result as a terminal shows it, for Markdown
	Suites []Suite // the single matches, for JUnit XML
	// Records are those that count, once each, for CSV of moves and cases.
	Records iter.Seq2[record.Record, error]
}

// names says what the bots of standings are called.
func (e Exported) names() *record.BotNames {
	names := new(record.BotNames)
	for _, r := range e.Rows {
		names.Add(e.Name, r.Name, r.Digest, r.House)
	}
	return names
}

// Exporters holds the functions that write a result, by the name of the format.
var Exporters = map[string]func(io.Writer, Exported) error{
	"csv":      func(w io.Writer, e Exported) error { return e.Table.WriteCSV(w) },
	"markdown": func(w io.Writer, e Exported) error { return e.Page.WriteMarkdown(w) },
	"junit":    func(w io.Writer, e Exported) error { return WriteJUnit(w, e.Name, e.Suites) },
	"tap":      func(w io.Writer, e Exported) error { return WriteTAP(w, e.Suites) },
	"pairs":    func(w io.Writer, e Exported) error { return e.Pairs.WriteCSV(w) },
	"moves":    func(w io.Writer, e Exported) error { return writeMoves(w, e.names(), e.Records) },
	"cases":    func(w io.Writer, e Exported) error { return writeCases(w, e.Rows, e.Records) },
	"crosstable": func(w io.Writer, e Exported) error {
		if e.Cross == nil {
			return errors.New("found no crosstable, which standings have")
		}
		return e.Cross.WriteCSV(w)
	},
}
