package session

import (
	"slices"
	"strings"

	"umpire/protocols"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/standings"
)

// Tallies adds up the records of results files, game by game.
type Tallies struct {
	Selection
	Sum   standings.Sum // how several games are added up; "": one game is expected
	Games []*GameTally  // in the order in which they were found

	read []string // files
}

// GameTally is the tally of one game.
type GameTally struct {
	Game    protocols.Game
	Package *record.Package // that the game is from; nil: it is built in
	Files   []string        // that hold records of the game

	tally *standings.Tally
	run   *recordedRun // of the first of Files; nil if it is of no tournament
}

// Read adds the records of a file.
func (t *Tallies) Read(file string) error {
	t.read = append(t.read, file)
	run, err := t.Run(file)
	if err != nil {
		return err
	}
	var g *GameTally // of the last record
	if run != nil {
		if g, err = t.of(&record.Summary{Game: run.Cases[0].Game, Package: run.Cases[0].Package}, file, run); err != nil {
			return err
		}
	}
	return t.Files.Summaries(file, func(b *record.Summary) (err error) {
		keeps, err := t.Keeps(file, b)
		if err != nil {
			return err
		}
		if run != nil && !keeps {
			return nil
		}
		if g == nil || !record.SameGame(g.Game.Name, g.Package, b.Game, b.Package) {
			if g, err = t.of(b, file, run); err != nil {
				return err
			}
		}
		if err := b.Package.Contradicts(g.Package, "another record", false); err != nil {
			return mistakef("%s:%d: %w", file, b.Line, err)
		}
		if n := len(b.Seats); n < g.Game.MinSeats || n > g.Game.MaxSeats {
			return mistakef("%s:%d: found a record with %s, %s has %s", file, b.Line, report.Plural(n, "seat"), g.Game.Name, g.Game.SeatRange())
		}
		if keeps {
			g.tally.Add(b)
			if run != nil {
				run.Follow(b)
			}
		}
		return nil
	})
}

// of returns the tally of the game of a record in a file, whose records are those of a run
// if that is not nil.
func (t *Tallies) of(b *record.Summary, file string, run *recordedRun) (*GameTally, error) {
	i := slices.IndexFunc(t.Games, func(g *GameTally) bool { return record.SameGame(g.Game.Name, g.Package, b.Game, b.Package) })
	if i < 0 {
		game, err := record.GameOf(t.Umpire.Games, b.Game, b.Package)
		if err != nil {
			return nil, mistakef("%s:%d: %w", file, b.Line, err)
		}
		if len(t.Games) > 0 && t.Sum == "" {
			return nil, mistakef("%s: found records of %s and %s, expected one game; --combine places or --combine percent adds up several",
				file, record.DescribeGame(t.Games[0].Game.Name, t.Games[0].Package), record.DescribeGame(game.Name, b.Package))
		}
		i = len(t.Games)
		g := &GameTally{Game: game, Package: b.Package, tally: standings.NewTally(game.Rank), run: run}
		t.expect(g.tally, run)
		t.Games = append(t.Games, g)
	}
	g := t.Games[i]
	if !slices.Contains(g.Files, file) {
		g.Files = append(g.Files, file)
	}
	return g, nil
}

// Check returns an error if there is nothing to show, or if what is to be left
// out or picked is not there.
func (t *Tallies) Check() error {
	if len(t.Games) == 0 {
		return mistakef("found no records in %s", strings.Join(t.read, ", "))
	}
	if err := t.Selection.Check(); err != nil {
		return err
	}
	if !t.Filter.Active() {
		return nil
	}
	for _, g := range t.Games {
		if g.tally.Matches+g.tally.Failed > 0 {
			return nil
		}
	}
	return mistakef("found no match%s", strings.TrimPrefix(t.Selected(), ","))
}

// View returns the standings of a game; with their rounds, if they are those of
// a whole run.
func (t *Tallies) View(g *GameTally) (report.Standings, *report.StandingsJSON) {
	run := g.run
	if len(g.Files) > 1 {
		run = nil
	}
	v, result := t.view(run, g.Game, g.tally)
	v.Title = t.title(g.Game.Title, v.Of)
	if result.Format != "" {
		v.Title += ", " + result.Format
	}
	return v, result
}
