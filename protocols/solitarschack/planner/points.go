package planner

import (
	rules "umpire/protocols/solitarschack/board"
)

// Sequence stands for all sequences of removed types that are equal in
// everything that later points depend on. 0 is the empty one.
type Sequence int16

// sequences is the number of different ones.
const sequences = 265

// points is the scoring as a table: the points of one more piece, and the
// sequence it leads to.
type points struct {
	number map[rules.Tally]Sequence // of the canonical tallies
	next   [sequences][rules.Types + 1]Sequence
	gain   [sequences][rules.Types + 1]int32
}

// newPoints follows the rules' tally from its start to all canonical tallies.
func newPoints() *points {
	t := &points{number: map[rules.Tally]Sequence{{}: 0}}
	tallies := []rules.Tally{{}}
	for i := 0; i < len(tallies); i++ {
		for p := rules.One; p <= rules.Springare; p++ {
			tally := tallies[i]
			tally.Add(p)
			t.gain[i][p] = int32(tally.Score())
			key := tally.Canonical()
			n, ok := t.number[key]
			if !ok {
				n = Sequence(len(tallies))
				t.number[key] = n
				tallies = append(tallies, key)
			}
			t.next[i][p] = n
		}
	}
	return t
}
