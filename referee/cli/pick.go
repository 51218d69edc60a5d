package cli

import (
	"errors"
	"iter"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/standings"
	"umpire/referee/suggest"
)

// pick chooses records of results files.
type pick struct {
	files  []string
	id     string // the record's id, or a beginning that no other has; "": any
	filter standings.Filter
}

func pickFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "id", Usage: "only the record `ID`; a beginning that no other id has will do"},
		&cli.StringSliceFlag{Name: "bot", Usage: "only matches of bot `NAME`; several: only those they shared"},
		&cli.StringSliceFlag{Name: "case", Usage: "only matches on the case `NAME`; repeatable"},
	}
}

func newPick(c *cli.Context) pick {
	return pick{
		files: c.Args().Slice(), id: c.String("id"),
		filter: standings.Filter{Bots: c.StringSlice("bot"), Cases: c.StringSlice("case")},
	}
}

// where names the files.
func (p pick) where() string { return strings.Join(p.files, ", ") }

// found is a record with its place in a file.
type found struct {
	record.Record
	line record.Line
}

// records yields the records that are picked, regardless of their ids. A torn
// last line is reported and skipped. If what is picked is not there, the last
// error says so. Errors are the user's.
func (a *app) records(p pick) iter.Seq2[found, error] {
	return func(yield func(found, error) bool) {
		n := 0
		lines := a.lines(p.files)
		if !p.filter.Active() { // else all records are needed to say what there is
			lines = record.WithID(lines, p.id)
		}
		for line, err := range lines {
			one := found{line: line}
			if err == nil {
				one.Record, err = line.Record()
			}
			switch {
			case errors.Is(err, record.ErrTorn):
				a.note("umpire: %v: skipped\n", err)
				continue
			case err == nil && !p.takes(&one.Record):
				continue
			}
			n++
			if !yield(one, usage(err)) || err != nil {
				return
			}
		}
		if n == 0 {
			yield(found{}, p.nothing())
		}
	}
}

// takes reports whether a record is picked, regardless of its id.
func (p *pick) takes(r *record.Record) bool {
	if !p.filter.Active() {
		return true
	}
	bots := make([]standings.Bot, len(r.Seats))
	for i, s := range r.Seats {
		bots[i] = standings.Bot{Name: s.Bot, Digest: s.Digest}
	}
	return p.filter.KeepMatch(r.Game, r.Case.Name, bots)
}

// nothing returns the error of a pick that leaves no record.
func (p *pick) nothing() error {
	switch {
	case p.filter.Active():
	case p.id != "":
		return p.noID()
	default:
		return usagef("%s: found no record", p.where())
	}
	if words, known := p.filter.UnknownBots(); len(words) > 0 {
		return usagef("--bot: no bot %q in %s%s", words[0], p.where(), suggest.DidYouMean(words[0], known, listed("bot", known)))
	}
	if words, known := p.filter.UnknownCases(); len(words) > 0 {
		return usagef("--case: no match on case %q in %s%s", words[0], p.where(), suggest.DidYouMean(words[0], known, listed("case", known)))
	}
	return usagef("%s: no match has all that --bot and --case ask for", p.where())
}

// noID returns the error of an id that no record has.
func (p *pick) noID() error { return usagef("%s: found no record with id %q", p.where(), p.id) }

// oneRecord finds the one record that is picked; of several of one match, the
// one that counts.
func (a *app) oneRecord(p pick) (one record.Record, err error) {
	if p.id == "" {
		return a.onlyRecord(p)
	}
	search := record.Search{ID: p.id, Where: p.where()}
	for r, err := range a.records(p) {
		if err != nil {
			return one, err
		}
		search.Add(r.line)
	}
	lines, err := linesFound(search)
	for i, line := range lines {
		r, err := line.Record()
		if err != nil {
			return one, usage(err)
		}
		if i == 0 || record.Supersedes(one.Error != "", r.Error != "") {
			one = r
		}
	}
	return one, err
}

// onlyRecord returns the record that is picked, if it is the only one.
func (a *app) onlyRecord(p pick) (one record.Record, err error) {
	n := 0
	for r, err := range a.records(p) {
		if err != nil {
			return one, err
		}
		if n++; n == 1 {
			one = r.Record
		}
	}
	if n > 1 {
		return one, usagef("%s: found %d records, expected --id ID, such as --id %s", p.where(), n, one.ID)
	}
	return one, nil
}

// list prints a line about each record that is picked. Of several of one match
// only the one that counts is listed.
func (a *app) list(p pick, asJSON bool) error {
	var list report.List
	for r, err := range a.records(p) {
		switch {
		case err != nil:
			return err
		case strings.HasPrefix(r.ID, p.id):
			list.Add(r.Record)
		}
	}
	if len(list.Rows) == 0 {
		return p.noID()
	}
	if asJSON {
		return list.JSON(a.out)
	}
	list.Print(a.out)
	return nil
}
