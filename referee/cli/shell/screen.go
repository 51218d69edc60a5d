package shell

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"strings"
	"sync"
	"time"
)

// screen is the terminal of a person who looks at something step by step: keys
// one by one, and lines that are redrawn in place. It gives the terminal back as
// it was, however umpire ends. Its methods are for one goroutine, except close.
type screen struct {
	tty     *terminal
	keys    chan key
	signals chan os.Signal
	stop    func() bool // forgets about the context
	read    chan struct{}

	mu     sync.Mutex // guards the rest
	before func()     // gives the terminal's settings back
	inUse  bool
	closed bool
}

// What the screen is told, in the terms of ECMA-48 and xterm.
const (
	alternate   = "\x1b[?1049h\x1b[?25l" // another screen, without a cursor
	original    = "\x1b[?25h\x1b[?1049l"
	top         = "\x1b[H"
	clearToEnd  = "\x1b[J"
	clearInLine = "\x1b[K"
)

// openScreen takes the terminal that controls umpire. It is given back by close, when
// ctx ends, and while the user has stopped umpire with Ctrl-Z. Ctrl-C is an
// interrupt, as ever.
func openScreen(ctx context.Context) (*screen, error) {
	tty, err := openTerminal()
	if err != nil {
		return nil, err
	}
	s := &screen{tty: tty, keys: make(chan key, 64), signals: make(chan os.Signal, 1), read: make(chan struct{})}
	if err := s.take(); err != nil {
		tty.close(nil)
		return nil, err
	}
	notifyResize(s.signals)
	go s.readKeys()
	s.stop = context.AfterFunc(ctx, s.restore)
	return s, nil
}

// close gives the terminal back.
func (s *screen) close() {
	s.stop()
	s.restore()
	signal.Stop(s.signals)
	s.tty.close(s.read)
}

// restore gives the terminal back for good.
func (s *screen) restore() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.give()
}

// take sets the terminal up, unless it has been given back for good.
func (s *screen) take() (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	if s.before, err = s.tty.makeRaw(); err != nil {
		return err
	}
	s.inUse = true
	return s.tty.write(alternate)
}

// give gives the terminal back; the caller holds mu.
func (s *screen) give() {
	if !s.inUse {
		return
	}
	s.inUse = false
	_ = s.tty.write(original)
	s.before()
}

// size returns how many cells the terminal is wide and high.
func (s *screen) size() (width, height int) {
	width, height = s.tty.size()
	if width <= 0 || height <= 0 {
		return 80, 24
	}
	return width, height
}

// redraw shows lines in place of those before. None may be wider than the
// terminal, and there must be fewer of them than it is high.
func (s *screen) redraw(lines []string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.inUse {
		return nil
	}
	// Cleared first: after a line as wide as the terminal, clearing takes the
	// last character.
	text := strings.Join(lines, "\r\n"+clearInLine)
	return s.tty.write(top + clearInLine + text + "\r\n" + clearToEnd)
}

// waitForKey waits for the next key, for another size, or until the time is up; 0
// means forever. The error is that of ctx.
func (s *screen) waitForKey(ctx context.Context, d time.Duration) (key, error) {
	var timeUp <-chan time.Time
	if d > 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		timeUp = timer.C
	}
	select {
	case pressed, ok := <-s.keys:
		switch {
		case !ok:
			return 0, errors.New("the terminal is gone")
		case pressed == ctrlZ:
			return resized, s.suspend()
		}
		return pressed, nil
	case <-s.signals:
		return resized, nil
	case <-timeUp:
		return elapsed, nil
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
}

// suspend stops umpire, as Ctrl-Z does, until the user continues it.
func (s *screen) suspend() error {
	s.mu.Lock()
	s.give()
	s.mu.Unlock()
	if err := stopSelf(); err != nil {
		return err
	}
	return s.take()
}

// readKeys reads keys until the terminal is closed.
func (s *screen) readKeys() {
	defer close(s.read)
	defer close(s.keys)
	var k keyReader
	var buf [256]byte
	for {
		n, err := s.tty.read(buf[:])
		for _, pressed := range k.read(buf[:n]) {
			if pressed == ctrlC {
				// What looks at the keys may be busy.
				interruptSelf()
				continue
			}
			select {
			case s.keys <- pressed:
			default: // it is behind by so many that none more are wanted
			}
		}
		if err != nil {
			return
		}
	}
}
