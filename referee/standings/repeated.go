package standings

import "umpire/referee/record"

// Deterministic bots play the same match however often they repeat it, which says
// no more about their strength than playing it once. If all repetitions of a
// case between the same bots are alike reply by reply, they are one observation;
// if any differ, each is one: how often each way is played is then what tells. Where a judge
// draws, they are alike if it says the same, too.

// repetitions are the complete observations of one game, case and set of bots after the first.
type repetitions struct {
	held *observation // one of those that are not counted, as so far all are alike; nil: there is none
	n    int          // number of these
	vary bool
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

// end counts an observation that is complete, unless it repeats all others.
func (t *Tally) end(o *observation) {
	first, again := t.plays[o.game]
	r := t.ended[o.game]
	switch o.newCase = !again; {
	case !again:
		t.plays[o.game] = o.plays
	case r != nil && r.vary:
	case o.plays == first:
		t.repeated += o.matches
		t.hold(o)
		return
	default:
		t.repeated -= r.countHeld(t.pairs, t.bots, t.finishes)
		t.ended[o.game] = &repetitions{vary: true}
	}
	o.count(t.pairs, t.bots, t.finishes)
}

// hold keeps an observation that is like all others, to be counted when one differs.
func (t *Tally) hold(o *observation) {
	r := t.ended[o.game]
	if r == nil {
		o.isHeld = true
		r = &repetitions{held: o}
		t.ended[o.game] = r
	}
	r.n++
}

// countHeld counts what is held, and returns how many matches that is.
func (r *repetitions) countHeld(pairs map[[2]int]*headToHead, bots []entry, ends finishes) (matches int) {
	if r == nil {
		return 0
	}
	for range r.n {
		r.held.count(pairs, bots, ends)
		matches += r.held.matches
	}
	return matches
}

// countOpen counts the observations that are not complete, and returns how many of
// their matches repeat others, less those that turn out not to repeat any.
func (t *Tally) countOpen(pairs map[[2]int]*headToHead, bots []entry, ends finishes) (repeated int) {
	t.rooms.open(func(list []*observation) {
		first, complete := t.plays[list[0].game]
		r := t.ended[list[0].game]
		furthest, vary := compareOpen(list)
		if complete {
			furthest = nil
			for _, o := range list {
				vary = vary || o.matches == 1 && !first.includes(o.plays)
			}
		}
		if vary {
			repeated -= r.countHeld(pairs, bots, ends)
		}
		vary = vary || r != nil && r.vary
		newCase := !complete
		for _, o := range list {
			if !vary && o != furthest {
				repeated += o.matches
				continue
			}
			o.newCase, newCase = newCase, false
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
