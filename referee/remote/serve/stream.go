package serve

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// eventStream is the type of a stream of events.
const eventStream = "text/event-stream"

// beat is how often an event stream without events shows that it lives.
const beat = 15 * time.Second

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
