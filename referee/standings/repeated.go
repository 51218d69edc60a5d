package standings

import "umpire/referee/record"

// Deterministic bots play the same match however often they repeat it, which says
// no more about their strength than playing it once. So repetitions of a case between
// the same bots that are alike reply by reply are one observation: each way of playing it
// counts once. Where a judge draws, they are alike if it says the same, too, and are one
// observation unless others differ: deals are drawn at random, and how often counts.

// repetitions are the complete observations of one game, case and set of bots.
type repetitions struct {
	plays plays // of the one that was the first to end
	vary  bool  // others differ: see Tally.others
}

// deals are complete observations of a judge's deals that are not counted, as so far all are
// alike.
type deals struct {
	one *observation
	n   int
}

// plays identifies what was played in the matches of an observation, whatever the
// order in which they ended.
type plays struct {
	sum uint64 // of the matches' hashes
	one uint64 // the greatest of them
}

func (p *plays) add(hash uint64) {
	p.sum += hash
	p.one = max(p.one, hash)
}

// includes reports whether a single match of another observation repeats one of
// these two.
func (p plays) includes(single plays) bool { return single.one == p.one || single.one == p.sum-p.one }

// playOf returns what a match adds to the plays of its observation: a hash of who
// sat where and of what was played.
func (t *Tally) playOf(b *record.Summary) uint64 {
	hash := b.Play
	for _, n := range t.seat {
		hash = mix(hash, uint64(n))
	}
	return hash
}

// end counts an observation that is complete, unless it repeats another.
func (t *Tally) end(o *observation) {
	r, again := t.ended[o.game]
	key := mix(o.game, o.plays.sum)
	switch o.newCase = !again; {
	case !again:
		t.ended[o.game] = repetitions{plays: o.plays}
	case o.drawn && r.vary:
	case o.plays == r.plays || t.others[key]:
		t.repeated += o.matches
		if o.drawn {
			t.hold(o)
		}
		return
	default:
		t.others[key] = true
		t.ended[o.game] = repetitions{r.plays, true}
		t.countHeld(o.game)
	}
	o.count(t.pairs, t.bots, t.finishes)
}

// hold keeps a deal that is like all others, to be counted when one differs.
func (t *Tally) hold(o *observation) {
	d := t.deals[o.game]
	if d == nil {
		o.isHeld = true
		d = &deals{one: o}
		t.deals[o.game] = d
	}
	d.n++
}

func (t *Tally) countHeld(game uint64) {
	if d := t.deals[game]; d != nil {
		for range d.n {
			d.one.count(t.pairs, t.bots, t.finishes)
			t.repeated -= d.one.matches
		}
	}
}

// countOpen counts the observations that are not complete, and returns how many of
// their matches repeat others.
func (t *Tally) countOpen(pairs map[[2]int]*headToHead, bots []entry, ends finishes) (repeated int) {
	t.rooms.open(func(list []*observation) {
		r, complete := t.ended[list[0].game]
		furthest, vary := compareOpen(list)
		if complete {
			furthest = nil
			for _, o := range list {
				vary = vary || o.matches == 1 && !r.plays.includes(o.plays)
			}
		}
		vary = vary || r.vary
		counted := make(map[plays]bool)
		for _, o := range list {
			repeats := complete && !r.vary && o.matches == 1 && r.plays.includes(o.plays) || counted[o.plays] && !o.drawn
			if repeats || !vary && o != furthest {
				repeated += o.matches
				continue
			}
			o.newCase = !complete && len(counted) == 0
			counted[o.plays] = true
			o.count(pairs, bots, ends)
		}
	})
	return repeated
}

// compareOpen compares the repetitions that have been played furthest, and returns
// one of them.
func compareOpen(list []*observation) (furthest *observation, vary bool) {
	furthest = list[0]
	for _, o := range list[1:] {
		switch {
		case o.matches > furthest.matches:
			furthest, vary = o, false
		case o.matches == furthest.matches:
			vary = vary || o.plays != furthest.plays
		}
	}
	return furthest, vary
}
