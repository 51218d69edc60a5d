package html

import (
	"umpire/referee"
	"umpire/referee/analysis"
	"umpire/referee/record"
	"umpire/referee/report/html/page"
	"umpire/referee/report/html/replay"
)

// A site need not lie in a folder: a page may keep its files and show them in frames, and
// have a replay drawn when it is asked for.

// Replay returns the page that plays back the match of a line, whose replay was left for
// later, with what its replies were worth if that is asked for. What keeps it from being
// played back, or its replies from being valued, stands on the page.
func (s *Site) Replay(line record.Line, analyse bool) (text []byte, err error) {
	line.Names = &s.names
	r, err := line.Record()
	if err != nil {
		return nil, err
	}
	m := replay.Match{Record: r, Games: s.Games}
	if analyse {
		err := referee.Guard(func() (err error) {
			m.Worth, err = analysis.Of(r, s.Games, nil)
			return err
		})
		if err != nil {
			m.Unvalued = err.Error()
		}
	}
	err = referee.Guard(func() (err error) {
		text, err = m.Page(s.Script)
		return err
	})
	if err == nil {
		return text, nil
	}
	return templates.Render("unplayed", struct {
		chrome
		missing
	}{s.out().chrome("Match", replay.Style()), missing{Game: s.Game.Title, ID: page.SafeLine(r.Called()), Why: page.Safe(err.Error())}})
}

// FramedPolicy is the content security policy of a page with a style and scripts of its
// own that runs a program and shows pages of a site in frames made by it, which inherit the
// policy. The last of the scripts is the Site's Script.
func FramedPolicy(style string, scripts ...string) string {
	scripts = append(scripts, replay.Script(), sortText, page.UnpackScript(), crossText, listText, matchesText, pairsText, copyText)
	return "default-src 'none'; connect-src 'none'; script-src 'wasm-unsafe-eval' " + page.Hashes(scripts...) +
		"; style-src " + page.Hashes(style, SiteStyle(), replay.Style()) + "; frame-src blob:; base-uri 'none'; form-action 'none'"
}
