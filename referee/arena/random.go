package arena

import (
	"context"
	"hash/fnv"
	"math/rand/v2"
	"strconv"

	"umpire/protocols"
	"umpire/referee"
)

// random is a contestant without a program: it replies with any of the choices that its
// seat has. The same match always draws the same.
type random struct {
	choices func() []protocols.Choice
	draw    *rand.Rand
}

func newRandom(s referee.Seating) random {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(s.Record + " " + strconv.Itoa(s.Seat)))
	return random{s.Choices, rand.New(rand.NewPCG(sum.Sum64(), 0))}
}

// Receive implements referee.Contestant.
func (r random) Receive(context.Context, referee.Ask) (referee.Reply, error) {
	if r.choices != nil {
		if list := r.choices(); len(list) > 0 {
			return referee.Reply{Text: list[r.draw.IntN(len(list))].Reply}, nil
		}
	}
	return referee.Reply{}, &protocols.Failure{Kind: protocols.KindCrash, Detail: "it replies with one of the judge's choices, and the judge has said none"}
}

func (random) Send(string) {}

func (random) CloseInput() {}

// Stop implements referee.Contestant.
func (random) Stop() referee.Usage { return referee.Usage{} }
