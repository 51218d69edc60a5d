package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"umpire/referee/record"
	"umpire/referee/report"
)

// played is the matches of every bot, by name and digest, as JUnit shows them.
type played struct {
	checks map[[2]string][]report.Check
	seen   map[uint64]bool
}

// suites are every bot's matches, in order of cases, read from the files.
func (v standingsView) suites() ([]report.Suite, error) {
	p := played{make(map[[2]string][]report.Check), make(map[uint64]bool)}
	for _, name := range v.files {
		f, err := os.Open(name)
		if err != nil {
			return nil, usagef("--export junit reads the results twice: %w", err)
		}
		err = p.read(name, f)
		if err := errors.Join(usage(err), f.Close()); err != nil {
			return nil, err
		}
	}
	var suites []report.Suite
	for _, row := range v.standings.Rows {
		checks := p.checks[[2]string{row.Name, row.Digest}]
		if v.c.Bool("no-times") {
			for i := range checks {
				checks[i].Time = 0
			}
		}
		slices.SortFunc(checks, func(a, b report.Check) int {
			return cmp.Or(strings.Compare(a.Group, b.Group), strings.Compare(a.Name, b.Name))
		})
		suites = append(suites, report.Suite{Name: row.Bot, Checks: checks})
	}
	return suites, nil
}

func (p played) read(name string, in io.Reader) error {
	for r, err := range record.Read(name, in) {
		if errors.Is(err, record.ErrTorn) {
			return nil
		}
		if err != nil {
			return err
		}
		p.add(r)
	}
	return nil
}

// add counts a record as the standings do, of which those that umpire failed to
// play are none.
func (p played) add(r record.Record) {
	if r.Error != "" {
		return
	}
	if r.ID != "" {
		var names []string
		for _, s := range r.Seats {
			names = append(names, s.Bot)
		}
		key := record.Key(r.ID, names...)
		if p.seen[key] {
			return
		}
		p.seen[key] = true
	}
	for i, s := range r.Seats {
		var others []string
		for j, o := range r.Seats {
			if j != i {
				others = append(others, o.Bot)
			}
		}
		bot := [2]string{s.Bot, s.Digest}
		p.checks[bot] = append(p.checks[bot], report.Check{
			Group: r.Case.Group, Name: fmt.Sprintf("%s, seat %d against %s, match %d", r.Case.Name, i+1, strings.Join(others, ", "), max(1, r.Repetition)),
			Time: time.Duration(s.WallUS) * time.Microsecond, Verdict: s.Verdict, Detail: s.Detail, Stderr: s.Stderr,
		})
	}
}
