package cli

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

// tallies adds up the records of results files, game by game.
type tallies struct {
	*app
	filter standings.Filter
	sum    standings.Sum // how several games are added up; "": one game is expected
	files  []string      // as read
	games  []*gameTally  // in the order in which they were found
}

// gameTally is the tally of one game.
type gameTally struct {
	game   protocols.Game
	tally  *standings.Tally
	files  []string // that hold records of the game
	rounds          // of the first of files
}

// read adds the records of a file.
func (t *tallies) read(file string) error {
	t.files = append(t.files, file)
	var g *gameTally // of the last record
	err := t.briefs(file, func(b *record.Summary) (err error) {
		if g == nil || g.game.Name != b.Game {
			if g, err = t.of(b.Game, file); err != nil {
				return err
			}
		}
		if n := len(b.Seats); n < g.game.MinSeats || n > g.game.MaxSeats {
			return usagef("%s: found a record with %s, %s has %s", file, report.Plural(n, "seat"), g.game.Name, g.game.SeatRange())
		}
		if t.filter.Keep(b) && g.tally.Add(b) {
			g.add(b)
		}
		return nil
	})
	if game := gameOfRun(file); g == nil && err == nil && game != "" {
		_, err = t.of(game, file) // none of its matches has ended
	}
	return err
}

// of returns the tally of a game, of which a file holds records.
func (t *tallies) of(name, file string) (*gameTally, error) {
	i := slices.IndexFunc(t.games, func(g *gameTally) bool { return g.game.Name == name })
	if i < 0 {
		game, err := t.game(name)
		if err != nil {
			return nil, err
		}
		if len(t.games) > 0 && t.sum == "" {
			return nil, usagef("%s: found records of %s and %s, expected one game; --combine places or --combine percent adds up several",
				file, t.games[0].game.Name, game.Name)
		}
		i = len(t.games)
		t.games = append(t.games, &gameTally{game: game, tally: standings.NewTally(game.Rank), rounds: t.roundsOf(file)})
	}
	g := t.games[i]
	if !slices.Contains(g.files, file) {
		g.files = append(g.files, file)
	}
	return g, nil
}

// check returns an error if there is nothing to show, or if what is to be left
// out or picked is not there.
func (t *tallies) check() error {
	if len(t.games) == 0 {
		return usagef("found no records in %s", strings.Join(t.files, ", "))
	}
	if words, known := t.filter.UnknownBots(); len(words) > 0 {
		return usagef("unknown bot %q%s", words[0], suggest.DidYouMean(words[0], known, listed("bot", known)))
	}
	if words, known := t.filter.UnknownCases(); len(words) > 0 {
		return usagef("--case: unknown case %q%s", words[0], suggest.DidYouMean(words[0], known, listed("case", known)))
	}
	if word, either, ok := t.filter.Ambiguous(); ok {
		return usagef("--case: found %q, which may be %s or %s", word, either[0], either[1])
	}
	if !t.filter.Active() {
		return nil
	}
	for _, g := range t.games {
		if g.tally.Matches+g.tally.Failed > 0 {
			return nil
		}
	}
	return usagef("found no match%s", strings.TrimPrefix(t.selected(), ","))
}

// selected says which matches count, as the end of a heading.
func (t *tallies) selected() string {
	var parts []string
	add := func(what string, words []string) {
		if len(words) > 0 {
			parts = append(parts, what+" "+strings.Join(words, ", "))
		}
	}
	add("with", t.filter.Bots)
	add("without", t.filter.Without)
	add("on", t.filter.Cases)
	if len(parts) == 0 {
		return ""
	}
	return ", " + strings.Join(parts, ", ")
}

// filterJSON is the filter as JSON shows it; nil if all matches count.
func (t *tallies) filterJSON() *standings.Filter {
	if !t.filter.Active() {
		return nil
	}
	return &t.filter
}

// view returns the standings of a game; with their rounds, if they are those of
// a whole run.
func (t *tallies) view(g *gameTally) (report.Standings, report.StandingsJSON) {
	r := g.rounds
	if len(g.files) > 1 || t.filter.Active() {
		r = rounds{}
	}
	v, result := r.show(g.game, g.tally)
	result.Filter = t.filterJSON()
	v.Title = fmt.Sprintf("%s: %s, %s%s", g.game.Title, report.Plural(len(v.Of.Rows), "bot"), report.Plural(v.Of.Matches, "match"), t.selected())
	if result.Format != "" {
		v.Title += ", " + result.Format
	}
	return v, result
}

// listed lists the known names of a thing, or the first of many.
func listed(thing string, known []string) string {
	const most = 12
	if len(known) == 0 {
		return "there are no " + thing + "s yet"
	}
	if len(known) > most {
		return "there are " + report.Plural(len(known), thing) + ": " + strings.Join(known[:most], ", ") + " …"
	}
	return "the " + thing + "s are " + strings.Join(known, ", ")
}
