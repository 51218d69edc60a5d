package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/record"
	"umpire/referee/remote"
)

// beat is how often an event stream without events shows that it lives.
const beat = 15 * time.Second

// position is the data of an event of a match.
type position struct {
	Step  int     `json:"step"`
	Seat  int     `json:"seat,omitempty"`
	Reply *string `json:"reply,omitempty"`
	Fail  string  `json:"fail,omitempty"`
	State any     `json:"state"`
	SVG   string  `json:"svg,omitempty"`
	Left  []int64 `json:"left_ms"`
}

// followMatch streams what happens in a match, from its start or from what the
// onlooker has not seen yet.
func (s *Server) followMatch(w http.ResponseWriter, r *http.Request) error {
	from := 0
	if last := r.Header.Get("Last-Event-ID"); last != "" {
		n, err := strconv.Atoi(last)
		if err != nil || n < 0 {
			return failed(remote.CodeArgument, "Last-Event-ID: found "+quote(last)+", expected a step")
		}
		from = n + 1
	}
	info, err := s.match(r.PathValue("id"))
	if err != nil {
		return err
	}
	g, err := s.game(info.Game)
	if err != nil {
		return err
	}
	leave, err := s.looks.enter(source(r))
	if err != nil {
		return err
	}
	defer leave()
	out := &stream{w: w, control: http.NewResponseController(w)}
	ctx, stop := context.WithCancel(r.Context())
	defer stop()
	go func() {
		select {
		case <-s.ended:
			stop()
		case <-ctx.Done():
		}
	}()
	see := func(m remote.Moment) error {
		if m.Step < from {
			return nil
		}
		return out.event(strconv.Itoa(m.Step), "position", positionOf(m))
	}
	follow := func() error { return s.replay(info.ID, g.Game, see) }
	if t := s.Hub.Table(info.ID); t != nil {
		follow = func() error { return t.Follow(ctx, g.Game, see) }
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // proxies must not keep events back
	if err := out.comment(); err != nil {
		return nil
	}
	err = out.live(follow)
	if ctx.Err() != nil {
		return nil
	}
	if info, found := s.match(info.ID); err == nil && found == nil {
		_ = out.event("", string(info.State), info)
	}
	return nil
}

func positionOf(m remote.Moment) position {
	p := position{Step: m.Step, Seat: m.Seat, State: m.Position.State(), Left: m.LeftMS}
	if drawer, ok := m.Position.(protocols.Drawer); ok {
		p.SVG = drawer.SVG(0)
	}
	switch {
	case m.Event == nil:
	case m.Event.Fail != nil:
		p.Fail = string(m.Event.Fail.Kind)
	default:
		p.Reply = &m.Event.Reply
	}
	return p
}

// replay shows a finished match from its record.
func (s *Server) replay(id string, g protocols.Game, see func(remote.Moment) error) error {
	r, ok, err := s.Archive.record(id)
	if err != nil || !ok {
		return err
	}
	setup, events, err := r.Setup([]protocols.Game{g})
	if err != nil {
		return err
	}
	var failed error
	step := 0
	show := func(m remote.Moment) {
		m.Step = step
		step++
		m.LeftMS = leftIn(r)
		if failed == nil {
			failed = see(m)
		}
	}
	show(remote.Moment{Position: setup.Case.Start(setup.Seats)})
	_, err = setup.Replay(events, referee.Watcher{
		Event: func(e referee.Event, _ *protocols.Foul, m protocols.Match) {
			show(remote.Moment{Seat: e.Seat, Event: &e, Position: m})
		},
		AutoMove: func(seat int, at protocols.Position) { show(remote.Moment{Seat: seat, Position: at}) },
	})
	return errors.Join(failed, err)
}

// leftIn is what was left of each seat's budget at the end.
func leftIn(r record.Record) []int64 {
	var list []int64
	for _, s := range infoOf(r).Seats {
		list = append(list, s.LeftMS)
	}
	return list
}

// stream is a stream of server-sent events.
type stream struct {
	mu      sync.Mutex
	w       http.ResponseWriter
	control *http.ResponseController
}

// live runs f, and shows meanwhile that the stream lives.
func (s *stream) live(f func() error) error {
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(beat)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_ = s.comment()
			case <-stop:
				return
			}
		}
	}()
	err := f()
	close(stop)
	<-done
	return err
}

func (s *stream) event(id, name string, data any) error {
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	if id != "" {
		id = "id: " + id + "\n"
	}
	return s.write(fmt.Sprintf("%sevent: %s\ndata: %s\n\n", id, name, text))
}

func (s *stream) comment() error { return s.write(":\n\n") }

func (s *stream) write(text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.control.SetWriteDeadline(time.Now().Add(writeTime))
	if _, err := s.w.Write([]byte(text)); err != nil {
		return err
	}
	return s.control.Flush()
}
