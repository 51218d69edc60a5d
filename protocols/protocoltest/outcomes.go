package protocoltest

import (
	"cmp"
	"fmt"
	"slices"

	"umpire/protocols"
)

// checkOutcomes checks the result of a match that is over: whoever scores more
// has the better place, equal scores are a tie, and nobody wins by failing.
func (d *drive) checkOutcomes() error {
	if len(d.await) > 0 {
		return nil // it was played only so far
	}
	result := d.last.result
	for i, a := range result {
		for j, b := range result[:i] {
			if d.failed[i+1] || d.failed[j+1] || d.suite.PlacesApart != "" {
				continue
			}
			if a.Score.Compare(b.Score) != cmp.Compare(b.Place, a.Place) {
				return fmt.Errorf("result %+v: the places of seats %d and %d do not follow from their scores; if they need not, say why in Suite.PlacesApart",
					result, j+1, i+1)
			}
		}
	}
	winner := slices.IndexFunc(result, func(o protocols.Outcome) bool { return o.Place == 1 })
	alone := !slices.ContainsFunc(result[winner+1:], func(o protocols.Outcome) bool { return o.Place == 1 })
	others := slices.Contains(append(slices.Clone(d.failed[1:winner+1]), d.failed[winner+2:]...), false)
	if d.failed[winner+1] && alone && others && d.suite.FailedMayWin == "" {
		return fmt.Errorf("result %+v: seat %d has failed and is alone in place 1; if it may be, say why in Suite.FailedMayWin", result, winner+1)
	}
	return nil
}

// noteChoices keeps what the awaited seats of a Chooser may choose: something,
// each of them.
func (d *drive) noteChoices() error {
	chooser, ok := d.main.(protocols.Chooser)
	if !ok {
		return nil
	}
	d.offered = make([][]protocols.Choice, d.seats+1)
	for _, seat := range d.await {
		if d.offered[seat] = chooser.Choices(seat); len(d.offered[seat]) == 0 {
			return fmt.Errorf("seat %d is awaited, but has no choice", seat)
		}
	}
	return nil
}

// isOffered reports whether a reply is one of an awaited seat's choices, written
// tidily, or need not be.
func (d *drive) isOffered(seat int, text string) bool {
	if d.offered == nil || d.suite.OpenReplies != "" {
		return true
	}
	tidy := protocols.Tidy(text)
	return slices.ContainsFunc(d.offered[seat], func(c protocols.Choice) bool { return c.Reply == tidy })
}
