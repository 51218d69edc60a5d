package standings

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"umpire/protocols"
)

// Sum is how standings of several games are added up.
type Sum string

// The sums.
const (
	// Places adds up a bot's places. Tied bots share the better one. In a game
	// that a bot has not played, it is placed behind all that have.
	Places Sum = "places"
	// Percent adds up what a bot has of the best bot's points, in per cent: match
	// points in games that are ranked by wins, and points in the others; per
	// match where not all have played equally many. It is 0 for a bot that has
	// not played, and never negative.
	Percent Sum = "percent"
)

// Sums lists all sums.
var Sums = []Sum{Places, Percent}

// GameStandings are the standings of one of several games.
type GameStandings struct {
	Game string
	Rank protocols.Rank
	Standings
}

// Combined is the standings of bots over several games. A bot is the same in
// several games if it has the same name.
type Combined struct {
	Sum   Sum           `json:"combine"`
	Games []string      `json:"games"`
	Rows  []CombinedRow `json:"standings"`
}

// CombinedRow is a bot's line of combined standings.
type CombinedRow struct {
	Rank  int        `json:"rank"`
	Tied  bool       `json:"tied"`
	Bot   string     `json:"bot"`
	Total float64    `json:"total"`
	Games []GamePart `json:"games"` // in the order of Combined.Games
}

// GamePart is a bot's result in one of several games.
type GamePart struct {
	Game    string  `json:"game"`
	Played  int     `json:"played"` // matches
	Place   int     `json:"place"`
	Percent float64 `json:"percent"`
}

// Combine adds up the standings of several games.
func Combine(sum Sum, games []GameStandings) Combined {
	c := Combined{Sum: sum}
	bots := make(map[string]bool)
	parts := make([]map[string]GamePart, len(games))
	for i, g := range games {
		c.Games, parts[i] = append(c.Games, g.Game), g.parts()
		for bot := range parts[i] {
			bots[bot] = true
		}
	}
	for bot := range bots {
		row := CombinedRow{Bot: bot}
		for i, g := range games {
			part, played := parts[i][bot]
			if !played {
				part = GamePart{Game: g.Game, Place: len(g.Ranked()) + 1}
			}
			row.Games = append(row.Games, part)
			if sum == Places {
				row.Total += float64(part.Place)
			} else {
				row.Total += part.Percent
			}
		}
		c.Rows = append(c.Rows, row)
	}
	c.order()
	return c
}

// order ranks the rows: the fewest places or the most per cent first.
func (c *Combined) order() {
	better := func(a, b CombinedRow) int {
		// What is left of sums of fractions must not part bots that are equal.
		first, second := math.Round(a.Total*1e6), math.Round(b.Total*1e6)
		if c.Sum == Places {
			return cmp.Compare(first, second)
		}
		return cmp.Compare(second, first)
	}
	slices.SortFunc(c.Rows, func(a, b CombinedRow) int { return cmp.Or(better(a, b), strings.Compare(a.Bot, b.Bot)) })
	for i := range c.Rows {
		row := &c.Rows[i]
		row.Rank = i + 1
		if i > 0 && better(c.Rows[i-1], *row) == 0 {
			row.Rank, row.Tied, c.Rows[i-1].Tied = c.Rows[i-1].Rank, true, true
		}
	}
}

// parts returns what each bot has from the game, by its name.
func (g GameStandings) parts() map[string]GamePart {
	perMatch := func(r Row) float64 { return r.figure(rule(g.Rank)[0]) / float64(max(1, r.Played)) }
	best := 0.0
	for _, r := range g.Ranked() {
		best = max(best, perMatch(r))
	}
	parts := make(map[string]GamePart)
	for _, r := range g.Ranked() {
		part := GamePart{Game: g.Game, Played: r.Played, Place: r.Rank}
		if best > 0 {
			part.Percent = max(0, 100*perMatch(r)/best)
		}
		parts[r.Bot] = part
	}
	return parts
}
