package serve

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"sync"
	"time"

	"umpire/referee/remote"
	"umpire/referee/remote/house"

	"golang.org/x/time/rate"
)

// throttle bounds how often something may happen, for each of many causes:
// burst times, then rate times a second.
type throttle struct {
	burst   int
	rate    rate.Limit
	mu      sync.Mutex
	buckets map[string]*rate.Limiter
	swept   time.Time
}

func newThrottle(burst int, each rate.Limit) *throttle {
	return &throttle{burst: burst, rate: each, buckets: make(map[string]*rate.Limiter), swept: time.Now()}
}

// take reports whether it may happen once more, and counts it.
func (t *throttle) take(cause string) bool {
	now := time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sweep(now)
	b := t.buckets[cause]
	if b == nil {
		b = rate.NewLimiter(t.rate, t.burst)
		t.buckets[cause] = b
	}
	return b.AllowN(now, 1)
}

// may reports whether it may happen once more.
func (t *throttle) may(cause string) bool {
	now := time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sweep(now)
	b := t.buckets[cause]
	return b == nil || b.TokensAt(now) >= 1
}

// sweep forgets, once in a while, the causes whose buckets are full again.
func (t *throttle) sweep(now time.Time) {
	if now.Sub(t.swept).Seconds() < float64(t.burst)/float64(t.rate) {
		return
	}
	t.swept = now
	maps.DeleteFunc(t.buckets, func(_ string, b *rate.Limiter) bool { return b.TokensAt(now) >= float64(t.burst) })
}

// cause is the key by which the requests of a secret are counted.
func cause(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return string(sum[:])
}

// crowd bounds how many there may be of something at the same time, in all and
// for each cause.
type crowd struct {
	most, each int
	cause      string // which onlookers each bounds, in a phrase
	mu         sync.Mutex
	all        int
	of         map[string]int
}

// enter counts one more, until leave is called; the error says why there may be
// no more.
func (c *crowd) enter(cause string) (leave func(), err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.of[cause] >= c.each:
		return nil, failed(remote.CodeRate, fmt.Sprintf("%d onlookers %s are there, the most there may be: close a page that looks on", c.each, c.cause))
	case c.all >= c.most:
		return nil, failed(house.CodeFull, fmt.Sprintf("%d onlookers are there, the most there may be: try again later", c.most))
	}
	c.all++
	c.of[cause]++
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.all--
		remote.CountDown(c.of, cause)
	}, nil
}
