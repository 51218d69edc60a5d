package report

import (
	"fmt"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/standings"
)

// shownVoids is how many bots footnotes say of that their matches were void.
const shownVoids = 12

// voidNotes say which bots' failures were not theirs, and whose matches were void
// because of them.
func voidNotes(rows []standings.Row) (lines []string) {
	more := 0
	for _, row := range rows {
		note := voidNote(row.Bot, row.Failures, row.Voided)
		switch {
		case note == "":
		case len(lines) == shownVoids:
			more++
		default:
			lines = append(lines, note)
		}
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("So were matches of %s more: --json has the numbers.", Plural(more, "bot")))
	}
	return lines
}

// voidNote is the note on one bot, given its failures by verdict and the voids by
// cause; "" if there is none.
func voidNote(bot string, failures, voided map[string]int) string {
	of := func(cause referee.Cause) int { return voided[string(cause)] }
	machine, caused, memory := of(referee.CauseMachine)+of(referee.CauseStall), of(referee.CauseHelper)+of(referee.CauseFreeze), of(referee.CauseMemory)
	was := func(n int) string { return verb(n, "was", "were") }
	switch {
	case machine > 0:
		all := machine + failures[string(protocols.KindTime)]
		return fmt.Sprintf("%s: %s, of which %d %s the machine's and %s played again.", bot, Plural(all, "timeout"), machine, was(machine), was(machine))
	case caused > 0:
		return fmt.Sprintf("%s: %s %s void because of it and %s played again.", bot, Plural(caused, "match"), was(caused), was(caused))
	case memory > 0:
		return fmt.Sprintf("%s: %s %s played again, since the machine had no memory left.", bot, Plural(memory, "match"), was(memory))
	}
	return ""
}
