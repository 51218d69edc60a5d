package analysis

import (
	"cmp"
	"maps"
	"slices"

	"umpire/referee/record"
)

// maxWorst is how many moves, and how many failures, a Tally keeps of each bot.
const maxWorst = 5

// Tally adds up analyses by game and bot. It keeps the worst moves and the
// costliest failures of each bot alone, so it does not grow with the matches.
type Tally struct {
	Matches int
	bots    map[identity]*Bot
	names   record.BotNames
}

// identity is a bot in a game; two programs of the same name are kept apart, and so is
// what a bot did as the opponent in tests and scorings.
type identity struct {
	game, name, digest string
	house              bool
}

// Bot is how a bot replied in all its matches of a game.
type Bot struct {
	Game    string  `json:"game"`
	Bot     string  `json:"bot"` // its name; of those that Bots lists, what it is called
	Digest  string  `json:"digest,omitempty"`
	House   bool    `json:"house,omitempty"` // as the opponent in tests and scorings
	Unit    string  `json:"unit"`
	Method  string  `json:"method"`
	Scores  bool    `json:"scores"`
	Exact   bool    `json:"exact"`
	Alone   bool    `json:"-"` // its matches have one seat
	Classes Classes `json:"classes"`
	Matches int     `json:"matches"` // seats that it took
	Sum
	Worst    []Worst        `json:"worst,omitempty"`    // the moves that lost most, at most 5
	Failed   int            `json:"failed"`             // failures, also those of which the cost is not known
	Cost     float64        `json:"cost"`               // of failures, apart from Lost
	Failures []WorstFailure `json:"failures,omitempty"` // the costliest ones, at most 5
}

// At is where a move is recorded.
type At struct {
	File string `json:"file,omitempty"` // as the user named it
	ID   string `json:"id"`
	Name string `json:"name,omitempty"` // of the match; "": its id
	Case string `json:"case"`

	Number int            `json:"-"` // of the match among all; 0: none
	Link   string         `json:"-"` // to its replay; "": there is none
	Record *record.Record `json:"-"` // nil: it is not kept
}

// Worst is a move with its record, the first of those with it.
type Worst struct {
	At
	Move
	Times int `json:"times"` // how often the bot gave this reply in this position
}

// WorstFailure is a failure with its record.
type WorstFailure struct {
	At
	Failure
}

// NewTally makes an empty tally.
func NewTally() *Tally { return &Tally{bots: make(map[identity]*Bot)} }

// Bots lists the bots, those of one game together, the one that lost least for
// each choice first.
func (t *Tally) Bots() []*Bot {
	for id, b := range t.bots {
		b.Bot = t.names.Of(id.game, id.name, id.digest, id.house)
	}
	return slices.SortedFunc(maps.Values(t.bots), func(a, b *Bot) int {
		return cmp.Or(cmp.Compare(a.Game, b.Game), cmp.Compare(a.Mean, b.Mean), cmp.Compare(a.Bot, b.Bot), cmp.Compare(a.Digest, b.Digest))
	})
}

// Add adds the analysis of a record. Where it is from, the caller may know.
func (t *Tally) Add(m *Match, at At) {
	t.Matches++
	at.ID, at.Name, at.Case = m.ID, m.Name, m.Case
	for _, s := range m.Seats {
		t.names.Add(m.Game, s.Bot, s.Digest, s.House)
		if !s.Analysed {
			continue
		}
		b := t.bot(m, s)
		b.Matches++
		b.add(s.Sum)
		for _, move := range m.Moves {
			if move.Seat == s.Seat {
				b.move(at, move)
			}
		}
		for _, f := range m.Failures {
			if f.Seat == s.Seat {
				b.failure(at, f)
			}
		}
	}
}

// Bot returns a bot of a game; nil if none of its moves was added.
func (t *Tally) Bot(game, name, digest string, house bool) *Bot {
	return t.bots[identity{game, name, digest, house}]
}

func (t *Tally) bot(m *Match, s Seat) *Bot {
	id := identity{m.Game, s.Bot, s.Digest, s.House}
	b, ok := t.bots[id]
	if !ok {
		b = &Bot{Game: m.Game, Bot: s.Bot, Digest: s.Digest, House: s.House, Unit: m.Unit, Method: m.Method, Scores: m.Scores, Exact: true, Alone: len(m.Seats) == 1, Classes: m.Classes}
		t.bots[id] = b
	}
	return b
}

func (b *Bot) move(at At, m Move) {
	b.Exact = b.Exact && m.Exact
	if m.Lost == 0 {
		return
	}
	for i := range b.Worst {
		if w := &b.Worst[i]; w.before == m.before && w.Seat == m.Seat && w.Reply == m.Reply {
			w.Times++
			return
		}
	}
	b.Worst = keep(b.Worst, Worst{at, m, 1}, func(a, b Worst) int {
		return cmp.Or(cmp.Compare(a.ResultLost, b.ResultLost), cmp.Compare(a.Lost, b.Lost))
	})
}

func (b *Bot) failure(at At, f Failure) {
	b.Failed++
	if f.Expected != nil {
		b.Exact = b.Exact && f.Exact
	}
	if f.Cost != nil {
		b.Cost = round(b.Cost + *f.Cost)
	}
	cost := func(w WorstFailure) float64 {
		if w.Cost == nil {
			return 0
		}
		return *w.Cost
	}
	b.Failures = keep(b.Failures, WorstFailure{at, f}, func(a, b WorstFailure) int { return cmp.Compare(cost(a), cost(b)) })
}

// keep adds one to a list of at most maxWorst, the greatest first; of equals the
// earlier one stays.
func keep[T any](list []T, one T, compare func(a, b T) int) []T {
	list = append(list, one)
	slices.SortStableFunc(list, func(a, b T) int { return compare(b, a) })
	return list[:min(len(list), maxWorst)]
}
