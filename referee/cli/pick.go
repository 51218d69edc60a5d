package cli

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/suggest"
)

// pick chooses records of results files.
type pick struct {
	files    []string
	id       string   // the record's id, or a beginning that no other has; "": any
	bots     []string // the bots that all took part
	caseName string   // name or text of the case; "": any
}

func idFlag() cli.Flag {
	return &cli.StringFlag{Name: "id", Usage: "only the record `ID`; a beginning that no other id has will do"}
}

func pickFlags() []cli.Flag {
	return []cli.Flag{
		idFlag(),
		&cli.StringSliceFlag{Name: "bot", Usage: "only matches in which bot `NAME` played (may be repeated: all of them)"},
		&cli.StringFlag{Name: "case", Usage: "only matches on case `NAME|TEXT`"},
	}
}

func newPick(c *cli.Context) pick {
	return pick{files: c.Args().Slice(), id: c.String("id"), bots: c.StringSlice("bot"), caseName: c.String("case")}
}

// found is a record with its place in a file.
type found struct {
	record.Record
	line record.Line
}

// records yields the records that are picked, regardless of their ids. A torn
// last line is reported and skipped. If none is left, the error says what the
// files hold instead. Errors are the user's.
func (a *app) records(p pick) iter.Seq2[found, error] {
	return func(yield func(found, error) bool) {
		var seen seen
		n := 0
		for line, err := range a.lines(p.files) {
			one := found{line: line}
			if err == nil {
				one.Record, err = line.Record()
			}
			switch {
			case errors.Is(err, record.ErrTorn):
				a.note("umpire: %v: skipped\n", err)
				continue
			case err == nil && !p.takes(&one.Record):
				seen.add(&one.Record)
				continue
			}
			n++
			if !yield(one, usage(err)) || err != nil {
				return
			}
		}
		if n == 0 && (len(p.bots) > 0 || p.caseName != "") {
			yield(found{}, p.nothing(seen))
		}
	}
}

// takes reports whether a record is picked, regardless of its id.
func (p pick) takes(r *record.Record) bool {
	for _, bot := range p.bots {
		if !slices.ContainsFunc(r.Seats, func(s record.Seat) bool { return s.Bot == bot }) {
			return false
		}
	}
	return p.caseName == "" || p.caseName == r.Case.Text || p.caseName == r.Case.Name ||
		p.caseName == strings.TrimPrefix(r.Case.Name, r.Case.Group+"/")
}

// seen is what the records hold that were not picked.
type seen struct{ bots, cases []string }

// maxSeen is how many names are kept for a suggestion.
const maxSeen = 1000

func (s *seen) add(r *record.Record) {
	for _, seat := range r.Seats {
		s.bots = addName(s.bots, seat.Bot)
	}
	s.cases = addName(s.cases, r.Case.Name)
}

func addName(list []string, name string) []string {
	if name == "" || len(list) == maxSeen || slices.Contains(list, name) {
		return list
	}
	return append(list, name)
}

// nothing returns the error of a pick that leaves no record.
func (p pick) nothing(s seen) error {
	where := strings.Join(p.files, ", ")
	if len(s.bots)+len(s.cases) == 0 {
		return usagef("%s: found no record", where)
	}
	for _, bot := range p.bots {
		if !slices.Contains(s.bots, bot) {
			return usagef("--bot: no bot %q in %s%s", bot, where, suggest.DidYouMean(bot, s.bots, "the bots are "+some(s.bots)))
		}
	}
	if name := p.caseName; name != "" && !slices.Contains(s.cases, name) {
		return usagef("--case: no match on case %q in %s%s", name, where, suggest.DidYouMean(name, s.cases, "the cases are "+some(s.cases)))
	}
	return usagef("%s: no match is picked: none has all that --bot and --case ask for", where)
}

// some lists the first of some names.
func some(names []string) string {
	const most = 8
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}

// oneRecord finds the one record that is picked; of several of one match, the
// one that counts.
func (a *app) oneRecord(p pick) (one record.Record, err error) {
	var picked []record.Record // of each id, while it is not clear which is meant
	lines, exact := 0, false
	for r, err := range a.records(p) {
		if err != nil {
			return one, err
		}
		if !strings.HasPrefix(r.ID, p.id) || exact && r.ID != p.id {
			continue
		}
		lines++
		if r.ID == p.id && !exact {
			exact, picked = true, nil
		}
		i := slices.IndexFunc(picked, func(have record.Record) bool { return have.ID == r.ID })
		switch {
		case i < 0:
			if len(picked) > 0 {
				r.Events = nil // it is only named
			}
			picked = append(picked, r.Record)
		case record.Supersedes(picked[i].Error != "", r.Error != ""):
			picked[i] = r.Record
		}
	}
	where := strings.Join(p.files, ", ")
	switch {
	case lines == 0 && p.id == "":
		return one, usagef("%s: found no record", where)
	case lines == 0:
		return one, usagef("%s: found no record with id %q", where, p.id)
	case lines > 1 && p.id == "":
		return one, usagef("%s: found %d records, expected --id ID, such as --id %s", where, lines, picked[0].ID)
	case len(picked) > 1:
		return one, usagef("--id: %d records in %s begin with %q, such as %s and %s: give more of it", len(picked), where, p.id, picked[0].ID, picked[1].ID)
	}
	return picked[0], nil
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
		_, err := a.oneRecord(p)
		return err
	}
	if asJSON {
		return list.JSON(a.out)
	}
	list.Print(a.out)
	return nil
}
