package standings

import (
	"slices"

	"umpire/referee/record"
)

// Deterministic bots play the same match however often they repeat it, which says
// no more about their strength than playing it once. If all repetitions of a
// case between the same bots are alike reply by reply, they are one observation;
// if any differ, each is one. Where a judge draws, they are alike if it says the same, too.

// repetitions are the complete observations of one game, case and set of bots,
// of which there are two or more.
type repetitions struct {
	first  *observation // like all others, unless they vary
	copies int          // observations not counted, as they are like the first
	vary   bool
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
	if !again {
		t.plays[o.game] = o.plays
		o.count(t.pairs, t.bots, t.finishes)
		return
	}
	r := t.ended[o.game]
	if r == nil {
		r = &repetitions{first: o}
		o.isFirst = true
		t.ended[o.game] = r
	}
	switch {
	case r.vary:
		o.count(t.pairs, t.bots, t.finishes)
	case o.plays == first:
		r.copies++
		t.repeated += o.matches
	default:
		r.vary = true
		o.count(t.pairs, t.bots, t.finishes)
		for range r.copies {
			r.first.count(t.pairs, t.bots, t.finishes)
			t.repeated -= r.first.matches
		}
	}
}

// countOpen counts the observations that are not complete, and returns how many of
// their matches repeat others, less those that turn out not to repeat any.
func (t *Tally) countOpen(pairs map[[2]int]*headToHead, bots []entry, ends finishes) (repeated int) {
	t.rooms.open(func(list []*observation) {
		game := list[0].game
		furthest, vary := compareOpen(list)
		if complete, ok := t.plays[game]; ok {
			furthest = nil
			vary = vary || slices.ContainsFunc(list, func(o *observation) bool { return o.matches == 1 && !complete.includes(o.plays) })
			if r := t.ended[game]; r != nil && r.vary {
				vary = true
			} else if r != nil && vary {
				for range r.copies {
					r.first.count(pairs, bots, ends)
					repeated -= r.first.matches
				}
			}
		}
		for _, o := range list {
			if vary || o == furthest {
				o.count(pairs, bots, ends)
			} else {
				repeated += o.matches
			}
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
