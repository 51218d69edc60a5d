package tournament

import "umpire/referee/record"

// onlyRound sums up the matches played so far of a tournament that has no
// rounds. A match counts as soon as it is read, so that the summaries of a
// million need not be kept.
type onlyRound struct {
	number    map[uint64]int // of each match of the schedule, by its key
	played    []bool         // by number
	unrelated map[uint64]bool
}

// schedule returns the only round, without the matches played so far if there is
// none yet.
func (c *Run) schedule() *onlyRound {
	if c.only == nil {
		round, _ := c.Plan.Next(nil)
		c.only = &onlyRound{number: make(map[uint64]int, round.Len), played: make([]bool, round.Len), unrelated: make(map[uint64]bool)}
		n := 0
		for p := range round.Matches {
			c.only.number[c.key(p)] = n
			n++
		}
	}
	return c.only
}

func (c *Run) addToOnly(b *record.Summary) {
	if b.Key == 0 {
		return
	}
	o, key := c.schedule(), matchOf(b)
	switch n, ok := o.number[key]; {
	case ok && !o.played[n]:
		o.played[n] = !b.Failed
		c.count(b)
		c.Sequential.add(n, b)
	case !ok && !b.Failed:
		o.unrelated[key] = true
	}
}

// missing lists the matches that were not played, and counts the others.
func (o *onlyRound) missing() (missing []int, before int) {
	missing = []int{}
	for n, played := range o.played {
		if played {
			before++
		} else {
			missing = append(missing, n)
		}
	}
	o.number = nil // it is large
	return missing, before
}
