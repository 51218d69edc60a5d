package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"slices"

	"umpire/protocols"
	"umpire/referee/arena"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/standings"
	"umpire/referee/tournament"
)

// Audit compares the records in a run folder with the description of the run.
type Audit struct {
	Dir string

	game   protocols.Game
	past   *tournament.Past
	bots   map[standings.Bot]bool // that take part, or did in an earlier run
	digest map[string]string      // of the bots that take part, by name
	cases  map[string]record.Case // of the run, by name
	played map[uint64]int         // the line of each match that was played, by record.Summary.Key
}

// AuditOf returns the audit of a run folder; nil if a path is none.
func AuditOf(umpire *Umpire, dir string) (*Audit, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, nil
	}
	past, err := tournament.ReadPast(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, Mistaken(err)
	}
	a := &Audit{
		Dir: dir, past: past, bots: make(map[standings.Bot]bool), digest: make(map[string]string),
		cases: make(map[string]record.Case), played: make(map[uint64]int),
	}
	if a.game, err = gameOf(umpire, dir, past); err != nil {
		return nil, err
	}
	for _, b := range slices.Concat(past.Info.Earlier, past.Info.Bots) {
		a.bots[standings.Bot{Name: b.Name, Digest: b.Digest}], a.digest[b.Name] = true, b.Digest
	}
	for _, c := range past.Info.CaseSet {
		a.cases[c.Name] = c
	}
	return a, nil
}

// Check returns what is wrong with a record, as one of the run.
func (a *Audit) Check(line record.Line) error {
	r, err := line.Record()
	if err != nil {
		return err
	}
	if r.Game != a.game.Name {
		return fmt.Errorf("game: found %q, the run is of %s", r.Game, a.game.Name)
	}
	if pkg := a.past.Info.Package; !record.SameGame(r.Game, r.Package, r.Game, pkg) {
		return fmt.Errorf("package: found %s, the run is of %s", record.DescribeGame(r.Game, r.Package), record.DescribeGame(r.Game, pkg))
	} else if err := r.Package.Contradicts(pkg, tournament.InfoFile, false); err != nil {
		return err
	}
	for i, s := range r.Seats {
		if s.House {
			return fmt.Errorf("seats[%d].house: found true, the run has no house", i)
		}
		if a.past.Info.Earlier == nil || a.bots[standings.Bot{Name: s.Bot, Digest: s.Digest}] {
			continue
		}
		if digest, ok := a.digest[s.Bot]; ok {
			return fmt.Errorf("seats[%d].digest: found %q for %s, %s has %q", i, s.Digest, s.Bot, tournament.InfoFile, digest)
		}
		return fmt.Errorf("seats[%d].bot: found %q, which is not in %s", i, s.Bot, tournament.InfoFile)
	}
	if err := a.checkCase(r.Case); err != nil {
		return err
	}
	return a.checkOnce(&r, line.Number)
}

// checkOnce returns an error for a line too many: umpire plays a match again only as
// long as it has failed to.
func (a *Audit) checkOnce(r *record.Record, line int) error {
	key := r.Key()
	if first, again := a.played[key]; again && key != 0 {
		return fmt.Errorf("id: the match is already on line %d", first)
	}
	if r.Error == "" {
		a.played[key] = line
	}
	return nil
}

// checkCase returns in what a case differs from that of the run's set.
func (a *Audit) checkCase(c record.Case) error {
	if len(a.cases) == 0 {
		return nil
	}
	want, ok := a.cases[c.Name]
	if !ok {
		return fmt.Errorf("case.name: found %q, which is not in %s", c.Name, tournament.InfoFile)
	}
	for _, f := range []struct {
		name        string
		found, want any
	}{
		{"text", c.Text, want.Text},
		{"group", c.Group, want.Group},
		{"points", c.Points, want.Points},
		{"combine", c.Combine, want.Combine},
		{"baseline", c.Baseline, want.Baseline},
	} {
		if f.found != f.want {
			return fmt.Errorf("case.%s: found %#v, %s has %#v", f.name, f.found, tournament.InfoFile, f.want)
		}
	}
	return nil
}

// End judges the folder, when all of its records have been checked.
func (a *Audit) End(ctx context.Context, files *Files) (result report.FolderVerification, err error) {
	result = report.FolderVerification{Folder: a.Dir, Old: len(a.cases) == 0 || a.past.Info.Earlier == nil}
	file := ResultsIn(a.Dir)
	in, err := files.Open(file)
	if err != nil {
		return result, Mistaken(err)
	}
	defer in.Close()
	want := record.Digest{}
	if d := a.past.Info.Results; d != nil {
		want = *d
	}
	found, all, err := record.Digests(in, want.Lines)
	if err != nil {
		return result, Mistaken(err)
	}
	result.Covered, result.Lines = found.Lines, all.Lines
	switch {
	case found.Lines < want.Lines:
		result.Why = fmt.Sprintf("found %s, %s has the digest of %d", report.Plural(found.Lines, "line"), tournament.InfoFile, want.Lines)
	case want.Lines > 0 && found != want:
		result.Why = fmt.Sprintf("the digest of the first %s is not that in %s: they were changed after the run",
			report.Plural(want.Lines, "line"), tournament.InfoFile)
	}
	if result.Why == "" && len(a.cases) > 0 {
		result.Missing, result.Round, err = a.missing(ctx, files, file)
		if errors.Is(err, context.Canceled) {
			return result, err
		}
		if err != nil {
			result.Why = err.Error()
		}
	}
	result.Valid = result.Why == ""
	return result, nil
}

// missing returns how many matches of the schedule were not played; of a run in
// rounds, of which round.
func (a *Audit) missing(ctx context.Context, files *Files, file string) (missing, round int, err error) {
	run, err := a.past.Recorded(a.game.Rank)
	if err != nil {
		return 0, 0, mistakef("%s: %w", a.Dir, err)
	}
	counter := &matchCounter{}
	run.Runner = counter
	if err := followLooks(run, a.Dir); err != nil {
		return 0, 0, Mistaken(err)
	}
	if err := files.Summaries(file, run.AddPlayed); err != nil {
		return 0, 0, Mistaken(err)
	}
	if err := run.Play(ctx); err != nil && err != errUnplayed {
		return 0, 0, err
	}
	if run.Plan.InRounds() && counter.matches > 0 {
		round = len(run.Rounds) + 1
	}
	return counter.matches, round, nil
}

// matchCounter is a Runner that counts the matches it is given, and plays none.
type matchCounter struct{ matches int }

var errUnplayed = errors.New("there are matches to play")

func (u *matchCounter) Run(_ context.Context, fixtures iter.Seq[arena.Fixture], _ func(int, record.Record) error) error {
	for range fixtures {
		u.matches++
	}
	if u.matches > 0 {
		return errUnplayed
	}
	return nil
}
