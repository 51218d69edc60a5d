package referee

import (
	"umpire/protocols"
)

// demote gives the seats that have not played no score and the last place, whatever the
// others did, also where the match was over before they were asked. If none has played,
// nobody wins.
func (d *driver) demote(outcomes []protocols.Outcome) {
	broken := func(i int) bool {
		f := d.seats[i].failure
		return f != nil && f.NotPlayed()
	}
	played := 0
	for i := range outcomes {
		if !broken(i) {
			played++
		}
	}
	if played == len(outcomes) {
		return
	}
	before := func(a, b int) bool {
		if broken(a) != broken(b) {
			return broken(b)
		}
		return !broken(a) && outcomes[a].Place < outcomes[b].Place
	}
	places := protocols.Places(len(outcomes), before)
	for i := range outcomes {
		if outcomes[i].Place = places[i]; broken(i) {
			outcomes[i].Score = protocols.Score{}
		}
		if played == 0 && len(outcomes) > 1 {
			outcomes[i].Place = 2
		}
	}
}
