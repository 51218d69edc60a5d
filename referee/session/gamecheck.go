package session

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"umpire/referee/arena"
	"umpire/referee/external"
	"umpire/referee/external/conformance"
	"umpire/referee/program"
)

// GameCheck checks the game of a folder: see package conformance.
type GameCheck struct {
	Umpire  *Umpire
	Machine *Machine
	Dir     string
	Matches int // of random play
	// Begun, if not nil, is called with the game before the first part; Told with each.
	Begun func(*external.Folder)
	Told  func(conformance.Part)
}

// Run runs the check, and reports whether nothing is wrong. An error is about what makes
// it impossible: a manifest that can't be read, a judge that can't be started.
func (k GameCheck) Run(ctx context.Context) (ok bool, err error) {
	f, err := external.Load(ctx, k.Dir)
	if err != nil {
		return false, Mistaken(err)
	}
	f.Draw = k.Umpire.drawer(f)
	shown := *f
	shown.Dir = filepath.Clean(k.Dir)
	launcher, err := k.Machine.Launcher()
	if err != nil {
		return false, err
	}
	resolver, err := k.Machine.Resolver(ctx, k.Umpire, f.Name)
	if err != nil {
		return false, err
	}
	judge := external.Judge{Folder: f, Launcher: launcher}
	if judge.Bot, err = f.Resolve(ctx, resolver); err != nil {
		return false, Mistaken(err)
	}
	bots, err := botsOf(ctx, resolver, f)
	if err != nil {
		return false, err
	}
	suite := conformance.Suite{
		Folder: &shown, Judge: judge, Matches: k.Matches, Jobs: freeCPUs(), Told: k.Told,
	}
	for _, bot := range bots {
		suite.Bots = append(suite.Bots, arena.Program{Bot: bot, Launcher: launcher})
	}
	if k.Begun != nil {
		k.Begun(f)
	}
	if k.Umpire.IsBuiltIn(f.Name) {
		k.Told(conformance.Part{Name: "game", Did: "found " + f.Name, Warnings: []conformance.Finding{{
			What:    fmt.Sprintf("%s is built in: this game can be played by its path alone, and umpire games --add refuses it", f.Name),
			Instead: "another name in `game:` of " + external.ManifestFile,
		}}})
	}
	return suite.Run(ctx)
}

// botsOf makes the bots of a folder, sorted by name but for the house bot, which is the
// first.
func botsOf(ctx context.Context, r program.Resolver, f *external.Folder) ([]program.Bot, error) {
	ownBots(&r, f)
	names := slices.Sorted(maps.Keys(r.Own))
	if house := f.Game().DefaultOpponent; house != "" {
		names = slices.DeleteFunc(names, func(name string) bool { return name == house })
		names = slices.Insert(names, 0, house)
	}
	var entrants []program.Entrant
	for _, name := range names {
		entrants = append(entrants, program.ParseEntrant("", "@"+name))
	}
	bots, err := ResolveAll(ctx, r, entrants, nil)
	return bots, errors.Join(err, Broken(bots), NotJudged(bots))
}
