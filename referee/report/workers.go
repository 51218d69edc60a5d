package report

import (
	"fmt"
	"strconv"
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
		p := strconv.FormatFloat(e.P, 'g', 2, 64)
		if e.Other != "" {
			lines = append(lines, fmt.Sprintf("Workers %s and %s give different results: bot %s has %s %% of the match points on %s, and %s %% in the same pairs on %s (p = %s).",
				e.Worker, e.Other, e.Bot, percent(e.Here), e.Worker, percent(e.Elsewhere), e.Other, p))
			continue
		}
		lines = append(lines, fmt.Sprintf("Worker %s changes results: bot %s has %s %% of the match points there, and %s %% in the same pairs on other workers (p = %s).",
			e.Worker, e.Bot, percent(e.Here), percent(e.Elsewhere), p))
	}
	return lines
}

// percent formats a share as whole per cent.
func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 0, 64) }
