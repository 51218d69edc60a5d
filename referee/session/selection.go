package session

import (
	"fmt"
	"iter"
	"strings"

	"umpire/protocols"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/standings"
	"umpire/referee/strength"
	"umpire/referee/suggest"
)

// Selection chooses the records of results files that count: those that Filter
// keeps; of the results file of a tournament's run folder, only the matches of that
// tournament, unless All.
type Selection struct {
	Umpire *Umpire
	Files  *Files
	Filter standings.Filter
	All    bool

	runs      map[string]*recordedRun // by results file; nil: it is of no tournament
	unrelated map[uint64]bool         // matches that are not of their folder's tournament
}

// Run returns the tournament whose results a file holds, with its matches so far if
// it is played in rounds; nil if every record counts.
func (s *Selection) Run(file string) (*recordedRun, error) {
	run, known := s.runs[file]
	if known {
		return run, nil
	}
	if s.runs == nil {
		s.runs, s.unrelated = make(map[string]*recordedRun), make(map[uint64]bool)
	}
	if !s.All {
		var err error
		if run, err = recorded(s.Umpire, s.Files, file); err != nil {
			return nil, err
		}
	}
	s.runs[file] = run
	return run, nil
}

// Keeps reports whether a record of a file counts.
func (s *Selection) Keeps(file string, b *record.Summary) (bool, error) {
	run, err := s.Run(file)
	if err != nil {
		return false, err
	}
	if run != nil && !run.Belongs(b) {
		if !b.Failed {
			s.unrelated[b.Key] = true
		}
		return false, nil
	}
	return s.Filter.Keep(b), nil
}

// Counted yields those of records that count, one of each match that was played.
func (s *Selection) Counted(records iter.Seq2[Found, error]) iter.Seq2[Found, error] {
	return func(yield func(Found, error) bool) {
		seen := make(map[uint64]bool)
		for r, err := range records {
			counts := false
			if err == nil {
				b := r.Summary()
				counts, err = s.Keeps(r.Line.File, &b)
			}
			if err != nil {
				yield(Found{}, err)
				return
			}
			key := r.Key()
			if !counts || key != 0 && r.Error == "" && seen[key] {
				continue
			}
			if seen[key] = seen[key] || r.Error == ""; !yield(r, nil) {
				return
			}
		}
	}
}

// Again is Counted for the records in files that have been read before.
func (s *Selection) Again(files []string) iter.Seq2[Found, error] {
	return s.Counted(found(s.Files.named(Pick{Files: files}), func(error) {}))
}

// Unrelated returns how many matches did not count so far, since they are not of the
// tournament of their run folder.
func (s *Selection) Unrelated() int { return len(s.unrelated) }

// Check returns an error if the filter names what is not there, once all records
// have been seen.
func (s *Selection) Check() error {
	if words, known := s.Filter.UnknownBots(); len(words) > 0 {
		return mistakef("unknown bot %q%s", words[0], suggest.DidYouMean(words[0], known, listed("bot", known)))
	}
	if words, known := s.Filter.UnknownCases(); len(words) > 0 {
		return mistakef("--case: unknown case %q%s", words[0], suggest.DidYouMean(words[0], known, listed("case", known)))
	}
	if word, either, ok := s.Filter.Ambiguous(); ok {
		return mistakef("--case: found %q, which may be %s or %s", word, either[0], either[1])
	}
	return nil
}

// Selected says which matches the filter keeps, as the end of a heading.
func (s *Selection) Selected() string {
	var parts []string
	add := func(what string, words []string) {
		if len(words) > 0 {
			parts = append(parts, what+" "+strings.Join(words, ", "))
		}
	}
	add("with", s.Filter.Bots)
	add("without", s.Filter.Without)
	add("on", s.Filter.Cases)
	if len(parts) == 0 {
		return ""
	}
	return ", " + strings.Join(parts, ", ")
}

// FilterJSON is the filter as JSON shows it; nil if it keeps all matches.
func (s *Selection) FilterJSON() *standings.Filter {
	if !s.Filter.Active() {
		return nil
	}
	return &s.Filter
}

// expect lists the bots of a whole tournament in a tally.
func (s *Selection) expect(t *standings.Tally, run *recordedRun) {
	if run == nil || s.Filter.Active() {
		return
	}
	run.Expect(t)
}

// view makes the standings of a tally of one game; those of the whole of a single
// run, which is nil otherwise, as the tournament orders and shows them.
func (s *Selection) view(run *recordedRun, game protocols.Game, t *standings.Tally) (report.Standings, *report.StandingsJSON) {
	v, result := report.Standings{Game: game}, &report.StandingsJSON{Game: game.Name, Filter: s.FilterJSON(), Unrelated: s.Unrelated()}
	var order *standings.Ordering
	if run != nil && !s.Filter.Active() {
		order = run.Ordering()
		if run.Plan.InRounds() && run.Adaptive == nil {
			result.Format = string(run.Plan.Format)
		}
		showRounds(&v, run)
		result.RoundsJSON = v.Encounters
		v.Total = run.Total()
		result.Missing, result.Until = v.Total-t.Matches-t.Failed, v.Until
		if test := run.Sequential; test != nil {
			v.SPRT = report.NewSPRT(test.TestState, run.Bots[1].Name, run.Bots[0].Name)
			if result.SPRT = v.SPRT; test.Decision != strength.NotDecided {
				result.Missing = 0
			}
		}
	}
	result.Standings = t.Standings(order)
	v.Of, v.Missing, v.Unrelated = &result.Standings, result.Missing, result.Unrelated
	return v, result
}

// title names a table of standings.
func (s *Selection) title(game string, of *standings.Standings) string {
	return fmt.Sprintf("%s: %s, %s%s", game, report.Plural(len(of.Ranked()), "bot"), report.Plural(of.Matches, "match"), s.Selected())
}
