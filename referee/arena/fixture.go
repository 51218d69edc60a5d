// Package arena plays matches: it seats players, has a conductor lead them, and
// makes the record of each. A Runner plays many matches concurrently, each with
// its own processor. The package knows only what protocols says about all
// games, and nothing of tournaments or scores.
package arena

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
	"time"

	"umpire/referee"
	"umpire/referee/record"
)

// Fixture is one match to be played. It is plain data, and can be sent to
// another machine.
type Fixture struct {
	Game       string        `json:"game"`
	Case       record.Case   `json:"case"`
	Seats      []Seat        `json:"seats"`     // seat 1 first
	Limits     record.Limits `json:"limits"`    // including the pondering policy
	Isolation  string        `json:"isolation"` // level; "" means the runner's
	Repetition int           `json:"repetition"`
	// Package is the folder that the game is from; nil: it is built in. Random says
	// that its judge draws, by Seed, the case and the repetition.
	Package *record.Package `json:"package,omitempty"`
	Random  bool            `json:"random,omitempty"`
	Seed    uint64          `json:"seed,omitempty,string"`
	// Want lists which of svg, state and value the judge need not leave out. Blame says
	// that a seat after whose reply it errs has lost.
	Want  []string `json:"want,omitempty"`
	Blame bool     `json:"blame,omitempty"`
	Scale float64  `json:"scale,omitempty"` // of the limits; 0 is 1: see record.Record
}

// Seat is the player for a seat.
type Seat struct {
	Bot    string `json:"bot"`    // name in the record
	Digest string `json:"digest"` // by which a runner finds the player
	House  bool   `json:"house"`  // a built-in bot that takes a free seat
	// Kind is remote or human for a player from outside, and Guest the name by
	// which it is known.
	Kind  string `json:"kind,omitempty"`
	Guest string `json:"guest,omitempty"`
}

// Bots returns the names of the players, seat 1 first.
func (f Fixture) Bots() []string {
	names := make([]string, len(f.Seats))
	for i, s := range f.Seats {
		names[i] = s.Bot
	}
	return names
}

// MatchSeed returns the seed that the match's judge draws by: the same for all orders of
// seats; 0 where nothing is drawn.
func (f Fixture) MatchSeed() uint64 {
	if !f.Random {
		return 0
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %d %s", f.Seed, max(1, f.Repetition), f.Case.Text))
	return max(1, binary.BigEndian.Uint64(sum[:]))
}

// Record returns the record of the match as known before it is played,
// including its id.
func (f Fixture) Record() record.Record {
	r := record.Record{
		V: record.Version, Game: f.Game, Isolation: f.Isolation, Repetition: f.Repetition, Case: f.Case, Limits: f.Limits, Scale: f.Scale,
		Seats: make([]record.Seat, len(f.Seats)), Package: f.Package,
	}
	if seed := f.MatchSeed(); seed != 0 {
		r.Seed = strconv.FormatUint(seed, 10)
	}
	for i, s := range f.Seats {
		r.Seats[i] = record.Seat{Bot: s.Bot, Digest: s.Digest, House: s.House, Kind: s.Kind}
	}
	r.ID = r.Identity()
	return r
}

// Failed returns the record of a match that umpire, of a version, could not play, and why.
func (f Fixture) Failed(version string, why error, now time.Time) record.Record {
	r := f.Record()
	r.Umpire = version
	r.Finish(referee.Result{}, why, now, 0)
	return r
}
