// Package session says what umpire does when it is asked for something: a test, a
// match, a scoring, a tournament, the standings of results. Each is a value that
// says everything about it, and running it returns its result. The package knows
// no flags, prints nothing and has no terminal: what is worth telling meanwhile
// goes to functions of the value.
package session

import (
	"io"
	"io/fs"
	"sync"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/external/lone"
	"umpire/referee/program/build"
	"umpire/referee/sandbox"
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

	own      map[string]ownGame // games that are not built in, by name and by path
	unpacked map[string]string  // archives, by the folders that they were unpacked to
}

// Steady plays a match as a built-in bot does, until it is over or the input ends.
type Steady func(game string, seat, seats int, in io.Reader, out io.Writer) error

// Machine says how programs run on this machine. Its launcher is determined when
// it is first needed, since that may start processes.
type Machine struct {
	Level     referee.Level  // of isolation, at least; "" or auto: the strongest there is
	Languages string         // a file with rows of the language table; "" if there is none
	Claims    *arena.Claims  // of processors
	Stalls    referee.Stalls // of umpire itself; nil: unknown
	Trust     *build.Trust   // in builds that are in the cache
	Trusting  bool           // run programs of archives also where isolation is weak
	Tell      Tell

	once     sync.Once
	launcher sandbox.Launcher
	err      error
}

// Tell is told what is worth telling while something is done. Both functions must
// be set; calls may be concurrent.
type Tell struct {
	Warn func(format string, args ...any) // what the user has to know
	Note func(format string, args ...any) // what somebody who watches may want to know
}

// Reading says how a path that is given for a game is read.
type Reading struct {
	Format string // name of a format of folders; "": the first whose marker is there
	// Judge, if its command is not "", judges cases that lie in the path.
	Judge LoneJudge
}

// LoneJudge is a judge without a package.
type LoneJudge = lone.Judge

// JudgeFormatNames are the formats that a lone judge may have.
func JudgeFormatNames() []string { return lone.FormatNames() }
