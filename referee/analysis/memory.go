package analysis

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/record"
)

// Memory holds what replies are worth in positions that matches have in common, so that
// each is valued once. Several goroutines may use one. The zero Memory is empty.
type Memory struct {
	mutex  sync.Mutex
	offers map[seatAt]offer
}

// maxOffers bounds a Memory: later positions are valued each time.
const maxOffers = 1 << 16

// seatAt is a seat that is asked in a position.
type seatAt struct {
	position
	seat int
}

// position stands for a case and all that has happened in the match so far.
type position [16]byte

// start is the position in which a match begins.
func start(r record.Record) (p position) {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%d\n%s", r.Game, len(r.Seats), r.Case.Text))
	return position(sum[:len(p)])
}

// after is the position after an event.
func (p position) after(e referee.Event) position {
	fail := ""
	if e.Fail != nil {
		fail = string(e.Fail.Kind)
	}
	sum := sha256.Sum256(fmt.Appendf(p[:], "%d\n%s\n%s", e.Seat, fail, e.Reply))
	return position(sum[:len(p)])
}

// offer lists the replies that a seat could give, with their values.
type offer struct {
	values []protocols.Value
	exact  bool
}

// best is the first of the best replies.
func (o offer) best() protocols.Value {
	return slices.MaxFunc(o.values, func(a, b protocols.Value) int { return cmp.Compare(a.Value, b.Value) })
}

// offer returns what a seat may reply in a position.
func (k *Memory) offer(p position, seat int, analyst protocols.Analyst) (o offer) {
	k.mutex.Lock()
	known, found := k.offers[seatAt{p, seat}]
	k.mutex.Unlock()
	if found {
		return known
	}
	if o.values, o.exact = analyst.Values(seat); len(o.values) == 0 {
		return o
	}
	best := o.best().Value
	for i := range o.values {
		if round(best-o.values[i].Value) > 0 {
			o.values[i].Line = nil // it is never shown
		}
	}
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if k.offers == nil {
		k.offers = make(map[seatAt]offer)
	}
	if len(k.offers) < maxOffers {
		k.offers[seatAt{p, seat}] = o
	}
	return o
}
