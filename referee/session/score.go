package session

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"umpire/referee/arena"
	"umpire/referee/cases"
	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/scoring"
)

// Score ranks submissions by formula. Of those that take part, only the matches
// that are not stored are played.
type Score struct {
	Play
	Formula  scoring.Formula
	Baseline string   // "": that of the cases; a number, best, or a file
	From     []string // stored results
	OneSeed  bool     // of stored matches for which a judge drew, score those of Seed alone
	Files    *Files
	Choice   cases.Choice
}

// ScoreResult is what came of a scoring.
type ScoreResult struct {
	Scores scoring.Scores
	Cases  int
	// Of a scoring that was interrupted, or stopped by an error: how many submissions have
	// played all their matches, of how many; the matches of this run that ended, of how
	// many; and the file that keeps them, "" if none does.
	Whole, Submissions int
	Finished, Matches  int
	Records            string

	// Submissions that Scores leaves out: NotJudged by name, and those that have no result on
	// some cases.
	NotJudged []report.NotJudged
	NoTotal   []report.NoTotal
}

// Failure returns the error of a scoring that leaves submissions out; nil if it leaves out none.
func (r ScoreResult) Failure() error {
	if len(r.NoTotal) > 0 {
		matches := 0
		for _, n := range r.NoTotal {
			matches += len(n.Failed)
		}
		return failure(r.NoTotal[0].Bot, r.NoTotal[0].Failed[0], matches)
	}
	if n := len(r.NotJudged); n > 0 {
		return fmt.Errorf("could not judge %s", report.Plural(n, "submission"))
	}
	return nil
}

// scorer is a scoring that is going on.
type scorer struct {
	session *Session
	asked   Score
	task    scoring.Task
	results scoring.Results
	found   scoring.Found // of stored records

	notJudged map[string]string // why submissions can't be judged, by name
}

// Run carries out the scoring. The scores are those of the submissions that have all results;
// only if it is interrupted may others lack matches.
func (p Score) Run(ctx context.Context) (result ScoreResult, err error) {
	k := &scorer{asked: p, session: &Session{Play: p.Play, several: true}}
	k.task.Formula = p.Formula
	if len(p.Entrants) > 0 {
		if err := checkFree(p.Play, p.Game.MaxSeats-1, ""); err != nil {
			return result, err
		}
	}
	if excluded, err := p.Results.excluded(); err != nil || len(excluded) > 0 { // what these have played is not read
		if err := errors.Join(err, k.session.openResults(ctx), k.session.store.Close()); err != nil {
			return result, err
		}
	}
	if err := k.readStored(); err != nil {
		return result, err
	}
	if err := k.chooseCases(ctx); err != nil {
		return result, err
	}
	if err := k.readBaseline(ctx); err != nil {
		return result, err
	}
	addGrading(k.session, &k.task)
	if g := k.session.Game; k.task.Grade != nil && p.Formula.String() != g.Formula {
		return result, mistakef("--formula: found %s, expected none: the package grades all cases of %s by its own groups; --group or --case chooses some", p.Formula, g.Name)
	}
	result.Cases = len(k.task.Set.Cases)
	stopped := k.playMissing(ctx, &result)
	if stopped != nil {
		result.Submissions = len(k.results.Submissions)
		k.results = k.results.Only(k.isWhole)
		result.Whole = len(k.results.Submissions)
		if result.Matches == 0 || result.Whole == 0 || !errors.Is(stopped, context.Canceled) {
			return result, stopped
		}
	}
	maps.Copy(k.notJudged, k.results.TakeNotJudged())
	for _, name := range slices.Sorted(maps.Keys(k.notJudged)) {
		result.NotJudged = append(result.NotJudged, report.NotJudged{Bot: name, Why: k.notJudged[name]})
	}
	for _, failed := range k.results.TakeFailed(k.task.Set) {
		result.NoTotal = append(result.NoTotal, k.noTotal(failed))
	}
	result.Scores, err = k.task.Score(&k.results)
	return result, cmp.Or(k.explain(err), stopped)
}

// isWhole reports whether a submission has all results.
func (k *scorer) isWhole(s *scoring.Submission) bool {
	return k.task.Check(&scoring.Results{Submissions: []*scoring.Submission{s}}) == nil
}

// noTotal says which matches of a submission have no result.
func (k *scorer) noTotal(failed []scoring.Entry) (out report.NoTotal) {
	for _, e := range failed {
		s := e.Record.Seats[e.Seat-1]
		out.Bot = k.results.Called(s.Bot, s.Digest)
		out.Failed = append(out.Failed, notPlayed(e.Record, e.Seat))
	}
	return out
}

// readStored reads the stored results.
func (k *scorer) readStored() error {
	room, others := NewKept(0), 0
	err := k.readResults(k.asked.From, func(r *record.Record) {
		played := arena.Fixture{Random: k.asked.Random, Seed: k.asked.Seed, Case: r.Case, Repetition: r.Repetition}
		if k.asked.OneSeed && r.Seed != "" && r.Seed != played.Record().Seed {
			others++
			return
		}
		room.Shorten(r)
		k.results.Add(r)
		k.found.Add(k.session.Game, r)
	})
	if others > 0 {
		k.session.Machine.Tell.Warn("umpire: skipped %s of other seeds\n", report.Plural(others, "record"))
	}
	k.notJudged = k.results.TakeNotJudged()
	if err == nil && len(k.notJudged) == 0 && len(k.results.Submissions) == 0 && len(k.session.Entrants) == 0 {
		err = mistakef("--from: found no record of a submission to %s in %s", k.session.Game.Name, strings.Join(k.asked.From, ", "))
	}
	return err
}

// readResults reads the game's records from results files, and completes them.
func (k *scorer) readResults(files []string, take func(*record.Record)) error {
	in := scoring.Reader{Game: k.session.Game, Package: k.session.Package}
	for line, err := range k.asked.Files.Lines(files) {
		if err != nil {
			return err
		}
		r, ok, err := in.Read(line)
		switch {
		case errors.Is(err, record.ErrTorn):
			k.session.Machine.Tell.Warn("umpire: %v: skipped\n", err)
		case err != nil:
			return Mistaken(err)
		case ok:
			take(r)
		}
	}
	if in.Others > 0 {
		k.session.Machine.Tell.Warn("umpire: skipped %s of other games\n", report.Plural(in.Others, "record"))
	}
	return nil
}

// chooseCases sets the cases to score on: where results are stored and nobody chooses,
// those they were played on. Only if all of these are standard cases, and all who played
// them take part, is the run one to be finished, on the whole standard set.
func (k *scorer) chooseCases(ctx context.Context) (err error) {
	u, g, c := k.session.Umpire, k.session.Game, k.asked.Choice
	chosen := len(k.found.Cases) == 0 || c.One != "" || c.From != "" || c.N > 0
	var standard cases.Set
	if !chosen {
		standard, err = u.CaseSource(ctx).Whole(g, c)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // a game may have no standard cases
			return Mistaken(err)
		}
		if chosen = len(k.session.Entrants) > 0 && standard.Has(k.found.Cases); chosen {
			if err := k.session.resolve(ctx); err != nil {
				return err
			}
			chosen = !slices.ContainsFunc(k.results.Submissions, k.isPast)
		}
	}
	if chosen {
		k.task.Set, err = u.Choose(ctx, g, c)
	} else {
		err = k.matchStored(standard, c.Group)
	}
	k.session.Set = k.task.Set
	return Mistaken(err)
}

// isPast reports whether a stored submission takes no part: it plays no more.
func (k *scorer) isPast(s *scoring.Submission) bool {
	return !slices.ContainsFunc(k.session.Bots, func(b program.Bot) bool { return b.Name == s.Name && b.Digest == s.Digest })
}

// matchStored sets the cases of the stored results, or a group of them.
func (k *scorer) matchStored(standard cases.Set, group string) (err error) {
	if k.found.Unlike != nil {
		return k.found.Unlike
	}
	if k.task.Set, err = standard.Match(k.session.Game, k.found.Cases); err != nil || group == "" {
		return err
	}
	all := k.task.Set.GroupNames()
	k.task.Set = k.task.Set.Filter(func(one cases.Case) bool { return one.Group == group })
	if len(k.task.Set.Cases) == 0 {
		return fmt.Errorf("--group: found %q, the stored results have %s", group, strings.Join(all, ", "))
	}
	return nil
}

func (k *scorer) readBaseline(ctx context.Context) (err error) {
	switch y, nan := strconv.ParseFloat(k.asked.Baseline, 64); {
	case k.asked.Baseline == "":
		return nil
	case k.asked.Baseline == "best":
		k.task.Baseline = scoring.Best()
		return nil
	case nan == nil:
		k.task.Baseline, err = scoring.Constant(y)
	default:
		k.task.Baseline, err = k.baselineFile(ctx, k.asked.Baseline)
	}
	if err != nil {
		return mistakef("--baseline: %w", err)
	}
	return nil
}

// baselineFile reads a results file or CSV.
func (k *scorer) baselineFile(ctx context.Context, name string) (scoring.Baseline, error) {
	from := k.asked.Files.In
	if name != "-" {
		f, err := record.Open(ResultsIn(name))
		if _, missing := os.Stat(name); errors.Is(err, os.ErrNotExist) && missing != nil {
			return scoring.Baseline{}, fmt.Errorf("found %q, expected a number, best, or a file", name)
		}
		if err != nil {
			return scoring.Baseline{}, err
		}
		defer f.Close()
		from = f
	}
	in := bufio.NewReader(from)
	start, err := in.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		return scoring.Baseline{}, err
	}
	if bytes.HasPrefix(bytes.TrimSpace(start), []byte("{")) {
		if name == "-" {
			k.asked.Files.In = in
		}
		var results scoring.Results
		err := k.readResults([]string{name}, func(r *record.Record) { results.Add(r) })
		return scoring.BestOf(name, &results), err
	}
	known := slices.Clone(k.task.Set.Cases)
	if whole, err := k.session.Umpire.CaseSource(ctx).Whole(k.session.Game, k.asked.Choice); err == nil {
		for _, c := range whole.Cases {
			if !slices.ContainsFunc(known, func(have cases.Case) bool { return have.Name == c.Name }) {
				known = append(known, c)
			}
		}
	}
	return scoring.ReadBaseline(name, in, known)
}

// playMissing plays the submissions' matches that are not stored.
func (k *scorer) playMissing(ctx context.Context, result *ScoreResult) error {
	if k.session.Bots == nil {
		if err := k.session.resolve(ctx); err != nil {
			return err
		}
	}
	var wanted []scoring.Wanted
	var fixtures [][]arena.Fixture
	for _, bot := range k.session.Bots {
		if bot.Lack == "" {
			delete(k.notJudged, bot.Name) // it can be judged now
		} else if k.notJudged[bot.Name] != "" {
			continue // the records say so
		}
		list := k.session.submission(bot)
		fixtures = append(fixtures, list)
		wanted = append(wanted, scoring.Wanted{Name: bot.Name, Digest: bot.Digest, Matches: unplayed(list)})
	}
	// Whoever scores the folder alone is to find every submission's matches there.
	missing, planned := k.results.Resume(wanted, k.session.Results.Dir != "")
	for _, bot := range k.session.Bots {
		if called := k.results.Called(bot.Name, bot.Digest); called != bot.Name {
			k.session.Machine.Tell.noteName(bot, called)
		}
	}
	var todo []arena.Fixture
	players := make(map[string]bool) // by name
	for i, list := range missing {
		for _, n := range list {
			todo = append(todo, fixtures[i][n])
		}
		if len(list) > 0 {
			players[wanted[i].Name] = true
		}
	}
	if len(todo) == 0 {
		return nil
	}
	planned.TakeFailed(k.task.Set)
	if err := k.task.Check(&planned); err != nil {
		return k.explain(err)
	}
	if err := k.session.isolate(); err != nil {
		return err
	}
	if err := k.session.try(ctx, func(b program.Bot) bool { return players[b.Name] }); err != nil {
		return err
	}
	if err := k.session.openResults(ctx); err != nil {
		return err
	}
	return k.playThese(ctx, todo, result)
}

// unplayed returns the matches of a submission before they are played.
func unplayed(fixtures []arena.Fixture) []scoring.Entry {
	list := make([]scoring.Entry, len(fixtures))
	for i, f := range fixtures {
		r := f.Record()
		list[i] = scoring.Entry{Record: &r, Seat: slices.IndexFunc(f.Seats, func(s arena.Seat) bool { return !s.House }) + 1}
	}
	return list
}

func (k *scorer) playThese(ctx context.Context, todo []arena.Fixture, result *ScoreResult) error {
	if k.session.store.Writer == nil {
		k.session.store.openSpool(k.session.Machine.Tell)
		defer k.session.store.closeSpool()
	}
	records, err := k.session.play(ctx, todo)
	for i := range records {
		if records[i].ID != "" {
			k.results.Add(&records[i])
		}
	}
	if err == nil {
		return nil
	}
	result.Finished, result.Matches = Finished(records), len(records)
	if result.Finished > 0 {
		result.Records = k.keptFile()
	}
	return err
}

// keptFile returns the file that holds the finished matches; "" if there is none.
func (k *scorer) keptFile() string {
	switch {
	case k.session.Results.Dir != "":
		return ResultsIn(k.session.Results.Dir)
	case k.session.store.spool == nil:
		return ""
	}
	dir, err := build.CacheDir()
	path := filepath.Join(dir, "last-score.jsonl")
	if err == nil {
		err = saveRecords(path, k.session.store.spool, nil)
	}
	if err != nil {
		k.session.Machine.Tell.Warn("umpire: keep the records: %v\n", err)
		return ""
	}
	return path
}

// explain turns an error of scoring into one for the user, who can fix it.
func (k *scorer) explain(err error) error {
	if errors.As(err, new(*scoring.MissingError)) {
		return mistakef("%w; to play what is missing: umpire score %s BOT... --from FILE", err, k.session.Game.Name)
	}
	return Mistaken(err)
}
