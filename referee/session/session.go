// Package session says what umpire does when it is asked for something: a test, a
// match, a scoring, a tournament, the standings of results. Each is a value that
// says everything about it, and running it returns its result. The package knows
// no flags, prints nothing and has no terminal: what is worth telling meanwhile
// goes to functions of the value.
package session

import (
	"io"
	"io/fs"

	"umpire/protocols"
	"umpire/referee/external"
	"umpire/referee/external/problem"
)

// Umpire is what umpire itself brings along.
type Umpire struct {
	Games   []protocols.Game
	Bots    []string          // names of the built-in bots in full, game/name
	Steady  map[string]Steady // built-in bots whose replies depend on what they read alone, by their names in full
	Cases   fs.FS             // standard cases: GAME/GROUP/NAME.txt
	Path    string            // its executable, which also runs the built-in bots
	Release string            // version, which is part of the digest of built-in bots
	Version string            // version and revision, for records
	Machine *Machine          // where the generators of games in folders run; nil: nowhere
	Reading Reading           // of paths that are given for games

	folders  map[string]*external.Folder // games that were found in folders, by name and by path
	problems map[string]*problem.Problem // problem packages, likewise
	unpacked map[string]string           // archives, by the folders that they were unpacked to
}

// Steady plays a match as a built-in bot does, until it is over or the input ends.
type Steady func(game string, seat, seats int, in io.Reader, out io.Writer) error

// HasBot reports whether a game has a built-in bot of a name.
func (u *Umpire) HasBot(game, name string) bool {
	for _, b := range u.Bots {
		if b == game+"/"+name {
			return true
		}
	}
	return false
}
