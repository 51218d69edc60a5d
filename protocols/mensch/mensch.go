package mensch

import (
	_ "embed"
	"fmt"
	"iter"
	"strings"

	"umpire/protocols"
)

// Rules are put together from pieces: parts that several games share are
// written once, and inserted where a text has [pieces] or [requests].
var (
	//go:embed rules/pieces.md
	rulesPieces string
	//go:embed rules/requests.md
	rulesRequests string
	//go:embed rules/checking.md
	rulesChecking string

	//go:embed rules/mensch.md
	rulesMatch string
	//go:embed rules/mensch-1.md
	rules1 string
	//go:embed rules/mensch-2.md
	rules2 string
	//go:embed rules/mensch-3.md
	rules3 string
	//go:embed rules/mensch-4.md
	rules4 string
	//go:embed rules/mensch-5.md
	rules5 string
)

// Games returns the match game and the five batch tasks.
func Games() []protocols.Game {
	return []protocols.Game{
		match2to4(),
		batchTask(1, "part 1, the die", rules1),
		batchTask(2, "part 2, the numbers", rules2),
		batchTask(3, "part 3, one colour", rules3),
		batchTask(4, "part 4, four colours", rules4),
		batchTask(5, "part 5, the board", rules5),
	}
}

func match2to4() protocols.Game {
	return protocols.Game{
		Name:            "mensch",
		Title:           "Mensch (منچ)",
		Rules:           rulesText(rulesMatch),
		MinSeats:        2,
		MaxSeats:        4,
		SubmissionSeats: []int{1, 2, 3, 4},
		DefaultOpponent: "runner",
		Formula:         "X",
		Rank:            protocols.ByPlaces,
		Analysis:        analysis,
		Parse:           parse,
		Groups:          groupNames(),
		Generate:        generate,
	}
}

func batchTask(part int, title, rules string) protocols.Game {
	g := protocols.Game{
		Name:     taskName(part),
		Title:    "Mensch (منچ), " + title,
		Rules:    rulesText(rules),
		MinSeats: 1,
		MaxSeats: 1,
		Formula:  "P * ok",
		Rank:     protocols.ByPoints,
		Parse:    func(text string) (protocols.Case, error) { return parseTask(part, text) },
		Groups:   taskGroups(part),
		Generate: func(group string, seed uint64) (protocols.Case, error) {
			return generateTask(part, group, seed)
		},
	}
	if part == 1 {
		g.All = everyFace
	}
	return g
}

func taskName(part int) string { return fmt.Sprintf("mensch-%d", part) }

func groupNames() []string { return []string{standard} }

func taskGroups(part int) []string {
	if part == 1 {
		return []string{allFaces}
	}
	if part <= 3 {
		return []string{mixed, largest}
	}
	return []string{mixed, largest, open}
}

// everyFace lists the six cases of part 1.
func everyFace() iter.Seq[protocols.Case] {
	return func(yield func(protocols.Case) bool) {
		for n := 1; n <= 6; n++ {
			if !yield(&task{part: 1, face: n}) {
				return
			}
		}
	}
}

func rulesText(text string) string {
	text = strings.ReplaceAll(text, "[pieces]\n", rulesPieces)
	text = strings.ReplaceAll(text, "[requests]\n", rulesRequests)
	return strings.ReplaceAll(text, "[checking]\n", rulesChecking)
}
