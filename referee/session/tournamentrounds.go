package session

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"umpire/protocols"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/standings"
	"umpire/referee/tournament"
)

// Rounds are those of the run whose results a file holds, if it is played in
// rounds.
type Rounds struct {
	isKnockout bool
	knockout   standings.Knockout
	swiss      *tournament.RecordedSwiss // nil if it is none
}

// RoundsOf returns the rounds of the run whose results a file holds; without
// any, if it belongs to no run.
func (f *Files) RoundsOf(file string) (r Rounds) {
	if strings.TrimSuffix(filepath.Base(file), record.CompressedSuffix) != record.ResultsFile {
		return r
	}
	past, err := tournament.ReadPast(filepath.Dir(file))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		f.Notice("umpire: without the rounds, if it was played in rounds: %v\n", err)
	default:
		r.knockout, r.isKnockout = past.Knockout()
		r.swiss = past.Swiss()
	}
	return r
}

// gameOfRun names the game of the run whose results a file holds; "" if it
// belongs to no run.
func gameOfRun(file string) string {
	if strings.TrimSuffix(filepath.Base(file), record.CompressedSuffix) != record.ResultsFile {
		return ""
	}
	_, info, err := tournament.Before(filepath.Dir(file))
	if err != nil {
		return ""
	}
	return info.Game
}

// Add adds a match that counts.
func (r Rounds) Add(b *record.Summary) {
	if r.swiss != nil {
		r.swiss.Add(b)
	}
}

// View adds the rounds to standings, of which it also returns the JSON form.
func (r Rounds) View(game protocols.Game, t *standings.Tally) (report.Standings, report.StandingsJSON) {
	v, result := report.Standings{Game: game}, report.StandingsJSON{Game: game.Name}
	var order *standings.Ordering
	switch {
	case r.isKnockout:
		b := t.Bracket(r.knockout)
		order = b.Ordering()
		v.ShowBracket(b)
		result.Format, result.RoundsJSON = string(tournament.Knockout), report.BracketJSON(b)
	case r.swiss != nil:
		done, running := r.swiss.Rounds(game.Rank)
		order = r.swiss.Ordering(game.Rank, done)
		if running != nil {
			done = append(done, running)
		}
		name := func(bot int) string { return r.swiss.Bots[bot].Name }
		result.Format, result.Rounds = string(tournament.Swiss), report.Encounters(done, name, r.swiss.Matches, game.Rank)
		v.ShowSwiss(result.Rounds)
	}
	result.Standings = t.Standings(order)
	v.Of = &result.Standings
	return v, result
}
