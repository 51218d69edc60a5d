package html

import (
	"umpire/referee/pattern"
	"umpire/referee/record"
)

// bounds is how much of a match is drawn.
type bounds struct {
	positions int // of a batch task
	pictures  int // bytes of all pictures, about
	phases    bool
}

var (
	// wholePage is for a match that has a page to itself.
	wholePage = bounds{positions: 5000, pictures: 1500_000, phases: true}
	// sharedPage is for one of many matches on a page.
	sharedPage = bounds{positions: 300, pictures: 1000_000}
)

// withPhases is how many matches of a site, the first, have pictures of what happens within
// a step.
const withPhases = 100

// noPicture stands in place of a picture that would make the page too large.
const noPicture = "no picture"

// line keeps a line exchanged, as far as there is room for it.
func (p *player) line(l line) {
	if p.said > maxLines {
		return
	}
	if p.said += 1 + len(l.Text); p.said > maxLines {
		l.Text = "… (this line and all later ones are left out, to bound the size of the page)"
	}
	p.lines = append(p.lines, l)
}

// command shows all positions and lines of a match of which the page leaves some
// out; "" if it leaves out none.
func (p *player) command(id string) string {
	switch {
	case p.left == 0 && p.undrawn == 0 && p.said <= maxLines:
		return ""
	case p.most == wholePage:
		return replayCommand(id)
	}
	return replayCommand(id) + " --html match.html"
}

// replayCommand shows a record of the results file.
func replayCommand(match string) string { return "umpire replay " + record.ResultsFile + idFlag(match) }

// idFlag names a match to a command; "" if its name was made by hand, and can't be
// copied safely.
func idFlag(match string) string {
	switch parts := plainName().FindStringSubmatch(match); {
	case parts == nil:
		return ""
	case parts[1] != "": // some shells expand ~
		return " --id '" + match + "'"
	}
	return " --id " + match
}

var plainName = pattern.New(`^[0-9A-Za-z]+(~[0-9a-f]+)?$`)
