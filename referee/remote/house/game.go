package house

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"time"

	"umpire/protocols"
	"umpire/referee/cases"
	"umpire/referee/remote"
	"umpire/referee/session"
)

// Codes of the problems of orders, beyond those of the hub.
const (
	CodeGame  = "game"  // there is none of the name
	CodeSeats = "seats" // not as many as the game has, or one that nobody can take
	CodeCase  = "case"  // no case, or group of them
	CodeFull  = "full"  // no place for the match
)

func refused(code, message string) error { return &remote.Problem{Code: code, Message: message} }

// Game is a game on offer, as players and onlookers are told of it.
type Game struct {
	protocols.Game
	Human  bool      // people can see and play it
	Batch  bool      // it has batch tasks
	Limits string    // in words
	Set    cases.Set // its standard cases
	Bots   []Bot
	Viewer []byte // the page by which its author shows positions; nil: there is none
	Hidden bool   // before the end onlookers see the board that is for everybody alone
	// Conditions are those of its matches whose judge draws by a seed; nil: the game is
	// built in.
	Conditions func(seed uint64) session.Conditions
}

// Games are the games on offer.
type Games []Game

// Find finds a game by its name. Its error is for the one who asks.
func (l Games) Find(name string) (Game, error) {
	i := slices.IndexFunc(l, func(g Game) bool { return g.Name == name })
	if i < 0 {
		return Game{}, refused(CodeGame, "there is no game "+remote.Quote(name))
	}
	return l[i], nil
}

// Has reports whether a bot can take a seat of the game.
func (g Game) Has(bot string) bool {
	return slices.ContainsFunc(g.Bots, func(b Bot) bool { return b.Name == bot })
}

// Bot is a program that can take a seat.
type Bot struct {
	Name  string `json:"name"`
	About string `json:"about"`
}

// Order is a match that somebody asks for.
type Order struct {
	Game   string   `json:"game"`
	Seats  []string `json:"seats"` // remote:NAME, human:NAME, or the name of a program known to umpire
	Case   string   `json:"case"`  // a standard case's name, or a text
	Group  string   `json:"group"`
	Seed   *uint64  `json:"seed"`
	TimeMS *int64   `json:"time_ms"`
	MoveMS *int64   `json:"move_ms"`

	By string `json:"-"` // the player who asks; "" is the organiser
}

// seed returns the seed by which an order's case is drawn, and by which its judge draws:
// from crypto/rand unless the order says. One that can be guessed would let a player search for the case.
func (o Order) seed() uint64 {
	if o.Seed != nil {
		return *o.Seed
	}
	var random [8]byte
	_, _ = rand.Read(random[:]) // never fails
	return binary.NativeEndian.Uint64(random[:])
}

// choose chooses the case of an order: never a file.
func (g Game) choose(o Order, seed uint64) (cases.Case, error) {
	if o.Case != "" {
		return g.chosen(o)
	}
	groups, list := g.Groups, g.Set.Cases
	draws := len(groups) > 0
	if !draws {
		groups = g.Set.GroupNames()
	}
	if o.Group != "" && !slices.Contains(groups, o.Group) {
		return cases.Case{}, refused(CodeCase, "group: found "+remote.Quote(o.Group)+", expected "+strings.Join(groups, ", "))
	}
	if !draws { // a game of somebody's own, with cases and without a generator
		list = slices.DeleteFunc(slices.Clone(list), func(c cases.Case) bool { return o.Group != "" && c.Group != o.Group })
		return list[seed%uint64(len(list))], nil
	}
	return cases.Generate(g.Game, o.Group, seed, 1)
}

// chosen returns the case that an order names or spells out.
func (g Game) chosen(o Order) (cases.Case, error) {
	if o.Seed != nil || o.Group != "" {
		return cases.Case{}, refused(remote.CodeArgument, "found a case and a seed or group, expected either")
	}
	for _, c := range g.Set.Cases {
		if c.Name == o.Case {
			return c, nil
		}
	}
	c, err := g.Parse(o.Case)
	if err != nil {
		return cases.Case{}, refused(CodeCase, "found neither the name of a standard case nor a case's text: "+err.Error())
	}
	return cases.Case{Name: "text", Group: "text", Points: cases.Points(g.Game), Case: c}, nil
}

// maxBudgetMS is the longest budget that may be asked for: a day.
const maxBudgetMS = 24 * 60 * 60 * 1000

// limits returns what changes the limits of a case as the order says.
func (o Order) limits() (func(protocols.Limits) protocols.Limits, error) {
	for _, b := range []struct {
		name string
		ms   *int64
	}{{"time_ms", o.TimeMS}, {"move_ms", o.MoveMS}} {
		if b.ms != nil && (*b.ms < 0 || *b.ms > maxBudgetMS) {
			return nil, refused(remote.CodeArgument, fmt.Sprintf("%s: found %d, expected 0 to %d", b.name, *b.ms, int64(maxBudgetMS)))
		}
	}
	return func(l protocols.Limits) protocols.Limits {
		if o.TimeMS != nil {
			l.Time = time.Duration(*o.TimeMS) * time.Millisecond
		}
		if o.MoveMS != nil {
			l.PerMove = time.Duration(*o.MoveMS) * time.Millisecond
		}
		l.CPU = false // of players elsewhere nobody knows the CPU time
		return l
	}, nil
}
