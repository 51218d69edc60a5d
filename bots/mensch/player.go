package mensch

import (
	"fmt"
	"strings"

	"umpire/bots"
	"umpire/protocols"
	"umpire/protocols/mensch"
)

// player is a bot's view of a match: the lines it has been sent, and nothing
// else.
type player struct {
	table    *bots.Table
	me       mensch.Colour
	colours  int
	position mensch.Position
	left     mensch.Roll // its own unused numbers
	seen     uint64      // a hash of all lines read
	options  []mensch.Request
}

// chooser picks one of several possible requests, by its index.
type chooser func(p *player, options []mensch.Request) int

// play plays a match: it asks choose for each entry or move.
func play(t *bots.Table, choose chooser) error {
	p := &player{table: t}
	hello, err := p.read()
	if err != nil {
		return err
	}
	if len(hello) != 2 || !strings.HasPrefix("RBGY", hello[1]) || !strings.Contains(hello[1], hello[0]) {
		return fmt.Errorf("read %q, expected my colour and the colours that play", hello)
	}
	p.me, p.colours = colour(hello[0]), len(hello[1])
	p.position = mensch.NewPosition(p.colours)
	for {
		words, err := p.read()
		if err != nil {
			return err
		}
		switch {
		case words[0] == "end":
			return nil
		case words[0] == "turn":
			err = p.turn(choose)
		default:
			err = p.watch(words)
		}
		if err != nil {
			return err
		}
	}
}

func (p *player) read() ([]string, error) {
	line, err := p.table.Line()
	if err != nil {
		return nil, err
	}
	p.seen = p.seen*31 + bots.Seed(line)
	return protocols.Fields(line), nil
}

func colour(letter string) mensch.Colour { return mensch.Colour(strings.Index("RBGY", letter)) }

// watch follows another player's action: COLOUR, the request, its answer.
func (p *player) watch(words []string) error {
	if len(words) < 2 || words[1] != "enter" && words[1] != "move" {
		return nil // a roll, giveup or out moves nothing
	}
	last := len(words) - 1
	request, ok := mensch.ParseRequest(strings.Join(words[1:last], " "), p.colours)
	cell, isCell := protocols.Number(words[last])
	if !ok || !isCell {
		return fmt.Errorf("read %q, expected what another player did", words)
	}
	p.position.Place(request.Piece, cell)
	return nil
}

// turn plays one turn: the roll, and then every use of it that is possible.
func (p *player) turn(choose chooser) error {
	if err := p.table.Say("dice"); err != nil {
		return err
	}
	numbers, err := p.read()
	if err != nil {
		return err
	}
	if p.left, err = roll(numbers); err != nil {
		return err
	}
	for !p.left.None() && !p.position.Home(p.me) {
		p.options = p.position.Options(p.options[:0], p.me, p.left)
		if len(p.options) == 0 {
			return p.table.Say("giveup")
		}
		if err := p.do(p.options[choose(p, p.options)]); err != nil {
			return err
		}
	}
	return nil
}

func roll(numbers []string) (r mensch.Roll, err error) {
	for _, word := range numbers {
		n, ok := protocols.Number(word)
		switch {
		case !ok || n < 1 || n > 6:
			return r, fmt.Errorf("read %q, expected the numbers of a roll", numbers)
		case n == 6:
			r.Sixes++
		default:
			r.Last = n
		}
	}
	return r, nil
}

// do sends a request and applies the answer.
func (p *player) do(r mensch.Request) error {
	if err := p.table.Say(r.String()); err != nil {
		return err
	}
	answer, err := p.read()
	if err != nil {
		return err
	}
	cell, ok := protocols.Number(answer[0])
	if !ok {
		return fmt.Errorf("%v was refused: %q", r, answer)
	}
	p.position.Place(r.Piece, cell)
	p.left = p.left.Without(r.Number())
	return nil
}
