package remote

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"umpire/referee"
	"umpire/referee/record"
)

// Kinds of players from outside.
const (
	Program = record.KindRemote // a program, which joins with its player's key
	Human   = record.KindHuman  // a person, who follows a link; never charged for time
)

// Digest is the digest of a player in records. It covers nothing of how the
// player plays, which umpire can't know.
func Digest(kind, name string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d:%s,%d:%s,", len(kind), kind, len(name), name))
	return hex.EncodeToString(sum[:16])
}

// Player is a player from outside.
type Player struct {
	Hub   *Hub
	Kind  string // Program or Human
	Guest string // the player's name
	Name  string // name in records: Guest, unless the user has chosen another
	Label string // how the user named it
}

// Identity implements referee.Player.
func (p Player) Identity() referee.Identity {
	return referee.Identity{Name: p.Name, Label: p.Label, Digest: Digest(p.Kind, p.Guest), Kind: p.Kind, Guest: p.Guest}
}

// Sit implements referee.Player: it returns the seat that the player has taken
// at its table.
func (p Player) Sit(_ context.Context, s referee.Seating) (referee.Contestant, error) {
	p.Hub.mu.Lock()
	defer p.Hub.mu.Unlock()
	t := p.Hub.tables[s.Match]
	if t == nil || t.seats[s.Seat-1] == nil {
		return nil, fmt.Errorf("match %q has no open seat %d", s.Match, s.Seat)
	}
	return t.seats[s.Seat-1], nil
}
