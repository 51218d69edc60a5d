package session

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/program"
	"umpire/referee/record"
)

// controls tells by built-in bots whether a worker plays what it says: their replies
// depend on what they read alone, so that any machine finds out what they must be.
type controls struct {
	games  []protocols.Game
	steady map[string]Steady // by digest
}

// maxControls is how many control matches a run has to choose from.
const maxControls = 64

// addControls returns the controls of a session, and matches of built-in bots on its
// cases, whose packages it adds.
func addControls(ctx context.Context, s *Session, packages map[string]*program.Package) (c *controls, list []arena.Fixture, err error) {
	c = &controls{s.runner.Games, make(map[string]Steady)}
	if s.Package != nil { // a built-in game of that name is another
		return c, nil, nil
	}
	resolver, err := s.Machine.Resolver(ctx, s.Umpire, s.Game.Name)
	if err != nil {
		return nil, nil, err
	}
	var seats []arena.Seat
	for bot, plays := range s.Umpire.steadyOf(s.Game.Name) {
		made, err := resolver.Resolve(ctx, program.ParseEntrant("", "@"+bot))
		if err != nil {
			return nil, nil, err
		}
		if packages[made.Digest] == nil {
			if packages[made.Digest], err = made.Pack(ctx); err != nil {
				return nil, nil, err
			}
		}
		c.steady[made.Digest] = plays
		seats = append(seats, SeatOf(s.program(made).Identity(), false))
	}
	for range min(maxControls, len(seats)*len(s.Set.Cases)) {
		n := s.Seats
		if n == 0 {
			n = s.Game.MaxSeats
		}
		f, err := s.fixture(s.Set.Cases[rand.IntN(len(s.Set.Cases))], n)
		if err != nil {
			return nil, nil, err
		}
		for range n {
			f.Seats = append(f.Seats, seats[rand.IntN(len(seats))])
		}
		list = append(list, f)
	}
	return c, list, nil
}

// steadyOf returns the built-in bots of a game whose replies depend on what they read alone, by
// their names.
func (u *Umpire) steadyOf(game string) map[string]Steady {
	list := make(map[string]Steady)
	for name, plays := range u.Steady {
		if bot, ok := strings.CutPrefix(name, game+"/"); ok {
			list[bot] = plays
		}
	}
	return list
}

// maxReproduce bounds how long it takes to find out what a bot must reply. What takes
// longer is not judged.
const maxReproduce = 10 * time.Second

// check returns why a record can't be that of the match: a built-in bot did not reply as
// it must. How fast it was is not compared.
func (c *controls) check(r *record.Record) error {
	for i, seat := range r.Seats {
		play := c.steady[seat.Digest]
		if play == nil {
			continue
		}
		setup, events, err := r.Setup(c.games)
		if err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(context.Background(), maxReproduce)
		all, _, err := arena.Reproduce(ctx, steadyPlayer{play}, referee.Reproduction{Setup: setup, Events: events, Seat: i + 1})
		cancel()
		if err != nil || len(all) == 0 {
			continue
		}
		if last := all[len(all)-1]; !last.Same() && last.Recorded.Fail == nil && last.Live.Fail == nil {
			return fmt.Errorf("built-in bot %s, reply %d: found %s, expected %s",
				seat.Bot, last.Number, protocols.Quote(last.Recorded.Reply), protocols.Quote(last.Live.Reply))
		}
	}
	return nil
}

// steadyPlayer plays a built-in bot in this process.
type steadyPlayer struct{ play Steady }

func (p steadyPlayer) Identity() referee.Identity { return referee.Identity{} }

func (p steadyPlayer) Sit(_ context.Context, s referee.Seating) (referee.Contestant, error) {
	c := &steadySeat{replies: make(chan string)}
	c.more.L = &c.mu
	from, to := io.Pipe()
	go func() {
		to.CloseWithError(referee.Guard(func() error { return p.play(s.Game, s.Seat, s.Seats, c, to) }))
	}()
	go func() {
		defer close(c.replies)
		for in := bufio.NewReader(from); ; {
			line, err := in.ReadString('\n')
			if line != "" {
				c.replies <- line
			}
			if err != nil {
				return
			}
		}
	}()
	return c, nil
}

// steadySeat is a built-in bot in a seat, whose input is what the bot reads.
type steadySeat struct {
	replies chan string // closed when the bot has ended
	mu      sync.Mutex
	more    sync.Cond
	input   bytes.Buffer
	closed  bool
}

func (c *steadySeat) Read(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.input.Len() == 0 {
		if c.closed {
			return 0, io.EOF
		}
		c.more.Wait()
	}
	return c.input.Read(b)
}

func (c *steadySeat) Send(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.input.WriteString(text + "\n")
	c.more.Signal()
}

func (c *steadySeat) CloseInput() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	c.more.Signal()
}

func (c *steadySeat) Receive(ctx context.Context, ask referee.Ask) (referee.Reply, error) {
	text := ""
	for {
		select {
		case line, ok := <-c.replies:
			text += line
			switch {
			case ok && !ask.UntilEOF:
				return referee.Reply{Text: strings.TrimSuffix(text, "\n")}, nil
			case !ok && ask.UntilEOF:
				return referee.Reply{Text: text}, nil
			case !ok:
				return referee.Reply{}, &protocols.Failure{Kind: protocols.KindCrash}
			}
		case <-ctx.Done():
			return referee.Reply{}, context.Cause(ctx)
		}
	}
}

func (c *steadySeat) Stop() referee.Usage {
	c.CloseInput()
	for range c.replies { // until the bot has ended
	}
	return referee.Usage{}
}
