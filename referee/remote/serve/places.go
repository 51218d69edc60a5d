package serve

import (
	"context"
	"fmt"

	"umpire/referee/arena"
	"umpire/referee/remote"
)

// mostWaiting is how many matches of one player may wait for those who play them.
const mostWaiting = 16

// place is a match's place among those of a House, whose lock guards it.
type place struct {
	house    *House
	by       string // who has asked for the match; "" is the organiser
	programs int    // of this machine
	memory   int64  // that they may take, bytes
	runs     bool   // the match runs, or has run
}

// order returns a place for a match that has just been asked for.
func (h *House) order(by string, programs int, memory int64) (*place, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, &Refusal{remote.CodeStopping, "umpire is about to end"}
	}
	p := &place{house: h, by: by, programs: programs, memory: memory}
	if by != "" && h.waiting[by] >= mostWaiting {
		return nil, &Refusal{codeFull, fmt.Sprintf("%d of your matches wait for their players, which is the most there may be", mostWaiting)}
	}
	if err := p.free(); err != nil {
		return nil, err
	}
	if h.waiting == nil {
		h.waiting, h.running, h.freed = make(map[string]int), make(map[string]int), make(chan struct{})
	}
	h.waiting[by]++
	h.wait.Add(1)
	return p, nil
}

// free returns an error unless the match could run now. An eighth of all is the
// organiser's, and one player can hold an eighth.
func (p *place) free() error {
	h := p.house
	most, room, all := h.Most, h.Room, 0
	for by, n := range h.running {
		if p.by == "" || by != "" {
			all += n
		}
	}
	if p.by != "" {
		most, room = most-most/8, room-room/8
	}
	switch {
	case p.by != "" && h.running[p.by] >= max(1, h.Most/8):
		return &Refusal{codeFull, fmt.Sprintf("%d of your matches are being played, which is the most there may be", h.running[p.by])}
	case all >= most:
		return &Refusal{codeFull, fmt.Sprintf("%d matches are being played, which is the most there may be", all)}
	case h.programs+p.programs > room:
		return &Refusal{codeFull, fmt.Sprintf("%d programs are running, and there is room for %d", h.programs, room)}
	}
	return nil
}

// begin waits until the match can run, and counts it among those that do.
func (p *place) begin(ctx context.Context) error {
	h := p.house
	h.mu.Lock()
	defer h.mu.Unlock()
	for !p.runs {
		if p.free() == nil && h.Memory.TryTake(p.memory) {
			countDown(h.waiting, p.by)
			h.running[p.by]++
			h.programs += p.programs
			p.runs = true
			break
		}
		freed := h.freed
		h.mu.Unlock()
		select {
		case <-freed:
		case <-ctx.Done():
		}
		h.mu.Lock()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// end gives up the place.
func (p *place) end() {
	h := p.house
	h.mu.Lock()
	defer h.mu.Unlock()
	if p.runs {
		countDown(h.running, p.by)
		h.programs -= p.programs
		h.Memory.Give(p.memory)
		close(h.freed)
		h.freed = make(chan struct{})
	} else {
		countDown(h.waiting, p.by)
	}
	h.wait.Done()
}

// opening is a host whose matches begin when they have their place. It hands on the
// first table that it opens.
type opening struct {
	*remote.Hub
	place  *place
	house  func(id string)
	opened chan *remote.Table
}

// Open implements arena.Host.
func (o *opening) Open(f arena.Fixture) arena.Table {
	t := o.Hub.Open(f).(*remote.Table)
	o.house(t.ID())
	select {
	case o.opened <- t:
	default: // the match was void, and is played again
	}
	return placed{t, o.place}
}

// placed is a table whose match needs a place.
type placed struct {
	*remote.Table
	place *place
}

// Gather implements arena.Table.
func (p placed) Gather(ctx context.Context) error {
	if err := p.Table.Gather(ctx); err != nil {
		return err
	}
	return p.place.begin(ctx)
}
