package serve

import (
	"net/http"

	"umpire/protocols"
	"umpire/referee/record"
	"umpire/referee/remote"
	"umpire/referee/report/html/replay"
)

// replays draws the replays of matches that are over.
type replays struct {
	directory *directory
	easel     *easel
	report    *reporter
	kept      cache[replay.Fragment]
}

// of returns the replay of a match that is over.
func (p *replays) of(info remote.MatchInfo) (replay.Fragment, error) {
	return p.kept.of(info.ID, func() (shown replay.Fragment, err error) {
		found, err := p.directory.record(info.ID)
		if err != nil {
			return shown, err
		}
		err = p.easel.use(func() (err error) { shown, err = p.draw(found); return err })
		return shown, err
	})
}

// text is the contents of the page on which a match is played back; "" if
// that can't be done.
func (p *replays) text(r *http.Request, match string) string {
	info, err := p.directory.match(match)
	if err != nil || info.State != remote.Over || p.directory.concealed(info) != nil {
		return ""
	}
	shown, err := p.of(info)
	if err != nil {
		p.report.tell(r, err)
		return ""
	}
	return string(shown.Body)
}

func (p *replays) draw(r record.Record) (replay.Fragment, error) {
	g, _ := p.directory.games.Find(r.Game) // a record of another can't be played back
	viewer := ""
	if g.Viewer != nil {
		viewer = "../viewers/" + r.Game // as seen from the page of the match
	}
	shown, err := replay.Match{Record: remote.Public(r), Games: []protocols.Game{g.Game}, Viewer: viewer}.Fragment()
	if err != nil {
		return replay.Fragment{}, failed(codeMatch, "the record can't be played back: "+err.Error())
	}
	return shown, nil
}
