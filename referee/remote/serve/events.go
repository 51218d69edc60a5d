package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"umpire/referee/remote"
	"umpire/referee/remote/house"
)

// eventStream is the type of a stream of events.
const eventStream = "text/event-stream"

// beat is how often an event stream without events shows that it lives.
const beat = 15 * time.Second

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

// followMatch streams what happens in a match, from its start or from what the
// onlooker has not seen yet.
func (s *Server) followMatch(w http.ResponseWriter, r *http.Request) error {
	from := 0
	if last := r.Header.Get("Last-Event-ID"); last != "" {
		n, err := strconv.Atoi(last)
		if err != nil || n < 0 {
			return failed(remote.CodeArgument, "Last-Event-ID: found "+remote.Quote(last)+", expected a step")
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
	leave, err := lookOn(s, r)
	if err != nil {
		return err
	}
	defer leave()
	if !isCurrent(info) && !s.past.take(s.proxies.source(r)) {
		return failed(codeRate, "too many looks at matches that are over: two a second are answered")
	}
	ctx, stop := s.untilStopped(r.Context(), info.ID)
	defer stop()
	out := openStream(w)
	page := r.URL.Query().Has("page")
	look := func() error { return s.look(ctx, info, g, &onlooker{out: out, page: page, next: from}) }
	switch err := out.live(look); {
	case ctx.Err() != nil || out.broken:
	case err != nil:
		s.report(r, err)
	default:
		_ = out.write(s.endingOf(r, info.ID, page))
	}
	return nil
}

// maxRecorded bounds the events that are kept of a match that is over, in bytes.
const maxRecorded = 16 << 20

// look shows a match to an onlooker. One that has ended before is drawn once for all,
// unless it is long.
func (s *Server) look(ctx context.Context, info remote.MatchInfo, g house.Game, o *onlooker) error {
	if concealed(s, info) != nil {
		return nil
	}
	source := s.sourceOf(info, g)
	if info.State == remote.Over || info.State == remote.Void {
		frames, err := s.recorded.of(info.ID, func() ([]frame, error) { return drawAll(source, &s.easel) })
		if err == nil {
			return o.send(frames)
		}
		if !errors.Is(err, errLong) {
			return err
		}
		o.showing = &showing{source: source, easel: &s.easel}
		return o.replay(ctx, -1)
	}
	show, leave := s.showings.enter(info.ID, source, &s.easel)
	defer leave()
	o.showing = show
	return o.look(ctx)
}

// errLong is the error of drawing a match of which more than maxRecorded would be kept.
var errLong = errors.New("the match is too long to be kept")

// drawAll draws all of a match that is over.
func drawAll(source func(context.Context, remote.Onlooker) error, e *easel) (frames []frame, err error) {
	bytes := 0
	err = source(context.Background(), remote.Onlooker{Moment: func(m remote.Moment) error {
		var f frame
		err := e.use(func() (err error) { f, err = frameOf(m); return err })
		if bytes += len(f.full); bytes > maxRecorded {
			return errLong
		}
		frames = append(frames, f)
		return err
	}})
	return frames, err
}

// untilStopped returns a context that ends when the server does, unless the match
// has ended: its onlookers are told how.
func (s *Server) untilStopped(ctx context.Context, match string) (context.Context, context.CancelFunc) {
	ctx, stop := context.WithCancel(ctx)
	go func() {
		select {
		case <-s.ended:
			if info, err := s.match(match); err != nil || info.State == remote.Waiting || info.State == remote.Running {
				stop()
			}
		case <-ctx.Done():
		}
	}()
	return ctx, stop
}

// sourceOf returns what tells onlookers of a match: its table, or its record.
func (s *Server) sourceOf(info remote.MatchInfo, g house.Game) func(context.Context, remote.Onlooker) error {
	if t := s.Hub.Table(info.ID); t != nil && (!g.Hidden || info.State != remote.Over) {
		return func(ctx context.Context, o remote.Onlooker) error { return t.Follow(ctx, g.Game, o) }
	}
	return func(_ context.Context, o remote.Onlooker) error { return s.Archive.Replay(info.ID, g.Game, o) }
}

// endingOf returns the event with which a match ends, with its replay for those
// who want it.
func (s *Server) endingOf(r *http.Request, id string, replay bool) string {
	info, err := s.match(id)
	if err != nil {
		return ""
	}
	ending := struct {
		remote.MatchInfo
		Replay string `json:"replay,omitempty"`
	}{MatchInfo: info}
	if replay {
		ending.Replay = s.replayText(r, id)
	}
	text, err := eventText(-1, string(info.State), ending)
	if err != nil {
		return ""
	}
	return text
}

// stream is a stream of server-sent events.
type stream struct {
	mu      sync.Mutex
	w       http.ResponseWriter
	control *http.ResponseController
	broken  bool // nobody listens any more
}

// openStream answers with a stream.
func openStream(w http.ResponseWriter) *stream {
	out := &stream{w: w, control: http.NewResponseController(w)}
	w.Header().Set("Content-Type", eventStream)
	w.Header().Set("X-Accel-Buffering", "no") // proxies must not keep events back
	_ = out.comment()                         // an error is kept in broken
	return out
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

// eventText is an event, with the id of its step unless that is negative.
func eventText(step int, name string, data any) (string, error) {
	var b strings.Builder
	if step >= 0 {
		fmt.Fprintf(&b, "id: %d\n", step)
	}
	fmt.Fprintf(&b, "event: %s\ndata: ", name)
	in := json.NewEncoder(&b)
	in.SetEscapeHTML(false) // no part of it is taken for a page; pictures have many brackets
	if err := in.Encode(data); err != nil {
		return "", err
	}
	b.WriteByte('\n')
	return b.String(), nil
}

func (s *stream) comment() error { return s.write(":\n\n") }

// write sends texts in pieces, each of which may take as long as an answer.
func (s *stream) write(texts ...string) (err error) {
	const most = 64 << 10
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() { s.broken = s.broken || err != nil }()
	for _, text := range texts {
		for text != "" {
			piece := text[:min(most, len(text))]
			text = text[len(piece):]
			_ = s.control.SetWriteDeadline(time.Now().Add(writeTime))
			if _, err := io.WriteString(s.w, piece); err != nil {
				return err
			}
		}
	}
	return s.control.Flush()
}
