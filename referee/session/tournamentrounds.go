package session

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"

	"umpire/protocols"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/tournament"
)

// recordedRun is the tournament of a run folder, as its records tell it.
type recordedRun = tournament.Run

// followLooks has a run follow the decisions that are recorded in its folder.
func followLooks(run *tournament.Run, dir string) error {
	if run.Adaptive == nil {
		return nil
	}
	looks, err := tournament.ReadLooks(dir)
	run.Record(looks)
	return err
}

// showRounds adds the rounds of a run, if it is played in rounds, to its standings, or how
// far its order is decided.
func showRounds(v *report.Standings, run *tournament.Run) {
	if a := run.Adaptive; a != nil && len(run.Bots) > 1 {
		decision, pairs := run.Ended()
		v.Until = report.NewUntil(a.Until, decision, pairs, run.Order(), func(bot int) string { return run.Bots[bot].Name })
	}
	if b, ok := run.Bracket(); ok {
		v.ShowBracket(b)
	} else if run.Plan.Format == tournament.Swiss {
		name := func(bot int) string { return run.Bots[bot].Name }
		v.ShowSwiss(report.Encounters(run.Meetings(), name, 2*len(run.Plan.Plays), run.Plan.Rank))
	}
}

// recorded returns the tournament whose results a file holds; nil if it is of none, or
// that can't be read.
func recorded(u *Umpire, files *Files, file string) (*recordedRun, error) {
	if !record.IsResultsName(file) {
		return nil, nil
	}
	past, err := tournament.ReadPast(filepath.Dir(file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var run *recordedRun
	if err == nil {
		game, unknown := gameOf(u, filepath.Dir(file), past)
		if unknown != nil {
			return nil, unknown
		}
		if run, err = past.Recorded(game.Rank); err == nil {
			err = followLooks(run, filepath.Dir(file))
		}
	}
	if err != nil {
		files.Notice("umpire: every record counts, whatever the tournament: %v\n", err)
		return nil, nil
	}
	if !run.Plan.InRounds() {
		return run, nil
	}
	in, err := files.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	_, err = record.Summaries(file, in, runtime.GOMAXPROCS(0), run.AddPlayed)
	return run, errors.Join(err, run.Recount())
}

// gameOf finds the game of the tournament in a folder.
func gameOf(u *Umpire, dir string, past *tournament.Past) (protocols.Game, error) {
	g, err := record.GameOf(u.Games, past.Info.Game, past.Info.Package)
	if err != nil {
		err = mistakef("%s: %w", filepath.Join(dir, tournament.InfoFile), err)
	}
	return g, err
}

// renewDigest renews the digest of the results in the description of a run, unless lines have
// changed, other than by being withdrawn.
func renewDigest(dir string, withdrawn bool) (changed bool, err error) {
	if changed, err = tournament.RenewDigest(dir, withdrawn); err != nil {
		err = fmt.Errorf("renew the digest of the results: %w", err)
	}
	return changed, err
}
