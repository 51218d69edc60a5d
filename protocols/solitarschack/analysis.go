package solitarschack

import (
	"umpire/protocols"
	"umpire/protocols/solitarschack/board"
	"umpire/protocols/solitarschack/planner"
)

// analysis has values in points. Estimates of equal squares differ by a few.
var analysis = protocols.Analysis{
	Unit: "points",
	Method: "an estimate: the final score that @strong expects after planning 16 removals ahead, with 12 plans kept for each square; " +
		"pieces that are not in sight may be of any type",
	Scores: true,
}

// plansKept is the number of plans of every length that Values keeps for each
// square.
const plansKept = 12

// advisor plans for the types seen in a match.
type advisor struct {
	group string
	*planner.Planner
}

// Values plans ahead from each square in reach. The value of ending the match is
// the score it has then.
func (m *match) Values(who int) (values []protocols.Value, exact bool) {
	if m.ended || who != seat {
		return nil, false
	}
	exact = m.Reachable() == 0
	if !exact {
		advisor := m.advise()
		state := advisor.State(&m.Position)
		for _, plan := range advisor.Each(&state, plansKept) {
			value := protocols.Value{Reply: plan.First.String(), Value: plan.Value}
			for _, s := range plan.Then {
				value.Line = append(value.Line, s.String())
			}
			values = append(values, value)
		}
	}
	return append(values, protocols.Value{Reply: endReply, Value: float64(m.Tally.Score())}), exact
}

// advise returns a planner for the types seen so far.
func (m *match) advise() *advisor {
	var seen [board.Types + 1]bool
	for _, piece := range m.Pieces {
		seen[piece] = true
	}
	for _, piece := range m.sequence[:m.Tally.Removals] {
		seen[piece] = true
	}
	if group := planner.Group(seen); m.advisor.group != group {
		m.advisor = advisor{group, planner.For(group)}
	}
	return &m.advisor
}
