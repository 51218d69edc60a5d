// Package vmukni holds the built-in bots of the game vmukni.
package vmukni

import (
	"math/rand/v2"
	"strconv"
	"strings"

	"umpire/bots"
	"umpire/protocols/vmukni"
)

// Bots returns the built-in bots, the weakest first.
func Bots() []bots.Bot {
	lookahead := bot("lookahead", "searches the visible tiles and beyond, the opponent's replies included", newLookahead)
	lookahead.Timed = true
	return []bots.Bot{
		bot("random", "inserts any way", newRandom),
		bot("greedy", "inserts the way with the most points now, the lowest of equal ones", newGreedy),
		lookahead,
	}
}

// chooser decides for a bot: it returns the way to insert the front tile,
// 1..15.
type chooser func(p *position) int

// bot makes a bot from a chooser; begin makes a chooser for each match.
func bot(name, about string, begin func(start *position) chooser) bots.Bot {
	return bots.Bot{Game: vmukni.Game().Name, Name: name, About: about, Play: func(t *bots.Table) error {
		p, seat, err := readStart(t)
		if err != nil {
			return err
		}
		choose := begin(p)
		for mover := 1; p.Moves > 0; mover = 3 - mover {
			if mover == seat {
				if err := t.Say(strconv.Itoa(choose(p))); err != nil {
					return err
				}
			}
			played, err := t.Ints() // way and tile
			if err != nil {
				return err
			}
			p.insert(played[0], played[1])
		}
		return nil
	}}
}

// position is a player's knowledge before a move.
type position struct{ vmukni.View }

// readStart reads the start of a match.
func readStart(t *bots.Table) (p *position, seat int, err error) {
	head, err := t.Ints() // N K P S
	if err != nil {
		return nil, 0, err
	}
	p = &position{vmukni.View{Moves: head[0], Pictures: head[2]}}
	for row := 1; row <= vmukni.Size; row++ {
		tiles, err := t.Ints()
		if err != nil {
			return nil, 0, err
		}
		for i, tile := range tiles {
			p.Board.Put(row, i+1, tile)
		}
	}
	p.Visible, err = t.Ints()
	return p, head[3], err
}

// insert plays a move; turnedUp is the tile turned up after it, or 0.
func (p *position) insert(way, turnedUp int) {
	p.Board.Gain(way, p.Visible[0])
	p.Visible = p.Visible[1:]
	if turnedUp != 0 {
		p.Visible = append(p.Visible, turnedUp)
	}
	p.Moves--
}

func newRandom(start *position) chooser {
	seen := []string{start.Board.String()}
	for _, tile := range start.Visible {
		seen = append(seen, strconv.Itoa(tile))
	}
	r := rand.New(rand.NewPCG(bots.Seed(strings.Join(seen, " ")), uint64(start.Moves)))
	return func(*position) int { return 1 + r.IntN(vmukni.Ways) }
}

func newGreedy(*position) chooser {
	return func(p *position) int {
		best, most := 1, -1
		for way := 1; way <= vmukni.Ways; way++ {
			board := p.Board
			if gain := board.Gain(way, p.Visible[0]); gain > most {
				best, most = way, gain
			}
		}
		return best
	}
}
