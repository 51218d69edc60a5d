package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/external/judging"
	"umpire/referee/external/problem"
	"umpire/referee/program"
	"umpire/referee/record"
	"umpire/referee/report"
)

// Submissions judges the submissions of a problem package, and compares what they get with
// what the package expects of them. Its input validators look at all cases first.
type Submissions struct {
	Play        // without entrants
	Only string // pattern of the names of submissions; "": all
}

// Run judges the submissions.
func (t Submissions) Run(ctx context.Context) (result report.SubmissionsResult, err error) {
	p := t.Umpire.Problem(t.Game)
	chosen, err := t.choose(p)
	if err != nil {
		return result, err
	}
	for _, one := range chosen {
		file := p.File(one)
		t.Entrants = append(t.Entrants, program.Entrant{Name: one.Name, Label: "@" + one.Name, What: file, Shown: t.Umpire.shown(file), Kind: program.KindPath, Main: one.Main})
	}
	s := &Session{Play: t.Play, several: true}
	if err := prepare(ctx, s); err != nil {
		return result, err
	}
	if err := s.openResults(ctx); err != nil {
		return result, err
	}
	result = report.SubmissionsResult{Game: t.Game.Name, Isolation: string(s.Level), Cases: len(s.Set.Cases), Validators: len(p.Validators)}
	if result.Invalid, err = validateInputs(ctx, s, p); err != nil {
		return result, errors.Join(err, s.store.Close())
	}
	for i, one := range chosen { // of those in no known language, a folder may lack more than that
		ext := path.Ext(one.Name)
		info, err := os.Stat(p.File(one))
		if s.Bots[i].Broken != "" && ext != "" && !slices.Contains(s.resolver.Builder.Languages.Suffixes(), ext) && err == nil && info.Mode().IsRegular() {
			s.Bots[i].Lack = ext + " is no suffix of a language that `umpire languages` lists"
		}
	}
	records, err := playRounds(ctx, s, p, chosen)
	if err != nil {
		return result, err
	}
	result.Fine = len(result.Invalid) == 0
	for i, one := range chosen {
		row := rowOf(p, one, s.Bots[i], records[i])
		result.Submissions = append(result.Submissions, row)
		result.Fine = result.Fine && (row.OK || row.Skipped != "")
		result.Accepted = result.Accepted || row.Got == problem.Accepted && (row.Case == "" || !p.EachCase)
	}
	result.Fine = result.Fine && result.Accepted
	return result, nil
}

// choose returns the submissions whose names match the pattern.
func (t Submissions) choose(p *problem.Problem) (chosen []problem.Submission, err error) {
	only, err := problem.ParseGlob(t.Only)
	if err != nil {
		return nil, mistakef("--only: found %q: %w; expected a pattern such as 'accepted/*' or '*.{cpp,py}'", t.Only, err)
	}
	for _, one := range p.Submissions {
		if t.Only == "" || only.Covers(one.Name) || only.Matches(path.Base(one.Name)) {
			chosen = append(chosen, one)
		}
	}
	switch {
	case len(p.Submissions) == 0:
		return nil, mistakef("%s: found no submissions of which the package says what is expected", t.Umpire.shown(filepath.Join(p.Dir, p.SubmissionDir)))
	case len(chosen) == 0:
		return nil, mistakef("--only: no submission is called %q, as %s is", t.Only, p.Submissions[0].Name)
	}
	return chosen, nil
}

// validators makes the input validators of a package, in their order.
func (u *Umpire) validators(ctx context.Context, p *problem.Problem, r program.Resolver) (list []program.Bot, err error) {
	for _, name := range p.Validators {
		validator, err := u.partOf(ctx, p, name, r)
		if err != nil {
			return nil, err
		}
		list = append(list, validator)
	}
	return list, nil
}

// validate has the n-th input validator look at a case, and returns what it says against it;
// "" if nothing.
func validate(ctx context.Context, s *Session, p *problem.Problem, n int, validator program.Bot, c problem.Case) (why string, err error) {
	name := p.Validators[n]
	if why, err = judging.Validate(ctx, p, s.launcher, name, validator, c); err != nil {
		err = fmt.Errorf("input validator %s: %w", name, err)
	}
	return why, err
}

// validateInputs has the input validators look at all cases, several at a time.
func validateInputs(ctx context.Context, s *Session, p *problem.Problem) ([]report.InvalidInput, error) {
	validators, err := s.Umpire.validators(ctx, p, s.resolver)
	if err != nil {
		return nil, err
	}
	list := make([]report.InvalidInput, len(validators)*len(s.Set.Cases))
	err = each(ctx, s.runner.Jobs, len(list), func(ctx context.Context, i int) error {
		n := i / len(s.Set.Cases)
		c, err := p.Find(s.Set.Cases[i%len(s.Set.Cases)].Case)
		if err != nil {
			return err
		}
		why, err := validate(ctx, s, p, n, validators[n], c)
		list[i] = report.InvalidInput{Case: c.Name, Validator: p.Validators[n], Why: why}
		return err
	})
	list = slices.DeleteFunc(list, func(one report.InvalidInput) bool { return one.Why == "" })
	slices.SortFunc(list, func(a, b report.InvalidInput) int {
		return cmp.Or(cmp.Compare(a.Case, b.Case), cmp.Compare(a.Validator, b.Validator))
	})
	return list, err
}

// playRounds plays the submissions on the cases, and returns the records of each, in the
// order of cases. Where the format judges no further after a case on which a submission
// fails, all that go on are judged on one case after the other.
func playRounds(ctx context.Context, s *Session, p *problem.Problem, chosen []problem.Submission) (records [][]record.Record, err error) {
	records = make([][]record.Record, len(s.Bots))
	runner, end, err := s.begin(ctx, nil)
	if err != nil {
		return records, errors.Join(err, s.store.Close())
	}
	if s.Begun != nil {
		s.Begun(s, len(s.Bots)*len(s.Set.Cases))
	}
	times := make(map[string]int)
	for first := 0; first < len(s.Set.Cases) && err == nil; {
		last := first + 1
		if p.EachCase {
			last = len(s.Set.Cases)
		}
		var fixtures []arena.Fixture
		var bots []int
		for i, bot := range s.Bots {
			if n := len(records[i]); bot.Lack != "" || n > 0 && !p.EachCase && !goesOn(p, chosen[i], records[i], s.Set.Cases[first].Name) {
				continue
			}
			for _, c := range s.Set.Cases[first:last] {
				fixtures, bots = append(fixtures, alone(s, c, bot, times)), append(bots, i)
			}
		}
		played := make([]record.Record, len(fixtures))
		err = runner.Run(ctx, slices.Values(fixtures), func(n int, r record.Record) error {
			played[n] = r
			if s.Done != nil {
				s.Done(n, r)
			}
			_, err := s.store.Keep(r)
			return err
		})
		for n, r := range played {
			records[bots[n]] = append(records[bots[n]], r)
		}
		first = last
	}
	return records, end(errors.Join(err, s.store.Finish(ctx)))
}

// goesOn reports whether the format judges a case after those of the records, where it
// stops at failures, but not at one that a submission may have before the one that it must.
func goesOn(p *problem.Problem, one problem.Submission, records []record.Record, name string) bool {
	last := records[len(records)-1]
	if p.Grading == nil || last.Error != "" {
		return last.Error == "" && (last.FirstFailure() == "" || mayPrecede(one, classOf(last)))
	}
	c, ok := caseCalled(p, name)
	return ok && p.Grading.Counts(c.Name, outcomesOf(p, records))
}

// mayPrecede reports whether a submission may get a verdict of a class, and must get another.
func mayPrecede(one problem.Submission, class string) bool {
	return slices.Contains(one.Permitted, class) && !slices.Contains(one.Required, class)
}

// classOf is the class of the verdict in a record.
func classOf(r record.Record) string { return problem.ClassOf(referee.Verdict(r.Seats[0].Verdict)) }

// rowOf compares what a submission got with what is expected of it.
func rowOf(p *problem.Problem, one problem.Submission, bot program.Bot, records []record.Record) report.SubmissionRow {
	row := report.SubmissionRow{Name: one.Name, Expected: append([]string{}, one.Required...), Skipped: bot.Lack, Played: len(records)}
	if bot.Lack != "" {
		return row
	}
	row.Got = problem.Accepted
	required, decided := one.Required == nil, false
	var results []problem.CaseResult
	for _, r := range records {
		if r.Error != "" {
			if row.Error == "" {
				row.Error, row.Case, row.Got = r.Error, r.Case.Name, "JE"
			}
			continue
		}
		seat, class := r.Seats[0], classOf(r)
		decides := decidesAlone(p, one, class)
		if row.Error == "" && (row.Case == "" && class != problem.Accepted || decides && !decided) {
			row.Got, row.Case, row.Verdict, row.Detail = class, r.Case.Name, seat.Verdict, seat.Detail
		}
		if seat.CPUUS > row.SlowestUS {
			row.SlowestUS, row.SlowestOn = seat.CPUUS, r.Case.Name
		}
		c, _ := caseCalled(p, r.Case.Name)
		results = append(results, problem.CaseResult{Case: cmp.Or(c.Name, r.Case.Name), Class: class, Message: messageIn(r)})
		required, decided = required || slices.Contains(one.Required, class), decided || decides
	}
	inRange := true
	scores := make(map[string]*big.Rat)
	if p.Grading != nil && row.Error == "" {
		grade := p.Grading.Grade(outcomesOf(p, records))
		for _, g := range grade.Flat() {
			scores[g.Group.Name] = g.Points()
		}
		score, _ := grade.Points().Float64()
		row.Score, row.Scores, inRange = &score, one.Score.String(), one.Score.Holds(grade.Points())
		if !p.EachCase {
			row.Got, row.Case, row.Verdict, row.Detail = grade.Class, "", "", ""
			i := slices.IndexFunc(records, func(r record.Record) bool { return classOf(r) == grade.Class })
			if i >= 0 && grade.Class != problem.Accepted {
				seat := records[i].Seats[0]
				row.Case, row.Verdict, row.Detail = records[i].Case.Name, seat.Verdict, seat.Detail
			}
		}
		row.Unmet = grade.OutOfRange()
	}
	if row.OK = required && !decided; !p.EachCase {
		row.OK = one.Required == nil || slices.Contains(one.Required, row.Got)
	}
	row.OK = row.OK && row.Error == "" && inRange && len(row.Unmet) == 0
	for _, rule := range one.Rules {
		row.Rules = append(row.Rules, rule.String())
		if why := rule.Unmet(results, scores); why != "" && row.Error == "" {
			row.OK, row.Unmet = false, append(row.Unmet, why)
		}
	}
	return row
}

// decidesAlone reports whether a verdict of a class decides whether a submission is as expected,
// whatever it gets on other cases: one that it may not get or, where the first failure counts, one
// that must not be followed by another.
func decidesAlone(p *problem.Problem, one problem.Submission, class string) bool {
	if p.EachCase {
		return one.Permitted != nil && !slices.Contains(one.Permitted, class)
	}
	return class != problem.Accepted && !mayPrecede(one, class)
}

// messageIn is what the judge said of a match in its file for that.
func messageIn(r record.Record) string {
	seen, err := r.Seen()
	if err != nil {
		return ""
	}
	var said []string
	for _, e := range seen {
		if e.Seat == 0 && e.Ended {
			said = append(said, e.Detail)
		}
	}
	return strings.Join(said, "\n")
}

// JudgeFailure is the error of submissions of which some have no verdict; nil if all have.
func JudgeFailure(r report.SubmissionsResult) error {
	for _, row := range r.Submissions {
		if row.Error != "" {
			return fmt.Errorf("%s on %s: %s", row.Name, row.Case, row.Error)
		}
	}
	return nil
}
