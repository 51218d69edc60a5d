// Package bottest plays built-in bots against each other inside the test
// process, to test their strength and correctness. There are no processes, no
// clocks and no limits here.
package bottest

import (
	"bufio"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"umpire/bots"
	"umpire/protocols"
)

// Named finds a bot of a game.
func Named(t testing.TB, list []bots.Bot, game, name string) bots.Bot {
	t.Helper()
	i := slices.IndexFunc(list, func(b bots.Bot) bool { return b.Game == game && b.Name == name })
	if i < 0 {
		t.Fatalf("there is no bot %s of %s", name, game)
	}
	return list[i]
}

// Play plays c with one bot per seat and returns the outcomes. A foul, or a bot
// that ends too early or with an error, fails the test.
func Play(t testing.TB, c protocols.Case, players ...bots.Bot) []protocols.Outcome {
	t.Helper()
	m := c.Start(len(players))
	seats := make([]*player, len(players))
	var wait sync.WaitGroup
	for i, b := range players {
		in, toBot := newPipe(), newPipe()
		p := &player{in: bufio.NewReader(in), out: toBot}
		seats[i] = p
		table := bots.NewTable(b.Game, i+1, len(players), toBot, in)
		wait.Go(func() {
			p.err = bots.Run(b, table)
			in.Close()
		})
	}
	defer func() {
		for i, p := range seats {
			p.out.Close()
			defer func() {
				if p.err != nil {
					t.Errorf("bot %s in seat %d: %v", players[i].Name, i+1, p.err)
				}
			}()
		}
		wait.Wait()
	}()
	for {
		step := m.Next()
		for _, l := range step.Send {
			io.WriteString(seats[l.Seat-1].out, l.Text+"\n")
		}
		if len(step.Await) == 0 {
			return m.Result()
		}
		for _, seat := range step.Await {
			p := seats[seat-1]
			var text string
			var err error
			if step.Batch {
				p.out.Close()
				var all []byte
				all, err = io.ReadAll(p.in)
				text = string(all)
			} else {
				text, err = p.in.ReadString('\n')
				text = strings.TrimRight(text, "\r\n")
			}
			if err != nil {
				t.Errorf("bot %s in seat %d ended while it owed a reply", players[seat-1].Name, seat)
				return m.Result()
			}
			if foul := m.Reply(seat, text); foul != nil {
				t.Errorf("bot %s in seat %d: %v, at\n%v", players[seat-1].Name, seat, foul, m)
				return m.Result()
			}
		}
	}
}

type player struct {
	in  *bufio.Reader
	out *pipe
	err error
}

// pipe is an unbounded pipe: its writer never waits.
type pipe struct {
	mu     sync.Mutex
	ready  sync.Cond
	data   []byte
	closed bool
}

func newPipe() *pipe {
	p := new(pipe)
	p.ready.L = &p.mu
	return p
}

func (p *pipe) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.data = append(p.data, b...)
		p.ready.Broadcast()
	}
	return len(b), nil
}

func (p *pipe) Read(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.data) == 0 && !p.closed {
		p.ready.Wait()
	}
	if len(p.data) == 0 {
		return 0, io.EOF
	}
	n := copy(b, p.data)
	p.data = p.data[n:]
	return n, nil
}

func (p *pipe) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.ready.Broadcast()
	return nil
}
