package serve

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html/template"
	"net/http"
	"sync"
	"time"
)

// often is how often the lists of the lobby are drawn for those who follow them: once
// for all.
const often = 2 * time.Second

// listNames are the templates of the lists, which are the ids of their sections as well.
var listNames = []string{"current", "workers", "standings", "finished", "players"}

// lists are those of the lobby, by name, as parts of its page.
type lists struct {
	Of   map[string]template.HTML
	Hash string // of their texts
}

// draw draws the lists of a lobby.
func (l lobby) draw() (lists, error) {
	drawn, sum := lists{Of: make(map[string]template.HTML)}, sha256.New()
	for _, name := range listNames {
		var text bytes.Buffer
		if err := pages().ExecuteTemplate(&text, name, l); err != nil {
			return lists{}, err
		}
		fmt.Fprintf(sum, "%d %s", text.Len(), text.Bytes())
		drawn.Of[name] = template.HTML(text.String()) // the templates have escaped it
	}
	drawn.Hash = hex.EncodeToString(sum.Sum(nil)[:8])
	return drawn, nil
}

// feed keeps the lists of the lobby as they were drawn last.
type feed struct {
	mu    sync.Mutex
	drawn lists
	at    time.Time
}

// now returns lists that were drawn not long ago.
func (f *feed) now(draw func() (lists, error)) (lists, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if time.Since(f.at) < often && f.drawn.Hash != "" {
		return f.drawn, nil
	}
	drawn, err := draw()
	if err == nil {
		f.drawn, f.at = drawn, time.Now()
	}
	return f.drawn, err
}

// followLobby streams the lists of the lobby that have changed, all at first, unless the
// client has them.
func followLobby(s *Server, w http.ResponseWriter, r *http.Request) error {
	leave, err := s.watchers.enter(s.proxies.source(r))
	if err != nil {
		return err
	}
	defer leave()
	ctx, stop := context.WithCancel(r.Context())
	defer stop()
	out := openStream(w)
	look := func() error {
		sent, tick := lists{Hash: r.Header.Get("Last-Event-ID")}, time.NewTicker(often)
		defer tick.Stop()
		for {
			now, err := s.feed.now(func() (lists, error) { return drawLists(s) })
			if err != nil {
				return err
			}
			if text := now.since(sent); text != "" {
				if err := out.write(text); err != nil {
					return nil
				}
			}
			sent = now
			select {
			case <-tick.C:
			case <-s.ended:
				return nil
			case <-ctx.Done():
				return nil
			}
		}
	}
	if err := out.live(look); err != nil {
		s.report(r, err)
	}
	return nil
}

// since returns an event with the lists that are others than those sent; "" if none is.
func (l lists) since(sent lists) string {
	if l.Hash == sent.Hash {
		return ""
	}
	changed := make(map[string]template.HTML)
	for name, text := range l.Of {
		if text != sent.Of[name] {
			changed[name] = text
		}
	}
	text, err := eventText(-1, "lists", changed)
	if err != nil {
		return "" // texts can be encoded
	}
	return "id: " + l.Hash + "\n" + text
}

// drawLists draws the lists of the lobby as it is now.
func drawLists(s *Server) (drawn lists, err error) {
	err = s.easel.use(func() error {
		view, err := newLobby(s, "", matched{})
		if err == nil {
			drawn, err = view.draw()
		}
		return err
	})
	return drawn, err
}
