package serve

import (
	"errors"
	"net/http"
	"slices"
	"sync"

	"umpire/protocols"
	"umpire/referee/record"
	"umpire/referee/remote"
	"umpire/referee/report/html"
)

// Of how many matches what was drawn is kept: those that have just ended are looked at by
// all their onlookers.
const (
	replaysKept  = 8
	recordedKept = 4 // of which each may have maxRecorded
)

// cache keeps what was drawn of the matches looked at last; each is drawn once.
type cache[T any] struct {
	most int // matches
	mu   sync.Mutex
	list []drawing[T] // the one asked for last at the end
}

type drawing[T any] struct {
	match string
	draw  func() (T, error)
}

// of returns what there is to see of a match, which is drawn if it is not kept.
func (c *cache[T]) of(match string, draw func() (T, error)) (T, error) {
	shown, err := c.find(match, draw).draw()
	if err != nil && !errors.Is(err, errLong) {
		c.drop(match) // the next one may succeed
	}
	return shown, err
}

func (c *cache[T]) drop(match string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = slices.DeleteFunc(c.list, func(d drawing[T]) bool { return d.match == match })
}

func (c *cache[T]) find(match string, draw func() (T, error)) drawing[T] {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept := drawing[T]{match, sync.OnceValues(draw)}
	if i := slices.IndexFunc(c.list, func(d drawing[T]) bool { return d.match == match }); i >= 0 {
		kept = c.list[i]
		c.list = slices.Delete(c.list, i, i+1)
	} else if len(c.list) == c.most {
		c.list = slices.Delete(c.list, 0, 1)
	}
	c.list = append(c.list, kept)
	return kept
}

// easel bounds how much is drawn and searched for onlookers concurrently: to one
// processor, so that the matches have the others. It has the usual priority, as a thread
// of a low one would keep all others waiting when memory is collected.
type easel struct{ mu sync.Mutex }

// use runs f when nobody else is drawing.
func (e *easel) use(f func() error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return f()
}

// replayOf returns the replay of a match that is over.
func (s *Server) replayOf(info remote.MatchInfo) (html.Fragment, error) {
	return s.replays.of(info.ID, func() (html.Fragment, error) {
		found, ok, err := s.Archive.Record(info.ID)
		if err != nil {
			return html.Fragment{}, err
		}
		if !ok {
			return html.Fragment{}, failed(codeMatch, "there is no record of this match")
		}
		var shown html.Fragment
		err = s.easel.use(func() (err error) { shown, err = s.drawReplay(found); return err })
		return shown, err
	})
}

// replayText is the contents of the page on which a match is played back; "" if
// that can't be done.
func (s *Server) replayText(r *http.Request, match string) string {
	info, err := s.match(match)
	if err != nil || info.State != remote.Over || concealed(s, info) != nil {
		return ""
	}
	shown, err := s.replayOf(info)
	if err != nil {
		s.report(r, err)
		return ""
	}
	return string(shown.Body)
}

func (s *Server) drawReplay(r record.Record) (html.Fragment, error) {
	games := make([]protocols.Game, len(s.Games))
	for i, g := range s.Games {
		games[i] = g.Game
	}
	viewer := ""
	if viewerOf(s, r.Game) != nil {
		viewer = "../viewers/" + r.Game // as seen from the page of the match
	}
	shown, err := html.ReplayFragment(remote.Public(r), games, viewer)
	if err != nil {
		return html.Fragment{}, failed(codeMatch, "the record can't be played back: "+err.Error())
	}
	return shown, nil
}
