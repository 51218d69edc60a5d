package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"umpire/referee/report"
)

// A worker says again and again of a job that it is in progress, and meanwhile
// the server gives the job to nobody else. The coordinator hears this too, so
// that nobody keeps jobs for ever, or more of them than it can play. The embedded
// server adds who says it; at an existing one, workers are known by their beats
// alone.

// How long a job may be held: as long as the budgets of its matches allow and
// what a match takes beyond them, twice, since a machine may be slow. Where a
// budget has no limit, nobody is blamed.
const (
	matchMargin   = 10 * time.Second // of a match: its programs start and end, and the referee works
	programMargin = 90 * time.Second // of a program: it is fetched and compiled
	holdSlack     = 2
	holdUnlimited = time.Hour // or, if that is longer:
	holdTimes     = 20        // of the usual time of a match
)

const (
	maxOverdue = 3 // jobs that a worker may hold for too long, until it is dropped
	maxHeld    = 3 // jobs that a worker may hold for each match that it plays at a time
)

// mayHold is how long a worker may hold a job; limited is false if a budget has
// no limit.
func mayHold(list []*entry, mean time.Duration) (most time.Duration, limited bool) {
	programs := make(map[string]bool)
	for _, e := range list {
		l := e.f.Limits.Limits()
		if l.Time == 0 {
			return max(holdUnlimited, holdTimes*mean*time.Duration(len(list))), false
		}
		if l.CPU { // a bot may also take twice its budget and a second of wall time
			l.Time = 2*l.Time + time.Second
		}
		most += matchMargin + time.Duration(len(e.f.Seats))*(l.Time+l.Startup)
		for _, s := range e.f.Seats {
			programs[s.Digest] = true
		}
	}
	return holdSlack * (most + time.Duration(len(programs))*programMargin), true
}

// hold is a worker's claim to be playing a job.
type hold struct {
	since, last time.Time // when it said so first, and last
	client      uint64    // number of its connection to the embedded server
	isOverdue   bool      // which has been dealt with
}

// heldJob is a job in the work queue that is in progress.
type heldJob struct {
	job  string
	by   map[string]*hold // by the id of the worker; "" if it is not known
	over time.Time        // when the job was found to be over; zero: it is not
}

// holdings are the jobs that are in progress.
type holdings struct {
	mu       sync.Mutex
	messages map[uint64]*heldJob // by their numbers in the work queue
}

// inProgress is the message by which a worker keeps a job that it plays.
const inProgress = "+WPI"

// hear hears what workers say of jobs in the work queue.
func (c *Coordinator) hear(msg *nats.Msg) {
	q := c.current()
	parts := strings.Split(msg.Subject, ".") // $JS.ACK, stream, consumer, deliveries, number, …
	if q == nil || string(msg.Data) != inProgress || len(parts) < 6 {
		return
	}
	number, err := strconv.ParseUint(parts[5], 10, 64)
	if err != nil {
		return
	}
	var from server.ClientInfo
	_ = json.Unmarshal([]byte(msg.Header.Get(server.ClientInfoHdr)), &from)
	q.holdings.mu.Lock()
	known := q.holdings.messages[number] != nil
	q.holdings.mu.Unlock()
	job := ""
	if !known {
		ctx, cancel := context.WithTimeout(context.Background(), askWait)
		defer cancel()
		stored, err := c.work.GetMsg(ctx, number)
		if err != nil {
			return // it is not in the queue
		}
		job = lastToken(stored.Subject)
	}
	q.holdings.note(number, job, from.Name, from.ID, time.Now())
}

// note notes that a worker plays a job.
func (h *holdings) note(number uint64, job, worker string, client uint64, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	m := h.messages[number]
	if m == nil {
		m = &heldJob{job: job, by: make(map[string]*hold)}
		h.messages[number] = m
	}
	if m.by[worker] == nil {
		m.by[worker] = &hold{since: now}
	}
	m.by[worker].last, m.by[worker].client = now, client
}

// current forgets the jobs of which nobody has said lately that it plays them,
// and returns the others.
func (h *holdings) current(now time.Time) map[uint64]*heldJob {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, m := range h.messages {
		maps.DeleteFunc(m.by, func(_ string, one *hold) bool { return now.Sub(one.last) > ackWait })
	}
	maps.DeleteFunc(h.messages, func(_ uint64, m *heldJob) bool { return len(m.by) == 0 })
	return maps.Clone(h.messages)
}

// checkHoldings gives jobs that are held for too long, or by a worker that was
// dropped or holds too many, to others.
func (q *queue) checkHoldings(ctx context.Context, h hands, now time.Time) {
	count := make(map[string]int)
	for number, m := range q.holdings.current(now) {
		q.mu.Lock()
		g := q.jobs[m.job]
		q.mu.Unlock()
		if g == nil {
			q.checkOver(ctx, number, m, now)
			continue
		}
		for worker, one := range q.holdings.of(m) {
			count[worker]++
			switch {
			case q.crew.isDropped(worker):
				q.kick(worker, one, now)
				q.takeAway(ctx, m.job, g)
			case !one.isOverdue:
				q.checkOverdue(ctx, m, g, worker, now.Sub(one.since), h)
			}
		}
	}
	for worker, n := range count {
		q.crew.checkHeld(worker, n)
	}
}

// of returns what those who hold a job say of it.
func (h *holdings) of(m *heldJob) map[string]hold {
	h.mu.Lock()
	defer h.mu.Unlock()
	found := make(map[string]hold)
	for worker, one := range m.by {
		found[worker] = *one
	}
	return found
}

// settle notes that it has been dealt with that a job is overdue.
func (h *holdings) settle(m *heldJob, worker string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if one := m.by[worker]; one != nil {
		one.isOverdue = true
	}
}

// checkOver removes a job from the work queue that is over, and said to be in
// progress all the same. An honest worker ends it when its results are stored.
func (q *queue) checkOver(ctx context.Context, number uint64, m *heldJob, now time.Time) {
	if m.over.IsZero() {
		m.over = now
	} else if now.Sub(m.over) > ackWait {
		_ = q.work.DeleteMsg(ctx, number)
	}
}

// kick ends the connection of a worker that was dropped and plays on, although
// it has been told.
func (q *queue) kick(worker string, one hold, now time.Time) {
	if q.Server != nil && now.Sub(one.since) > lostAfter {
		q.Server.kick(worker, one.client)
	}
}

// takeAway removes a job from the work queue, and gives what is left of it to
// workers again.
func (q *queue) takeAway(ctx context.Context, id string, g *given) {
	_ = q.work.Purge(ctx, jetstream.WithPurgeSubject(q.job(g.needs.class(), id)))
	if g.needs.addressee() != "" {
		_ = q.giveToAny(ctx, id)
		return
	}
	q.again(id)
}

// checkOverdue gives a job that a worker has held for too long to a second one as
// well: the first result counts. If there is a limit to what the matches may
// take, the worker is to blame.
func (q *queue) checkOverdue(ctx context.Context, m *heldJob, g *given, worker string, held time.Duration, h hands) {
	q.mu.Lock()
	most, limited := mayHold(g.all, q.mean)
	matches, second := len(g.all), g.second
	q.mu.Unlock()
	if held < most {
		return
	}
	q.holdings.settle(m, worker)
	id := m.job
	holders := append(slices.Clone(h.holders[id]), worker)
	if limited {
		why := fmt.Sprintf("it has held %d jobs for longer than their matches can take; the last, %s, for %s", maxOverdue, report.Plural(matches, "match"), held.Round(time.Second))
		for _, each := range slices.Compact(slices.Sorted(slices.Values(holders))) {
			q.crew.overdue(each, why)
		}
	}
	if g.needs.addressee() != "" {
		q.takeAway(ctx, id, g)
		return
	}
	to, ok := q.crew.other(q.needs(g.all[0].f), append(holders, second))
	if !ok {
		return
	}
	q.mu.Lock()
	g.second = to.ID
	q.mu.Unlock()
	if err := q.giveToSecond(ctx, seconded{id, g, to}); err != nil {
		q.Note("umpire: give a match to a second worker: %v\n", err)
	}
}

// overdue notes that a worker has held a job for too long.
func (c *crew) overdue(id, why string) {
	c.mu.Lock()
	c.late[id]++
	n := c.late[id]
	c.mu.Unlock()
	if n >= maxOverdue {
		c.drop(id, why)
	}
}

// checkHeld drops a worker that holds many more jobs than it plays.
func (c *crew) checkHeld(id string, n int) {
	c.mu.Lock()
	slots := c.seen[id].Slots
	c.mu.Unlock()
	if slots > 0 && n > maxHeld*slots {
		c.drop(id, fmt.Sprintf("it holds %d jobs, and plays only %d at a time", n, slots))
	}
}

// isDropped reports whether a worker takes part no more.
func (c *crew) isDropped(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.dropped[id] != ""
}
