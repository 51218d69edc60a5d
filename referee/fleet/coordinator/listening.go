package coordinator

import (
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"golang.org/x/time/rate"

	"umpire/referee/fleet"
)

const (
	// heardBytes is how much of what a worker sends, but for records, is read in a second: one
	// with a thousand slots has 2 MB to say.
	heardBytes = 4 << 20
	// maxListened is of how many workers is known how much they have sent.
	maxListened = 1 << 14
)

// listening bounds what is read of a worker: one that sends without end does not keep the
// coordinator from hearing the others.
type listening struct {
	mu     sync.Mutex
	limits map[string]*rate.Limiter // by the workers' ids
}

// reads reports whether a message, whose subject ends in its worker's id, is to be read.
func (l *listening) reads(msg *nats.Msg) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	id := fleet.LastToken(msg.Subject)
	if l.limits[id] == nil {
		if l.limits == nil || len(l.limits) == maxListened {
			l.limits = make(map[string]*rate.Limiter)
		}
		l.limits[id] = rate.NewLimiter(heardBytes, heardBytes)
	}
	return len(msg.Data) <= fleet.MaxBeat && l.limits[id].AllowN(time.Now(), len(msg.Data))
}
