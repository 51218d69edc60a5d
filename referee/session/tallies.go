package session

import (
	"fmt"
	"slices"
	"strings"

	"umpire/protocols"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/standings"
	"umpire/referee/suggest"
)

// Tallies adds up the records of results files, game by game.
type Tallies struct {
	Umpire *Umpire
	Files  *Files
	Filter standings.Filter
	Sum    standings.Sum // how several games are added up; "": one game is expected
	Games  []*GameTally  // in the order in which they were found

	read []string // files
}

// GameTally is the tally of one game.
type GameTally struct {
	Game  protocols.Game
	Files []string // that hold records of the game

	tally  *standings.Tally
	rounds Rounds // of the first of Files
}

// Read adds the records of a file.
func (t *Tallies) Read(file string) error {
	t.read = append(t.read, file)
	var g *GameTally // of the last record
	err := t.Files.Summaries(file, func(b *record.Summary) (err error) {
		if g == nil || g.Game.Name != b.Game {
			if g, err = t.of(b.Game, file); err != nil {
				return err
			}
		}
		if n := len(b.Seats); n < g.Game.MinSeats || n > g.Game.MaxSeats {
			return mistakef("%s: found a record with %s, %s has %s", file, report.Plural(n, "seat"), g.Game.Name, g.Game.SeatRange())
		}
		if t.Filter.Keep(b) && g.tally.Add(b) {
			g.rounds.Add(b)
		}
		return nil
	})
	if game := gameOfRun(file); g == nil && err == nil && game != "" {
		_, err = t.of(game, file) // none of its matches has ended
	}
	return err
}

// of returns the tally of a game, of which a file holds records.
func (t *Tallies) of(name, file string) (*GameTally, error) {
	i := slices.IndexFunc(t.Games, func(g *GameTally) bool { return g.Game.Name == name })
	if i < 0 {
		game, err := t.Umpire.Game(name)
		if err != nil {
			return nil, err
		}
		if len(t.Games) > 0 && t.Sum == "" {
			return nil, mistakef("%s: found records of %s and %s, expected one game; --combine places or --combine percent adds up several",
				file, t.Games[0].Game.Name, game.Name)
		}
		i = len(t.Games)
		t.Games = append(t.Games, &GameTally{Game: game, tally: standings.NewTally(game.Rank), rounds: t.Files.RoundsOf(file)})
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
	if words, known := t.Filter.UnknownBots(); len(words) > 0 {
		return mistakef("unknown bot %q%s", words[0], suggest.DidYouMean(words[0], known, listed("bot", known)))
	}
	if words, known := t.Filter.UnknownCases(); len(words) > 0 {
		return mistakef("--case: unknown case %q%s", words[0], suggest.DidYouMean(words[0], known, listed("case", known)))
	}
	if word, either, ok := t.Filter.Ambiguous(); ok {
		return mistakef("--case: found %q, which may be %s or %s", word, either[0], either[1])
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

// Selected says which matches count, as the end of a heading.
func (t *Tallies) Selected() string {
	var parts []string
	add := func(what string, words []string) {
		if len(words) > 0 {
			parts = append(parts, what+" "+strings.Join(words, ", "))
		}
	}
	add("with", t.Filter.Bots)
	add("without", t.Filter.Without)
	add("on", t.Filter.Cases)
	if len(parts) == 0 {
		return ""
	}
	return ", " + strings.Join(parts, ", ")
}

// FilterJSON is the filter as JSON shows it; nil if all matches count.
func (t *Tallies) FilterJSON() *standings.Filter {
	if !t.Filter.Active() {
		return nil
	}
	return &t.Filter
}

// View returns the standings of a game; with their rounds, if they are those of
// a whole run.
func (t *Tallies) View(g *GameTally) (report.Standings, report.StandingsJSON) {
	r := g.rounds
	if len(g.Files) > 1 || t.Filter.Active() {
		r = Rounds{}
	}
	v, result := r.View(g.Game, g.tally)
	result.Filter = t.FilterJSON()
	v.Title = fmt.Sprintf("%s: %s, %s%s", g.Game.Title, report.Plural(len(v.Of.Rows), "bot"), report.Plural(v.Of.Matches, "match"), t.Selected())
	if result.Format != "" {
		v.Title += ", " + result.Format
	}
	return v, result
}
