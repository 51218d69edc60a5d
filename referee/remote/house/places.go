package house

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"umpire/referee/arena"
	"umpire/referee/remote"
)

// mostWaiting is how many matches of one player may wait for those who play them.
const mostWaiting = 16

// Places bounds the matches that run concurrently. Its fields must not change once a match
// has been ordered.
type Places struct {
	Most int // matches
	Room int // programs of this machine
	// Memory is shared by the programs of all matches; nil: nobody knows how much there is.
	Memory *arena.Memory

	mu       sync.Mutex
	places   map[*place]bool // of all matches
	waiting  map[string]int  // matches that wait for a place, by the player who asked for them
	running  map[string]int  // matches that have one
	programs int             // of those
	freed    remote.Change   // a place becomes free
	closed   bool
	wait     sync.WaitGroup // for the matches that have or await a place
}

// place is a match's place among all, whose lock guards it.
type place struct {
	all      *Places
	by       string   // who has asked for the match; "" is the organiser
	programs int      // of this machine
	memory   int64    // that they may take, bytes
	runs     bool     // the match runs, or has run
	ids      []string // of the match: a void one is played again under another
	cancel   context.CancelCauseFunc
}

// order returns a place for a match that has just been asked for, and the context of the match.
func (l *Places) order(by string, programs int, memory int64) (context.Context, *place, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, nil, refused(remote.CodeStopping, "umpire is about to end")
	}
	p := &place{all: l, by: by, programs: programs, memory: memory}
	if by != "" && l.waiting[by] >= mostWaiting {
		return nil, nil, refused(CodeFull, fmt.Sprintf("%d of your matches wait for their players, which is the most there may be", mostWaiting))
	}
	if err := p.free(); err != nil {
		return nil, nil, err
	}
	if l.waiting == nil {
		l.places, l.waiting, l.running = make(map[*place]bool), make(map[string]int), make(map[string]int)
	}
	l.places[p] = true
	l.waiting[by]++
	l.wait.Add(1)
	ctx, cancel := context.WithCancelCause(context.Background())
	p.cancel = cancel
	return ctx, p, nil
}

// opened notes the id of the place's match.
func (p *place) opened(id string) {
	p.all.mu.Lock()
	defer p.all.mu.Unlock()
	p.ids = append(p.ids, id)
}

// cancel ends the match with an id. It reports false if there is none.
func (l *Places) cancel(id string, why error) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for p := range l.places {
		if slices.Contains(p.ids, id) {
			p.cancel(why)
			return true
		}
	}
	return false
}

// free returns an error unless the match could run now. An eighth of all is the
// organiser's, and one player can hold an eighth.
func (p *place) free() error {
	l := p.all
	most, room, all := l.Most, l.Room, 0
	for by, n := range l.running {
		if p.by == "" || by != "" {
			all += n
		}
	}
	if p.by != "" {
		most, room = most-most/8, room-room/8
	}
	switch {
	case p.by != "" && l.running[p.by] >= max(1, l.Most/8):
		return refused(CodeFull, fmt.Sprintf("%d of your matches are being played, which is the most there may be", l.running[p.by]))
	case all >= most:
		return refused(CodeFull, fmt.Sprintf("%d matches are being played, which is the most there may be", all))
	case l.programs+p.programs > room:
		return refused(CodeFull, fmt.Sprintf("%d programs are running, and there is room for %d", l.programs, room))
	}
	return nil
}

// begin waits until the match can run, and counts it among those that do.
func (p *place) begin(ctx context.Context) error {
	l := p.all
	l.mu.Lock()
	defer l.mu.Unlock()
	if p.runs {
		return nil
	}
	for p.free() != nil || !l.Memory.TryTake(p.memory) {
		if err := l.freed.Await(ctx, &l.mu); err != nil {
			return err
		}
	}
	remote.CountDown(l.waiting, p.by)
	l.running[p.by]++
	l.programs += p.programs
	p.runs = true
	return nil
}

// end gives up the place.
func (p *place) end() {
	l := p.all
	l.mu.Lock()
	defer l.mu.Unlock()
	if p.runs {
		remote.CountDown(l.running, p.by)
		l.programs -= p.programs
		l.Memory.Give(p.memory)
		l.freed.Wake()
	} else {
		remote.CountDown(l.waiting, p.by)
	}
	delete(l.places, p)
	p.cancel(nil)
	l.wait.Done()
}

// close ends the orders, and all matches.
func (l *Places) close(why error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	for p := range l.places {
		p.cancel(why)
	}
}
