package vmukni

import (
	"time"
)

// newLookahead tries about 100,000 insertions per move, some 15 ms, and fewer
// if the machine turns out to be slow: a player has 200 ms per move.
func newLookahead(*position) chooser {
	const (
		most = 100_000
		slow = 100 * time.Millisecond
	)
	limit := most
	return func(p *position) int {
		begun := time.Now()
		way := p.Best(limit)
		if time.Since(begun) > slow {
			limit /= 2
		} else {
			limit = min(2*limit, most)
		}
		return way
	}
}
