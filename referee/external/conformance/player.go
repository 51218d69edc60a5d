package conformance

import (
	"context"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"umpire/protocols"
	"umpire/referee"
)

// player is a contestant that is a function.
type player struct {
	// answer answers when the seat is asked for the n-th time, from 0.
	answer func(p *player, n int) (string, *protocols.Failure)
	draw   *rand.Rand

	match protocols.Match
	seat  int
	asked int
	read  []string // lines
}

// playersWith returns players that all answer so.
func playersWith(seats int, answer func(p *player, n int) (string, *protocols.Failure)) (list []*player) {
	for range seats {
		list = append(list, &player{answer: answer})
	}
	return list
}

func (p *player) begin(m protocols.Match, seat int) {
	p.match, p.seat, p.asked, p.read = m, seat, 0, nil
}

// Send implements referee.Contestant.
func (p *player) Send(text string) { p.read = append(p.read, strings.Split(text, "\n")...) }

// CloseInput implements referee.Contestant.
func (p *player) CloseInput() {}

// Stop implements referee.Contestant.
func (p *player) Stop() referee.Usage { return referee.Usage{} }

// Receive implements referee.Contestant.
func (p *player) Receive(ctx context.Context, _ referee.Ask) (referee.Reply, error) {
	if ctx.Err() != nil {
		return referee.Reply{}, context.Cause(ctx)
	}
	p.asked++
	text, failure := p.answer(p, p.asked-1)
	if failure != nil {
		return referee.Reply{}, failure
	}
	return referee.Reply{Text: text}, nil
}

// choices are what the seat may reply now; none if the judge names none.
func (p *player) choices() (list []string) {
	chooser, ok := p.match.(protocols.Chooser)
	if !ok {
		return nil
	}
	for _, c := range chooser.Choices(p.seat) {
		list = append(list, c.Reply)
	}
	return list
}

// legal returns players that draw from their choices. Without any, they reply as the
// seats did in a match of the folder's bots, if there is one, up to a moment from which
// they change the replies.
func (s *Suite) legal(seats int, seed uint64, like *played) []*player {
	list := make([]*player, seats)
	for i := range list {
		var before []string
		if like != nil {
			before = repliesOf(like.events, i+1)
		}
		draw := rand.New(rand.NewPCG(seed, uint64(i)))
		until := 0
		if len(before) > 0 {
			until = draw.IntN(len(before) + 1)
		}
		list[i] = &player{draw: draw, answer: func(p *player, n int) (string, *protocols.Failure) {
			if choices := p.choices(); len(choices) > 0 {
				return choices[draw.IntN(len(choices))], nil
			}
			if n < until || n < len(before) && draw.IntN(2) == 0 {
				return before[n], nil
			}
			return mutate(s.anyReply(draw), draw), nil
		}}
	}
	return list
}

// anyReply returns a reply that a bot has given, or a small number.
func (s *Suite) anyReply(draw *rand.Rand) string {
	if len(s.seen) > 0 {
		if events := s.seen[draw.IntN(len(s.seen))].events; len(events) > 0 {
			return events[draw.IntN(len(events))].Reply
		}
	}
	return strconv.Itoa(draw.IntN(10))
}

// repliesOf returns the replies of a seat.
func repliesOf(events []referee.Event, seat int) (list []string) {
	for _, e := range events {
		if e.Seat == seat && e.Fail == nil {
			list = append(list, e.Reply)
		}
	}
	return list
}

// mutate changes a reply, mostly into one that is still of its form.
func mutate(text string, draw *rand.Rand) string {
	words := protocols.Fields(text)
	if len(words) == 0 {
		return text
	}
	i := draw.IntN(len(words))
	switch n, isNumber := protocols.Number(words[i]); draw.IntN(6) {
	case 0, 1, 2:
		if isNumber {
			words[i] = strconv.Itoa(n + draw.IntN(5) - 2)
		}
	case 3:
		j := draw.IntN(len(words))
		words[i], words[j] = words[j], words[i]
	case 4:
		words = slices.Delete(words, i, i+1)
	case 5:
		words = append(words, words[i])
	}
	return strings.Join(words, " ")
}

// noise returns a reply of a program that writes anything.
func noise(draw *rand.Rand) string {
	forms := []string{
		"", " ", "\t", "-1", "0", "99999999999999999999", "1.5", "1e9", "NaN", "٣", "½", "\u2028", "end 1 0", "say 1 x", "%s%n", "'\"\\", "{}", "null",
		strings.Repeat("9", 10_000), strings.Repeat("x ", 30_000), "1 1", "1 2 3 4 5 6 7 8 9", "\x00", "\xff\xfe", "\x1b[2J", "1\r",
	}
	if i := draw.IntN(len(forms) + 5); i < len(forms) {
		return forms[i]
	}
	b := make([]byte, 1+draw.IntN(40))
	for i := range b {
		if b[i] = byte(draw.Uint32()); b[i] == '\n' {
			b[i] = '.'
		}
	}
	return string(b)
}
