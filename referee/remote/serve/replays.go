package serve

import (
	"net/http"
	"slices"
	"sync"

	"umpire/protocols"
	"umpire/referee/record"
	"umpire/referee/remote"
	"umpire/referee/report/html"
)

// replaysKept is how many replays are kept: those of matches that have just ended
// are asked for by all their onlookers.
const replaysKept = 8

// replays keeps the latest replays, each of which is drawn once.
type replays struct {
	mu   sync.Mutex
	list []keptReplay // the one asked for last at the end
}

type keptReplay struct {
	match string
	draw  func() (html.Fragment, error)
}

// of returns the replay of a match, which is drawn if it is not kept.
func (r *replays) of(match string, draw func() (html.Fragment, error)) (html.Fragment, error) {
	shown, err := r.find(match, draw).draw()
	if err != nil {
		r.drop(match) // the next one may succeed
	}
	return shown, err
}

func (r *replays) drop(match string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = slices.DeleteFunc(r.list, func(k keptReplay) bool { return k.match == match })
}

func (r *replays) find(match string, draw func() (html.Fragment, error)) keptReplay {
	r.mu.Lock()
	defer r.mu.Unlock()
	kept := keptReplay{match, sync.OnceValues(draw)}
	if i := slices.IndexFunc(r.list, func(k keptReplay) bool { return k.match == match }); i >= 0 {
		kept = r.list[i]
		r.list = slices.Delete(r.list, i, i+1)
	} else if len(r.list) == replaysKept {
		r.list = slices.Delete(r.list, 0, 1)
	}
	r.list = append(r.list, kept)
	return kept
}

// replayOf returns the replay of a match that is over.
func (s *Server) replayOf(info remote.MatchInfo) (html.Fragment, error) {
	return s.replays.of(info.ID, func() (html.Fragment, error) {
		found, ok, err := s.Archive.record(info.ID)
		if err != nil {
			return html.Fragment{}, err
		}
		if !ok {
			return html.Fragment{}, failed(codeMatch, "there is no record of this match")
		}
		return s.drawReplay(found)
	})
}

// replayText is the contents of the page on which a match is played back; "" if
// that can't be done.
func (s *Server) replayText(r *http.Request, match string) string {
	info, err := s.match(match)
	if err != nil || info.State != remote.Over {
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
	shown, err := html.ReplayFragment(remote.Public(r), games)
	if err != nil {
		return html.Fragment{}, failed(codeMatch, "the record can't be played back: "+err.Error())
	}
	return shown, nil
}
