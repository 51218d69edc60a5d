package cli

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"umpire/referee/cases"
	"umpire/referee/program/build"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/scoring"
	"umpire/referee/settings"
)

// What an interrupted command shows of what was finished, what it keeps, and
// how to go on. Each function returns the error that stopped the command, and
// does nothing else if it is no interrupt.

func interrupted(err error) bool { return errors.Is(err, context.Canceled) }

// sayAgain names the command line that does something again.
func (a *app) sayAgain(what, command string) {
	a.note("umpire: %s: %s\n", what, report.Safe(command))
}

// repeat returns the command line as it was given, with what it needs where the
// stopped command has left records.
func (s *session) repeat() string {
	command := repeat(s.c)
	if dir := s.c.String("o"); dir != "" && record.Played(dir) && !s.c.Bool("append") {
		command.flag("append")
	}
	return command.String()
}

func (s *session) matchStopped(err error) error {
	if interrupted(err) {
		s.stopSaid = true
		s.note("umpire: interrupted before the match was over\n")
		s.sayAgain("to play it again", s.repeat())
	}
	return err
}

// testStopped shows the result on the cases that have ended.
func (s *session) testStopped(err error, v report.Test, records []record.Record, rows *testRows) error {
	if !interrupted(err) || errors.Is(context.Cause(s.c.Context), errChanged) {
		return err
	}
	rows.rest()
	s.stopSaid = true
	seats, total := len(s.game.PlayedSeats()), len(s.set.Cases)
	n := -1
	ended := s.set.Filter(func(cases.Case) bool {
		n++
		return allEnded(records[n*seats : (n+1)*seats])
	})
	if len(ended.Cases) > 0 {
		s.set = ended
		if _, err := s.judgeTest(&v, records); err != nil {
			return err
		}
		if rows != nil {
			v.Print(s.out)
		}
	}
	kept := s.results
	s.sayFinished(records, kept)
	switch {
	case kept == "":
		s.sayAgain("to begin again", s.repeat())
	case len(ended.Cases) < total && !s.c.IsSet("against"):
		rest := runAgain("score", s.c.Args().Slice()...).flag("from", kept)
		s.sayAgain("to play the rest and score all", rest.flags(s.c, sharedFlags()...).String())
	case len(ended.Cases) < total:
		s.sayAgain("to play all again", s.repeat())
	}
	return err
}

// sharedFlags are the names of the flags that score has in common with test and
// that change which matches are played, and how.
func sharedFlags() []string {
	return settings.Names(slices.Concat(settings.CaseChoice, settings.Conditions, settings.Running))
}

// scoreStopped shows the scores of the submissions whose matches have all ended.
func (k *scorer) scoreStopped(err error, records []record.Record) error {
	if !interrupted(err) {
		return err
	}
	k.stopSaid = true
	var ended scoring.Results
	for _, s := range k.results.Submissions {
		if k.task.Check(&scoring.Results{Submissions: []*scoring.Submission{s}}) == nil {
			ended.Submissions = append(ended.Submissions, s)
		}
	}
	all := len(k.results.Submissions)
	if n := len(ended.Submissions); n > 0 && forPeople(k.c, k.exports) {
		scores, err := k.task.Score(&ended)
		if err != nil {
			return k.explain(err)
		}
		k.exports = nil // a file is to hold the whole result
		if err := k.show(scores); err != nil {
			return err
		}
		k.note("umpire: all matches of %d of %s have been played\n", n, report.Plural(max(all, n), "submission"))
	}
	kept := k.keptFile("last-score.jsonl", records)
	k.sayFinished(records, kept)
	if kept == "" {
		k.sayAgain("to begin again", k.repeat())
	} else {
		k.sayAgain("to resume", k.resumeCommand(kept))
	}
	return err
}

// keptFile returns the file that holds the finished matches; "" if there are
// none.
func (s *session) keptFile(name string, records []record.Record) string {
	switch dir := s.c.String("o"); {
	case finished(records) == 0:
		return ""
	case dir != "":
		return resultsIn(dir)
	case s.spool == nil:
		return ""
	}
	dir, err := build.CacheDir()
	path := filepath.Join(dir, name)
	if err == nil {
		err = s.spool.Save(path, maxTestRecords)
	}
	if err != nil {
		s.note("umpire: keep the records: %v\n", err)
		return ""
	}
	return path
}

func (s *session) sayFinished(records []record.Record, kept string) {
	if kept != "" {
		kept = ", kept in " + kept
	}
	s.note("umpire: interrupted; %d of %d matches finished%s\n", finished(records), len(records), kept)
}

// finished counts the matches that were finished.
func finished(records []record.Record) (n int) {
	for i := range records {
		if records[i].ID != "" {
			n++
		}
	}
	return n
}
