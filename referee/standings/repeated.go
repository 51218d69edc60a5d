package standings

import "umpire/referee/record"

// Deterministic bots play the same match however often they repeat it, which says
// no more about their strength than playing it once. If all repetitions of a
// case between the same bots are alike reply by reply, they are one observation;
// if any differ, each is one: how often each way is played is then what tells. Where a judge
// draws, they are alike if it says the same, too.

// repetitions are the complete observations of one game, case and set of bots.
type repetitions struct {
	plays plays // of the one that was the first to end
	vary  bool  // others differ
}

// held are complete observations that are not counted, as so far all are alike.
type held struct {
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

// end counts an observation that is complete, unless it repeats all others.
func (t *Tally) end(o *observation) {
	r, again := t.ended[o.game]
	switch o.newCase = !again; {
	case !again:
		t.ended[o.game] = repetitions{plays: o.plays}
	case r.vary:
	case o.plays == r.plays:
		t.repeated += o.matches
		t.hold(o)
		return
	default:
		t.ended[o.game] = repetitions{r.plays, true}
		t.repeated -= t.countHeld(o.game, t.pairs, t.bots, t.finishes)
	}
	o.count(t.pairs, t.bots, t.finishes)
}

// hold keeps an observation that is like all others, to be counted when one differs.
func (t *Tally) hold(o *observation) {
	h := t.held[o.game]
	if h == nil {
		o.isHeld = true
		h = &held{one: o}
		t.held[o.game] = h
	}
	h.n++
}

// countHeld counts what is held, and returns how many matches that is.
func (t *Tally) countHeld(game uint64, pairs map[[2]int]*headToHead, bots []entry, ends finishes) (matches int) {
	if h := t.held[game]; h != nil {
		for range h.n {
			h.one.count(pairs, bots, ends)
			matches += h.one.matches
		}
	}
	return matches
}

// countOpen counts the observations that are not complete, and returns how many of
// their matches repeat others, less those that turn out not to repeat any.
func (t *Tally) countOpen(pairs map[[2]int]*headToHead, bots []entry, ends finishes) (repeated int) {
	t.rooms.open(func(list []*observation) {
		game := list[0].game
		r, complete := t.ended[game]
		furthest, vary := compareOpen(list)
		if complete {
			furthest = nil
			for _, o := range list {
				vary = vary || o.matches == 1 && !r.plays.includes(o.plays)
			}
			if vary && !r.vary {
				repeated -= t.countHeld(game, pairs, bots, ends)
			}
		}
		newCase := !complete
		for _, o := range list {
			if !vary && !r.vary && o != furthest {
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
