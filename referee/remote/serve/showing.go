package serve

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/remote"
)

// showing is a match as all its onlookers see it: each position is drawn once,
// however many they are. It lasts from the first onlooker's coming until the last
// has gone.
type showing struct {
	source  func(context.Context, remote.Onlooker) error
	easel   *easel
	match   string
	watched int                // onlookers; guarded by showings
	cancel  context.CancelFunc // stops following the match
	stopped chan struct{}      // closed when the following has ended

	mu      sync.Mutex
	frames  []frame // by step
	first   int     // step of the first frame with a picture
	bytes   int     // of the frames with pictures
	owed    []remote.Owed
	owing   int // how often owed has changed
	done    bool
	err     error
	changed remote.Change
}

// frame is the event of a step. Old frames keep the brief text alone: a long
// match has megabytes of pictures.
type frame struct{ full, brief string }

// keptBytes bounds the frames of a match that keep their pictures; its newest
// frame does so in any case.
const keptBytes = 512 << 10

// showings are the matches that are being shown, by their ids.
type showings struct {
	mu sync.Mutex
	of map[string]*showing
}

// enter returns the showing of a match for one more onlooker, until leave is
// called.
func (s *showings) enter(match string, source func(context.Context, remote.Onlooker) error, e *easel) (show *showing, leave func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	show = s.of[match]
	if show == nil {
		ctx, cancel := context.WithCancel(context.Background())
		show = &showing{source: source, easel: e, match: match, cancel: cancel, stopped: make(chan struct{})}
		s.of[match] = show
		go show.follow(ctx)
	}
	show.watched++
	return show, func() { s.leave(show) }
}

func (s *showings) leave(show *showing) {
	s.mu.Lock()
	show.watched--
	last := show.watched == 0
	if last {
		delete(s.of, show.match)
	}
	s.mu.Unlock()
	if last {
		show.cancel()
		<-show.stopped
	}
}

// follow draws the match as it goes.
func (s *showing) follow(ctx context.Context) {
	defer close(s.stopped)
	err := referee.Guard(func() error { return s.source(ctx, remote.Onlooker{Moment: s.add, Owed: s.owe}) })
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done, s.err, s.owed = true, err, nil
	s.changed.Wake()
}

// add draws a moment. Onlookers are woken by what follows it immediately: who is
// asked next, or the end.
func (s *showing) add(m remote.Moment) error {
	var f frame
	if err := s.easel.use(func() (err error) { f, err = frameOf(m); return err }); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frames = append(s.frames, f)
	for s.bytes += len(f.full); s.bytes > keptBytes && s.first < len(s.frames)-1; s.first++ {
		s.bytes -= len(s.frames[s.first].full)
		s.frames[s.first].full = ""
	}
	return nil
}

func (s *showing) owe(owed []remote.Owed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.owed = owed
	s.owing++
	s.changed.Wake()
}

func frameOf(m remote.Moment) (frame, error) {
	full, err := eventText(m.Step, "position", positionOf(m, true))
	if err != nil {
		return frame{}, err
	}
	brief, err := eventText(m.Step, "position", positionOf(m, false))
	return frame{full, brief}, err
}

// positionOf is the data of a moment, with the position and its picture or
// without.
func positionOf(m remote.Moment, drawn bool) position {
	p := position{Step: m.Step, Seat: m.Seat, Left: m.LeftMS}
	if drawn {
		p.State = m.Position.State()
	}
	if drawer, ok := m.Position.(protocols.Drawer); ok && drawn {
		p.SVG = drawer.SVG(0)
	}
	if drawn && p.SVG == "" {
		p.Text = m.Position.String()
	}
	switch {
	case m.Event == nil:
	case m.Event.Fail != nil:
		p.Fail = string(m.Event.Fail.Kind)
		p.Resigned = m.Event.Fail.Detail == protocols.Left
	default:
		p.Reply = &m.Event.Reply
	}
	return p
}

// clock is a reply that a seat owes, as onlookers see it.
type clock struct {
	Seat int    `json:"seat"`
	Left int64  `json:"left_ms"`           // at this moment, as remote.Budget.Left says
	Free int64  `json:"free_ms"`           // time from this moment that is not charged
	Idle *int64 `json:"idle_ms,omitempty"` // what is left for this reply, without a budget
	Of   int64  `json:"of_ms,omitempty"`   // what that is left of
}

// clocksOf returns the clocks as they are now.
func clocksOf(owed []remote.Owed) []clock {
	list := make([]clock, len(owed))
	for i, o := range owed {
		took := o.Took()
		c := clock{Seat: o.Seat, Left: -1, Of: o.Of.Milliseconds(), Free: max(0, o.Free-took).Milliseconds()}
		if o.Left >= 0 {
			c.Left = max(0, o.Left-max(0, took-o.Free)).Milliseconds()
		}
		if o.Idle > 0 {
			c.Idle = new(max(0, o.Idle-took).Milliseconds())
		}
		list[i] = c
	}
	return list
}

// onlooker is one onlooker of a showing.
type onlooker struct {
	*showing
	out   *stream
	page  bool // it is a page: it wants clocks, and pictures of past positions never
	next  int  // step to be sent next
	owing int  // of the clocks that were sent
}

// pace is the least time between the sendings to an onlooker. Programs may play hundreds of
// steps a second, more than anybody sees and than a hundred onlookers could be sent one by
// one without taking the programs' processors.
const pace = 100 * time.Millisecond

// look sends what there is and what comes, until the match has ended.
func (o *onlooker) look(ctx context.Context) error {
	for sent := (time.Time{}); ; {
		news, behind, changed, err := o.news()
		switch {
		case err != nil:
			return err
		case behind > 0:
			if err := o.replay(ctx, behind); err != nil {
				return err
			}
			continue
		}
		if len(news) > 0 {
			if err := o.out.write(news...); err != nil {
				return err
			}
			sent = time.Now()
		}
		if changed == nil {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
		select {
		case <-time.After(pace - time.Since(sent)):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// news returns the events that the onlooker has not been sent, and what to wait
// for then; nil at the end. If frames have lost their pictures already, behind is
// the first that has not.
func (o *onlooker) news() (events []string, behind int, changed <-chan struct{}, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	last := len(o.frames) - 1
	if !o.page && o.next < o.first {
		return nil, o.first, nil, nil
	}
	for ; o.next <= last; o.next++ {
		if o.page && o.next < last {
			events = append(events, o.frames[o.next].brief)
		} else {
			events = append(events, o.frames[o.next].full)
		}
	}
	if o.page && o.owing != o.showing.owing {
		o.owing = o.showing.owing
		clocks, err := eventText(-1, "clock", map[string]any{"clocks": clocksOf(o.owed)})
		if err != nil {
			return nil, 0, nil, err
		}
		events = append(events, clocks)
	}
	if o.done {
		return events, 0, nil, o.err
	}
	return events, 0, o.changed.Next(), nil
}

// replay shows the match to this onlooker alone: up to a step, or to its end if
// until is negative.
func (o *onlooker) replay(ctx context.Context, until int) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	err := o.source(ctx, remote.Onlooker{Moment: func(m remote.Moment) error {
		if m.Step < o.next {
			return nil
		}
		var text string
		err := o.easel.use(func() (err error) { text, err = eventText(m.Step, "position", positionOf(m, !o.page)); return err })
		if err == nil {
			err = o.out.write(text)
		}
		if err != nil {
			return err
		}
		if o.next++; o.next == until {
			return errCaughtUp
		}
		return nil
	}})
	if errors.Is(err, errCaughtUp) {
		return nil
	}
	if err == nil && until >= 0 {
		err = fmt.Errorf("the replay of match %s ended at step %d, before step %d", o.match, o.next, until)
	}
	return err
}

// send sends the events of a match that is over.
func (o *onlooker) send(frames []frame) error {
	for _, f := range frames[min(o.next, len(frames)):] {
		text := f.full
		if o.page {
			text = f.brief
		}
		if err := o.out.write(text); err != nil {
			return err
		}
	}
	return nil
}

// errCaughtUp ends a replay that has come to where it is shown together.
var errCaughtUp = errors.New("caught up")

// position is the data of an event of a match.
type position struct {
	Step     int     `json:"step"`
	Seat     int     `json:"seat,omitempty"`
	Reply    *string `json:"reply,omitempty"`
	Fail     string  `json:"fail,omitempty"`
	Resigned bool    `json:"resigned,omitempty"` // a person left
	State    any     `json:"state,omitempty"`
	SVG      string  `json:"svg,omitempty"`
	Text     string  `json:"text,omitempty"` // without a picture
	Left     []int64 `json:"left_ms"`
}
