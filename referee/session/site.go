package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strings"

	"umpire/referee/cases"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/report/html"
	"umpire/referee/scoring"
	"umpire/referee/standings"
)

// Site is a static site of the matches in results files, which are all of one game.
type Site struct {
	html.Site
	Selection
	Names   []string // results files, run folders and "-"
	Folder  *SiteFolder
	Formula string // of submissions' scores; "" is the game's
	Dir     string // folder of the game, whose viewer is shown; "": that of the game that was added, where it has not changed

	pkg    *record.Package // that the site's game is from; nil: it is built in
	counts []int           // records of each file, as the first reading found them
}

// Read reads the records for the first time, by which the site's game is known.
func (s *Site) Read(ctx context.Context) error {
	for i, name := range s.Names {
		if name == "-" {
			if s.Files.kept != nil {
				return mistakef("found - twice: standard input can be read once")
			}
			if err := s.Files.KeepInput(); err != nil {
				return err
			}
		}
		s.Names[i] = ResultsIn(name)
		s.counts = append(s.counts, 0)
		err := s.Files.Summaries(s.Names[i], func(b *record.Summary) error {
			s.counts[i]++
			if err := ctx.Err(); err != nil {
				return err
			}
			return s.count(s.Names[i], b)
		})
		if err != nil {
			return Mistaken(err)
		}
	}
	if err := s.Selection.Check(); err != nil {
		return err
	}
	switch {
	case s.Matches() > 0:
		return nil
	case s.Filter.Active():
		return mistakef("found no match%s", strings.TrimPrefix(s.Selected(), ","))
	}
	return mistakef("found no records in %s", s.Names[0])
}

// Own reports whether the site's game is of its author's own, and not built in.
func (s *Site) Own() bool { return s.pkg != nil }

// GameWord is how a command names the site's game; "": it is of its author's own, and its
// folder is not known.
func (s *Site) GameWord(ctx context.Context) string {
	if s.pkg == nil {
		return s.Game.Name
	}
	if f, err := s.Umpire.folderOf(ctx, s.Dir, s.Game.Name, s.pkg.Digest, "records"); f == nil || err != nil {
		return ""
	}
	return cmp.Or(s.Dir, s.Game.Name)
}

// count counts a record in the first reading.
func (s *Site) count(file string, b *record.Summary) error {
	keeps, err := s.Keeps(file, b)
	switch {
	case err != nil:
		return err
	case !keeps:
		return s.Skip(b)
	case s.Game.Name == "":
		if s.Game, err = record.GameOf(s.Umpire.Games, b.Game, b.Package); err != nil {
			return fmt.Errorf("%s:%d: %w", file, b.Line, err)
		}
		s.pkg = b.Package
	case !record.SameGame(b.Game, b.Package, s.Game.Name, s.pkg):
		return mistakef("%s: found records of %s and %s, expected one game", file, record.DescribeGame(s.Game.Name, s.pkg), record.DescribeGame(b.Game, b.Package))
	}
	if s.Formula != "" && len(b.Seats) > 1 && !slices.ContainsFunc(b.Seats, func(one record.SummarySeat) bool { return one.House }) {
		return mistakef("--formula: %s has matches between contestants, and points by a formula are for those of umpire score; leave it out", file)
	}
	if err := b.Package.Contradicts(s.pkg, "another record", false); err != nil {
		return mistakef("%s:%d: %w", file, b.Line, err)
	}
	if err := s.Add(b); err != nil {
		return fmt.Errorf("%s:%d: %w", file, b.Line, err)
	}
	run, err := s.Run(file)
	if run != nil {
		run.Follow(b)
	}
	return err
}

// Make reads the records again, and puts the site in the place of an earlier one.
func (s *Site) Make(ctx context.Context) error {
	if err := s.Folder.Begin(); err != nil {
		return mistakef("-o: %w", err)
	}
	s.Games, s.Folder.of = s.Umpire.Games, s.Names
	if err := s.readViewer(ctx); err != nil {
		return err
	}
	var run *recordedRun
	if len(s.Names) == 1 {
		var err error
		if run, err = s.Run(s.Names[0]); err != nil {
			return err
		}
	}
	s.View = func(t *standings.Tally) report.Standings {
		s.expect(t, run)
		v, _ := s.view(run, s.Game, t)
		return v
	}
	s.Score = func(found []cases.Case, results *scoring.Results) (scoring.Scores, error) {
		return s.score(ctx, found, results)
	}
	s.Create = func(name string) (io.WriteCloser, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return s.Folder.Create(name)
	}
	err := s.Write(s.lines())
	if err == nil {
		err = s.Folder.Commit()
	}
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("write report: %w", err)
	}
	return err
}

// readViewer reads the viewer of the site's game, if its folder is at hand.
func (s *Site) readViewer(ctx context.Context) error {
	if s.pkg == nil {
		if s.Dir != "" {
			return mistakef("--game %s: found records of %s, which is built in", s.Dir, s.Game.Name)
		}
		return nil
	}
	f, err := s.Umpire.folderOf(ctx, s.Dir, s.Game.Name, s.pkg.Digest, "records")
	if f == nil || err != nil {
		return err
	}
	s.Viewer, err = f.Viewer(ctx)
	return err
}

// lines yields the records that were counted; a file may have grown since, and end
// with a line that is cut off.
func (s *Site) lines() iter.Seq2[record.Line, error] {
	return func(yield func(record.Line, error) bool) {
		for i, name := range s.Names {
			left := s.counts[i]
			for line, err := range s.Files.Lines([]string{name}) {
				if left == 0 {
					break
				}
				if left--; !yield(line, err) || err != nil {
					return
				}
			}
		}
	}
}

// score scores the submissions, by the game's standard cases where the records are
// of them.
func (s *Site) score(ctx context.Context, found []cases.Case, results *scoring.Results) (scores scoring.Scores, err error) {
	task := scoring.Task{}
	if task.Formula, err = scoring.Compile(cmp.Or(s.Formula, s.Game.Formula)); err != nil {
		return scores, fmt.Errorf("formula: %w", err)
	}
	standard, err := s.Umpire.CaseSource(ctx).Whole(s.Game, cases.Choice{})
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, cases.ErrNoSet) { // a game may have no standard cases, or its folder is not here
		return scores, err
	}
	if task.Set, err = standard.Match(s.Game, found); err != nil {
		return scores, err
	}
	return task.Score(results)
}
