package mensch

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"umpire/protocols"
)

// The groups that Generate knows.
const (
	standard = "standard" // for the match game
	allFaces = "faces"    // for part 1
	mixed    = "mixed"    // for parts 2 to 5: up to 300 numbers or requests
	largest  = "largest"  // for parts 2 to 5: as many as the bounds allow
	open     = "open"     // for parts 4 and 5: with moments that the statement leaves open
)

// source is the randomness of one generated case.
func source(game, group string, seed uint64) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(game + "/" + group))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// generate draws a case of the match game.
func generate(group string, seed uint64) (protocols.Case, error) {
	if group != standard {
		return nil, &protocols.UnknownGroup{Game: "mensch", Group: group, Known: groupNames()}
	}
	return Case{fairDice(source("mensch", group, seed))}, nil
}

// generateTask draws a case of a part.
func generateTask(part int, group string, seed uint64) (protocols.Case, error) {
	game, groups := taskName(part), taskGroups(part)
	if !slices.Contains(groups, group) {
		return nil, &protocols.UnknownGroup{Game: game, Group: group, Known: groups}
	}
	r := source(game, group, seed)
	t := &task{part: part}
	if part == 1 {
		t.face = 1 + int((seed+5)%6) // six seeds in a row give every face
		return t, nil
	}
	n := 10 + r.IntN(291)
	if group == largest || group == open {
		n = most(part)
	}
	t.dice = fairDice(r)
	switch {
	case part == 2:
		t.count = n
	case group == open:
		t.requests = openDialogue(r, t.dice, t.colours(), n)
	default:
		t.requests = dialogue(r, t.dice, t.colours(), n)
	}
	return t, nil
}

// fairDice draws one of the fair triples, with equal chances.
func fairDice(r *rand.Rand) Dice {
	all := primes()
	for {
		d := Dice{all[r.IntN(len(all))], all[r.IntN(len(all))], all[r.IntN(len(all))]}
		if d.A < d.M && d.B < d.M && d.fair() {
			return d
		}
	}
}

// open reports whether the statement leaves open how a game of several colours
// continues after a request, so that the rules here are a choice: giving up
// before the roll, and bringing the last piece of a colour home.
func (b *Board) open(request Request) bool {
	if b.colours == 1 {
		return false
	}
	if request.Verb == GiveUp {
		return b.left.None()
	}
	after := *b
	after.Do(request)
	return after.Home(b.turn)
}

// dialogue makes up requests whose answers follow from the statement.
func dialogue(r *rand.Rand, d Dice, colours, q int) []Request {
	return makeUp(r, d, colours, q, func(b *Board, request Request) bool { return !b.open(request) })
}

// openDialogue makes up requests, with at least one after which the statement
// leaves the continuation open.
func openDialogue(r *rand.Rand, d Dice, colours, q int) []Request {
	for {
		met := false
		out := makeUp(r, d, colours, q, func(b *Board, request Request) bool {
			met = met || b.open(request)
			return true
		})
		if met {
			return out
		}
	}
}

// makeUp makes up requests that lead far into a game and meet every refusal on
// the way. A request that does not fit the position is drawn again.
func makeUp(r *rand.Rand, d Dice, colours, q int, fits func(*Board, Request) bool) []Request {
	// Nothing can be sent back if one colour plays alone, so a game is over after
	// some 200 accepted requests. Spread them over the dialogue.
	pace := 1.0
	if colours == 1 {
		pace = min(1, 150/float64(q))
	}
	out := make([]Request, 0, q)
	b := NewBoard(d, colours)
	for len(out) < q {
		request := anyRequest(r, colours)
		if r.IntN(4) > 0 {
			request = usefulRequest(r, &b, pace)
		}
		if !fits(&b, request) {
			continue
		}
		b.Do(request)
		out = append(out, request)
	}
	return out
}

// anyRequest draws any request, giving up less often than the rest.
func anyRequest(r *rand.Rand, colours int) Request {
	piece := Piece(1 + r.IntN(each*colours))
	switch n := r.IntN(16); {
	case n == 0:
		return Request{Verb: GiveUp}
	case n < 3:
		return Request{Verb: RollDice}
	case n < 8:
		return Request{Verb: Enter, Piece: piece}
	}
	return Request{Verb: Move, Piece: piece, Steps: uint8(1 + r.IntN(6))}
}

// usefulRequest draws a request that is accepted: a roll, or, as often as the
// pace says, an entry or a move if there is one; else giving up.
func usefulRequest(r *rand.Rand, b *Board, pace float64) Request {
	if b.left.None() {
		return Request{Verb: RollDice}
	}
	options := b.Options(nil, b.turn, b.left)
	if len(options) == 0 || r.Float64() >= pace {
		return Request{Verb: GiveUp}
	}
	return options[r.IntN(len(options))]
}
