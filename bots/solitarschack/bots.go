// Package solitarschack holds the built-in players of Solitärschack.
package solitarschack

import (
	"fmt"
	"math/rand/v2"

	"umpire/bots"
	"umpire/protocols"
	rules "umpire/protocols/solitarschack/board"
)

// game is the id of the game.
const game = "solitarschack"

// Bots returns the players, the weakest first.
func Bots() []bots.Bot {
	return []bots.Bot{
		{Game: game, Name: "random", About: "plays any legal move, until there is none", Play: playRandom},
		{Game: game, Name: "greedy", About: "takes the piece that gives most points now without ending the match", Play: playGreedy},
		{Game: game, Name: "strong", About: "plans up to 16 removals ahead, then estimates the rest from experience", Timed: true, Play: playStrong},
	}
}

// chooser picks one of the reachable squares, of which there is at least one,
// or stop.
type chooser func(p *rules.Position, reachable rules.Squares) rules.Square

// stop ends a match that could go on.
const stop rules.Square = -1

// playRandom seeds its choices with the board it is given.
func playRandom(t *bots.Table) error {
	p, seen, err := readBoard(t)
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(bots.Seed(seen...), 0))
	return play(t, p, func(_ *rules.Position, reachable rules.Squares) rules.Square {
		for range rng.IntN(reachable.Len()) {
			reachable &= reachable - 1
		}
		return reachable.First()
	})
}

// playGreedy draws among the best squares. As long as it can, it avoids squares
// after which no other can be reached.
func playGreedy(t *bots.Table) error {
	p, seen, err := readBoard(t)
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(bots.Seed(seen...), 0))
	return play(t, p, func(p *rules.Position, reachable rules.Squares) rules.Square {
		best, value, ties := rules.Square(0), -1, 0
		occupied := p.Occupied()
		for ; reachable != 0; reachable &= reachable - 1 {
			s := reachable.First()
			v := gain(p, s, occupied)
			if v > value {
				value, ties = v, 0
			}
			if v < value {
				continue
			}
			if ties++; rng.IntN(ties) == 0 {
				best = s
			}
		}
		return best
	})
}

// gain is the immediate gain of removing the piece on s, made greater than any
// such gain if the match can go on afterwards.
func gain(p *rules.Position, s rules.Square, occupied rules.Squares) int {
	const goesOn = 1000
	after := p.Tally
	after.Add(p.Pieces[s])
	v := after.Score() - p.Tally.Score()
	if rules.Reach(p.Pieces[s], s)&occupied != 0 {
		v += goesOn
	}
	return v
}

// readBoard reads the bronze board; seen holds its lines.
func readBoard(t *bots.Table) (p rules.Position, seen []string, err error) {
	var bronze [rules.Area]rules.Piece
	for row := range rules.Side {
		line, err := t.Line()
		if err != nil {
			return p, seen, err
		}
		if err := readRow(line, bronze[row*rules.Side:][:rules.Side]); err != nil {
			return p, seen, err
		}
		seen = append(seen, line)
	}
	return rules.NewPosition(bronze), seen, nil
}

// play removes the pieces that choose picks, until no square can be reached.
func play(t *bots.Table, p rules.Position, choose chooser) error {
	for {
		s := stop
		if reachable := p.Reachable(); reachable != 0 {
			s = choose(&p, reachable)
		}
		if s == stop {
			return t.Say("0 0")
		}
		if err := t.Say(s.String()); err != nil {
			return err
		}
		next, err := readPiece(t)
		if err != nil {
			return err
		}
		p.Remove(s, next)
	}
}

func readRow(line string, row []rules.Piece) error {
	fields := protocols.Fields(line)
	if len(fields) != len(row) {
		return fmt.Errorf("read %s, expected a row of six types", protocols.Quote(line))
	}
	for i, f := range fields {
		p, ok := rules.ParsePiece(f)
		if !ok || p == rules.Blank {
			return fmt.Errorf("read %s, expected a row of six types", protocols.Quote(line))
		}
		row[i] = p
	}
	return nil
}

func readPiece(t *bots.Table) (rules.Piece, error) {
	line, err := t.Line()
	if err != nil {
		return rules.Blank, err
	}
	p, ok := rules.ParsePiece(line)
	if !ok {
		return rules.Blank, fmt.Errorf("read %s, expected a type or blank", protocols.Quote(line))
	}
	return p, nil
}
