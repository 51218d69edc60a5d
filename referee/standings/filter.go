package standings

import (
	"maps"
	"slices"
	"strings"

	"umpire/referee/record"
)

// Filter selects the matches that standings are made of; the zero value selects
// all. Bots are named as in the standings: NAME, or NAME#DIGEST for one of
// several programs of that name, of whose digest the beginning is enough; with
// record.Opponent, what it did as the opponent in tests and scorings.
type Filter struct {
	Bots    []string `json:"bots,omitempty"`    // every one of these has a seat
	Without []string `json:"without,omitempty"` // none of these has a seat
	Cases   []string `json:"cases,omitempty"`   // played on one of these, GROUP/NAME or NAME; empty: on any

	bots  map[Bot]bool         // all bots seen
	cases map[gameWord]string  // by what a user may call them; ambiguous if two of a game share it
	twice map[string][2]string // what may be either of two cases of a game
}

// gameWord is one of the names by which users may refer to a case of a game: see callings.
type gameWord struct{ game, word string }

// Active reports whether the filter may leave a match out.
func (f *Filter) Active() bool { return len(f.Bots)+len(f.Without)+len(f.Cases) > 0 }

// Keep reports whether a match is selected.
func (f *Filter) Keep(b *record.Summary) bool {
	if !f.Active() {
		return true
	}
	var seats []Bot
	for _, s := range b.Seats {
		seats = append(seats, BotOf(s))
	}
	return f.KeepMatch(b.Game, b.Case, seats)
}

// KeepMatch reports whether a match of a game, on the case with this name, is
// selected.
func (f *Filter) KeepMatch(game, name string, seats []Bot) bool {
	if !f.Active() {
		return true
	}
	if f.bots == nil {
		f.bots, f.cases, f.twice = make(map[Bot]bool), make(map[gameWord]string), make(map[string][2]string)
	}
	for _, b := range seats {
		f.bots[b] = true
	}
	f.seeCase(game, name)
	has := func(word string) bool { return slices.ContainsFunc(seats, func(b Bot) bool { return b.Is(word) }) }
	lacks := func(word string) bool { return !has(word) }
	onCase := len(f.Cases) == 0 || slices.ContainsFunc(f.Cases, func(word string) bool { return slices.Contains(callings(name), word) })
	return onCase && !slices.ContainsFunc(f.Bots, lacks) && !slices.ContainsFunc(f.Without, has)
}

// Is reports whether a user's word names the bot.
func (b Bot) Is(word string) bool {
	word, name := record.BotName(word), record.BotName(b.Name)
	if word == name {
		return true
	}
	word, opponent := strings.CutSuffix(word, record.Opponent)
	digest, several := strings.CutPrefix(word, name+"#")
	return (word == name || several && strings.HasPrefix(b.Digest, digest)) && (b.House || !opponent)
}

// callings lists what a user may call a case: by its whole name, without its
// group, and without leading zeros.
func callings(name string) []string {
	short := name[strings.LastIndexByte(name, '/')+1:]
	return []string{name, short, strings.TrimLeft(short, "0")}
}

// seeCase notes a case of a game.
func (f *Filter) seeCase(game, name string) {
	if len(f.Cases) == 0 {
		return
	}
	for _, word := range callings(name) {
		called := gameWord{game, word}
		if other, found := f.cases[called]; found && other != name {
			f.twice[word] = [2]string{other, name}
		}
		f.cases[called] = name
	}
}

// UnknownBots returns, once all matches have been seen, the words for bots that
// name none of them, and the names of all bots.
func (f *Filter) UnknownBots() (words, known []string) {
	names := make(map[string]bool)
	seen := slices.Collect(maps.Keys(f.bots))
	for _, b := range seen {
		names[b.Name] = true
	}
	for _, word := range slices.Concat(f.Bots, f.Without) {
		if !slices.ContainsFunc(seen, func(b Bot) bool { return b.Is(word) }) {
			words = append(words, word)
		}
	}
	return words, slices.Sorted(maps.Keys(names))
}

// UnknownCases is UnknownBots for cases.
func (f *Filter) UnknownCases() (words, known []string) {
	names, called := make(map[string]bool), make(map[string]bool)
	for c, name := range f.cases {
		names[name], called[c.word] = true, true
	}
	for _, word := range f.Cases {
		if !called[word] {
			words = append(words, word)
		}
	}
	return words, slices.Sorted(maps.Keys(names))
}

// Ambiguous returns a word for a case that two cases of a game share, and these
// two; ok is false if there is none.
func (f *Filter) Ambiguous() (word string, either [2]string, ok bool) {
	for _, word := range f.Cases {
		if either, ok := f.twice[word]; ok {
			return word, either, true
		}
	}
	return "", either, false
}
