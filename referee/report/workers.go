package report

import (
	"fmt"
	"strings"

	"umpire/referee"
	"umpire/referee/standings"
)

// MixedLevels is the CommonLevel of matches at several levels.
const MixedLevels = "mixed"

// CommonLevel returns the level of isolation at which all of some matches were
// played: MixedLevels if there are several, and own where none is recorded.
func CommonLevel(list []standings.Level, own referee.Level) string {
	switch len(list) {
	case 0:
		return string(own)
	case 1:
		return list[0].Isolation
	}
	return MixedLevels
}

// shownEffects is how many effects of workers footnotes describe.
const shownEffects = 3

// placeNotes says what matches have not had in common: their isolation, and
// workers that change results.
func placeNotes(st *standings.Standings) (lines []string) {
	if len(st.Isolation) > 1 {
		var parts []string
		for _, level := range st.Isolation {
			parts = append(parts, Plural(level.Matches, "match")+" at "+level.Isolation)
		}
		lines = append(lines, "The matches were played at different levels of isolation: "+strings.Join(parts, ", ")+".")
	}
	for i, e := range st.WorkerEffects {
		if i == shownEffects {
			lines = append(lines, fmt.Sprintf("There are %d more such workers.", len(st.WorkerEffects)-i))
			break
		}
		if e.Other != "" {
			lines = append(lines, fmt.Sprintf("Workers %s and %s give different results: bot %s has %.0f %% of the match points on %s, and %.0f %% in the same pairs on %s (p = %.2g).",
				e.Worker, e.Other, e.Bot, 100*e.Here, e.Worker, 100*e.Elsewhere, e.Other, e.P))
			continue
		}
		lines = append(lines, fmt.Sprintf("Worker %s changes results: bot %s has %.0f %% of the match points there, and %.0f %% in the same pairs on other workers (p = %.2g).",
			e.Worker, e.Bot, 100*e.Here, 100*e.Elsewhere, e.P))
	}
	return lines
}
