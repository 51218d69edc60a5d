package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"umpire/protocols"
	"umpire/referee/arena"
	"umpire/referee/cases"
	"umpire/referee/program"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/scoring"
)

// Run plays the test. If the error is an interrupt, the result is that of the cases
// that have ended.
func (t Test) Run(ctx context.Context) (result TestResult, err error) {
	if err := checkFree(t.Play, t.Game.MaxSeats-1, ", or name an opponent with --against BOT"); err != nil {
		return result, err
	}
	s, err := t.open(ctx)
	if err != nil {
		return result, err
	}
	formula, err := scoring.Compile(s.Game.Formula)
	if err != nil {
		return result, fmt.Errorf("formula: %w", err)
	}
	if s.Opponent.What != "" {
		if err := s.checkOpponent(ctx); err != nil {
			return result, err
		}
	}
	if err := NotJudged(s.Bots); err != nil {
		return result, err
	}
	if result.Unfit = Broken(s.Bots); result.Unfit != nil && !t.Unfit {
		return result, result.Unfit
	}
	fixtures := s.submission(s.Bots[0])
	if result.Unfit == nil {
		s.store.openSpool(s.Machine.Tell)
	}
	defer s.store.closeSpool()
	play := func() ([]record.Record, error) { return t.playMissing(ctx, s, fixtures) }
	var records []record.Record
	p := s.Umpire.Problem(s.Game)
	stops := p != nil && p.Grading == nil && !t.All
	if stops {
		records, err = t.untilFailed(s, play, fixtures)
	} else {
		records, err = play()
	}
	result.Matches, result.Finished = len(records), Finished(records)
	if result.Set = s.Set; stops && err == nil {
		result.Set = s.ended(records)
		if n := len(records) - result.Finished; n > 0 {
			first := "without a result"
			if slices.ContainsFunc(records, func(r record.Record) bool { return r.FirstFailure() != "" }) {
				first = "on which it failed"
			}
			s.Machine.Tell.Note("%s after the first %s not judged: --all judges all\n", report.Plural(n, "case"), first)
		}
	}
	if err != nil {
		if !errors.Is(err, context.Canceled) || errors.Is(context.Cause(ctx), ErrChanged) {
			return result, err
		}
		if result.Set = s.ended(records); len(result.Set.Cases) == 0 {
			return result, err
		}
	}
	return result, errors.Join(err, t.judge(s, formula, fixtures, records, &result))
}

// playMissing plays a test's matches, except those that Resume finds played.
func (t Test) playMissing(ctx context.Context, s *Session, fixtures []arena.Fixture) ([]record.Record, error) {
	if !t.Resume {
		return s.play(ctx, fixtures)
	}
	played, err := t.earlier()
	if err != nil {
		return nil, err
	}
	records := make([]record.Record, len(fixtures))
	var missing []int
	var left []arena.Fixture
	for n, f := range fixtures {
		wanted := f.Record()
		if r, ok := played[wanted.FullName()]; ok {
			records[n] = r
		} else {
			missing, left = append(missing, n), append(left, f)
		}
	}
	s.Machine.Tell.Note("played before: %d of %s\n", len(fixtures)-len(left), report.Plural(len(fixtures), "match"))
	begun, done := s.Begun, s.Done
	s.Begun = func(s *Session, _ int) {
		if begun != nil {
			begun(s, len(fixtures))
		}
		for n, r := range records {
			if r.ID != "" {
				recall(s, n, r, done)
			}
		}
	}
	s.Done = func(n int, r record.Record) {
		if done != nil {
			done(missing[n], r)
		}
	}
	now, err := s.play(ctx, left)
	for n, r := range now {
		records[missing[n]] = r
	}
	return records, err
}

// recall takes a record of an earlier test as that of the n-th match.
func recall(s *Session, n int, r record.Record, done func(int, record.Record)) {
	if s.store.spool != nil {
		_ = s.store.spool.Write(r) // as of a match that is played now; without it, less can be reproduced
	}
	if done != nil {
		done(n, r)
	}
}

// earlier returns the matches that were played in the test that is resumed, by full name.
func (t Test) earlier() (map[string]record.Record, error) {
	file := ResultsIn(t.Results.Dir)
	if t.Results.Dir == "" {
		dir, err := Tested{t.Game.Name, t.Entrants[0], t.Opponent}.folder()
		if err != nil {
			return nil, err
		}
		file = filepath.Join(dir, recordsFile)
	}
	in, err := record.Open(file)
	if err != nil {
		return nil, mistakef("--resume: no earlier test of this bot is known: %w", err)
	}
	defer in.Close()
	played := make(map[string]record.Record)
	for r, err := range record.Read(file, in) {
		switch {
		case errors.Is(err, record.ErrTorn):
		case err != nil:
			return nil, Mistaken(err)
		case r.Error == "":
			played[r.FullName()] = r
		}
	}
	return played, nil
}

// ErrChanged is the cause that ends a test whose bot has changed meanwhile.
var ErrChanged = errors.New("the bot has changed")

// ended returns the cases of which all matches have ended.
func (s *Session) ended(records []record.Record) cases.Set {
	seats, n := len(s.Game.PlayedSeats()), -1
	return s.Set.Filter(func(cases.Case) bool {
		n++
		return AllEnded(records[n*seats : (n+1)*seats])
	})
}

// AllEnded reports whether all matches have ended.
func AllEnded(records []record.Record) bool { return Finished(records) == len(records) }

// Finished counts the matches that have ended.
func Finished(records []record.Record) (n int) {
	for i := range records {
		if records[i].ID != "" {
			n++
		}
	}
	return n
}

// judge says what the records say of the cases that have been played, and remembers
// it.
func (t Test) judge(s *Session, formula scoring.Formula, fixtures []arena.Fixture, records []record.Record, result *TestResult) (err error) {
	record.NameAll(records)
	failed := NotPlayed(records)
	without := make(map[string]bool)
	for _, f := range failed {
		without[f.Case] = true
	}
	set := result.Set
	if len(failed) > 0 {
		set = set.Filter(func(c cases.Case) bool { return !without[c.Name] })
	}
	if result.Scores, err = Judge(s, formula, set, records); err != nil {
		return err
	}
	if result.Scores.ByPackage() {
		p := s.Umpire.Problem(s.Game)
		for _, why := range p.Grading.Grade(outcomesOf(p, records)).OutOfRange() {
			s.Machine.Tell.Note("warning: expected %s\n", why)
		}
	}
	result.TestResult = report.NewTestResult(s.Game.Name, s.Level, result.Scores, failed)
	result.AddUncounted(records)
	if result.Unfit != nil { // said once, not on every case
		result.Broken = s.Bots[0].Broken
		for i := range result.Results {
			result.Results[i].Detail = ""
		}
	}
	tested := Tested{s.Game.Name, s.Entrants[0], s.Opponent}
	tested.Last().compare(&result.TestResult, result.Set)
	if s.store.spool != nil {
		last := LastTest{Bot: s.Entrants[0].Label, Folder: Absolute(s.Entrants[0].Folder), Flags: make(map[string]string), Matches: testMatches(result.Set, result.TestResult)}
		if s.Machine.Level != "" {
			last.Flags["isolation"] = string(s.Machine.Level)
		}
		if s.Machine.Languages != "" {
			last.Flags["languages"] = Absolute(s.Machine.Languages)
		}
		if p := s.Umpire.Problem(s.Game); p != nil && p.Command == "" {
			last.Package = map[string]string{"game": s.Umpire.GameWord(s.Game), "format": s.Umpire.Reading.Format}
		}
		if result.Records, err = tested.remember(last, s.store.spool, fullNames(records, without)); err != nil {
			s.Machine.Tell.Warn("umpire: keep the records: %v\n", err)
		}
	}
	if s.Results.Dir != "" {
		result.Records = ResultsIn(s.Results.Dir)
	}
	if s.Opponent.What != "" {
		result.Against, result.Opponent = s.House.Name, opponentTally(records)
	}
	if result.Unfit == nil && len(failed) == 0 && len(result.Set.Cases) == len(s.Set.Cases) {
		if err := tested.log(s, fixtures, result); err != nil {
			s.Machine.Tell.Warn("umpire: keep the log of tests: %v\n", err)
		}
	}
	return nil
}

// checkOpponent checks that the opponent of the user's choice can be started, and
// gives it a name that is not the bot's.
func (s *Session) checkOpponent(ctx context.Context) error {
	both := []program.Bot{s.Bots[0], s.House}
	program.UniqueNames(both)
	s.Bots[0], s.House = both[0], both[1]
	if s.House.Kind != "" {
		return s.checkGuest(s.House)
	}
	if err := s.tryOne(ctx, s.House); err != nil {
		return &BotError{mistakef("bot %q: %w", s.House.Entrant.Label, err)}
	}
	return nil
}

// opponentTally counts how the matches ended for the seats that the opponent took.
func opponentTally(records []record.Record) scoring.Tally {
	tally := scoring.Tally{Verdicts: make(map[string]int)}
	for _, r := range records {
		for _, seat := range r.Seats {
			if seat.House && r.Error == "" {
				tally.Matches++
				tally.Verdicts[seat.Verdict]++
			}
		}
	}
	return tally
}

// NotPlayed returns the matches without a result.
func NotPlayed(records []record.Record) []report.NotPlayed {
	var list []report.NotPlayed
	for _, r := range records {
		if r.Error != "" {
			seat := slices.IndexFunc(r.Seats, func(s record.Seat) bool { return !s.House }) + 1
			list = append(list, notPlayed(&r, seat))
		}
	}
	return list
}

// notPlayed returns the match of a record without a result, as that of a seat.
func notPlayed(r *record.Record, seat int) report.NotPlayed {
	return report.NotPlayed{Case: r.Case.Name, Group: r.Case.Group, ID: r.ID, Seat: seat, Fault: r.Fault(), Error: r.Error}
}

// Judge scores the records of a session's first bot, on cases without a failed match.
func Judge(s *Session, formula scoring.Formula, set cases.Set, records []record.Record) (scoring.Scores, error) {
	var results scoring.Results
	results.Order(scoring.NewSubmission(s.Bots[0].Name, s.Bots[0].Digest))
	for i := range records {
		if records[i].ID != "" && records[i].Error == "" {
			results.Add(&records[i])
		}
	}
	task := scoring.Task{Set: set, Formula: formula}
	addGrading(s, &task)
	return task.Score(&results)
}

// Failure returns the error of a test in which matches could not be played; nil if
// all were.
func (r TestResult) Failure() error {
	if len(r.Failed) == 0 {
		return nil
	}
	return failure(r.Bot, r.Failed[0], len(r.Failed))
}

// failure returns the error of a bot's match that could not be played, the first of so many.
func failure(bot string, first report.NotPlayed, matches int) error {
	more := ""
	if matches > 1 {
		more = fmt.Sprintf(" (and %d more)", matches-1)
	}
	return fmt.Errorf("%w%s", &scoring.FailedError{Bot: bot, Case: first.Case, Fault: first.Fault, Why: first.Error}, more)
}

// About returns what is known of the bots beyond the records.
func (s *Session) About() report.Background {
	named := func(name string) (bot program.Bot) {
		if i := slices.IndexFunc(s.Bots, func(b program.Bot) bool { return b.Name == name }); i >= 0 {
			bot = s.Bots[i]
		}
		return bot
	}
	b := report.Background{
		IsFolder: func(name string) bool {
			bot := named(name)
			return bot.Program != nil && bot.Program.Dir != ""
		},
		Cause: func(seat record.Seat) string {
			switch bot := named(seat.Bot); {
			case seat.Verdict == string(protocols.KindCrash):
				return bot.Entrant.Beside(seat.Stderr)
			case seat.Verdict == string(protocols.KindMemory) && bot.Program != nil && strings.Contains(strings.Join(bot.Program.Args, " "), " -Xss"):
				return "its heap ends below the limit: an endless recursion, or many threads?"
			}
			return ""
		},
	}
	if s.stderrs != nil {
		b.WholeStderr = func(match string, seat int) string {
			path := s.stderrs.Path(match, seat)
			if _, err := os.Stat(path); err != nil {
				return ""
			}
			return path
		}
	}
	return b
}
