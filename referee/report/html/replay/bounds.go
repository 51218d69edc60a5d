package replay

import (
	"cmp"

	"umpire/referee/pattern"
	"umpire/referee/record"
)

// What a page shows of things that have no bound of their own.
const (
	maxLines  = 400 << 10 // bytes of all lines exchanged
	maxLine   = 4 << 10   // bytes of one line exchanged
	maxPhases = 60        // pictures that lead to one position
	maxStatic = 400       // moves that are listed without a script
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

// noPicture stands in place of a picture that would make the page too large.
const noPicture = "no picture"

// Command shows a record of a run, which commands know by that name; "": of the results file.
func Command(run, match string) string {
	return "umpire replay " + cmp.Or(run, record.ResultsFile) + IDFlag(match)
}

// IDFlag names a match to a command; "" if its name was made by hand, and can't be
// copied safely.
func IDFlag(match string) string {
	switch parts := plainName().FindStringSubmatch(match); {
	case parts == nil:
		return ""
	case parts[1] != "": // some shells expand ~
		return " --id '" + match + "'"
	}
	return " --id " + match
}

var plainName = pattern.New(`^[0-9A-Za-z]+(~[0-9a-f]+)?$`)
