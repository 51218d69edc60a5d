package worker

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"umpire/referee/fleet"
)

// line is a worker that is connected to a server, and plays for the runs there.
type line struct {
	w      *Worker
	only   fleet.Names // for which it plays; zero: all
	nc     *nats.Conn
	js     jetstream.JetStream
	taking context.Context // ends when the worker is to begin no more matches
	id     string
	start  string // see fleet.Hello
	strain strain
	work   func(f func() error) // which the line waits for
	anew   chan struct{}        // the worker must say hello again

	mu      sync.Mutex
	runs    map[string]*playing // by name
	refused map[string]string   // why runs refuse the worker, by their names
	slots   []*playing          // at which run each slot waits; nil: it does not
	changed chan struct{}       // closed when there are other runs
	clock   float64             // share that the run had whose turn it was last
	since   time.Time           // when the last run went
}

// playing is the part of a worker in one run.
type playing struct {
	l        *line
	names    fleet.Names
	stays    bool            // the server outlives the run
	made     sync.Map        // a *making by digest
	draining atomic.Bool     // the coordinator wants no more matches to begin
	news     chan struct{}   // orders have changed
	ctx      context.Context // ends when the worker plays for the run no more, by:
	over     context.CancelCauseFunc

	// Guarded by the line's lock:

	called   string                             // by the coordinator
	joined   int64                              // see fleet.Welcome
	held     map[string]context.CancelCauseFunc // the jobs that it has and has not delivered, by id
	last     map[int]string                     // id of the job that each slot was given last
	back     []fleet.Back                       // jobs that it gives back
	line     context.Context                    // ends when what was asked for will not be answered
	renew    context.CancelFunc                 // of line
	priority int
	away     bool          // the coordinator does not answer
	waiting  int           // jobs of the run, as far as it is known
	slots    int           // that wait for its jobs, or play them
	busy     int           // slots that play
	worked   int           // most slots that played concurrently since the last beat
	stored   uint64        // number of the last record in the results stream
	used     time.Duration // of slots, so far
	mean     time.Duration // of a job
}

// do runs f while nothing else changes what the line knows.
func (l *line) do(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f()
}

// heardOf passes on that a run has news. It reports false if the worker does not know it.
func (l *line) heardOf(run string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.runs[run]
	if p == nil {
		return false
	}
	poke(p.news)
	return true
}

// refuse notes that a run refuses the worker. The error is why the worker must end: there
// are no others, or they will refuse it as well.
func (l *line) refuse(run, why string, stays bool) error {
	if !stays || why == fleet.Replaced {
		return &fleet.RefusedError{Why: why}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.refused[run] != why {
		l.refused[run] = why
		l.w.Note("umpire: run %s refuses this worker: %s\n", run, why)
	}
	if p := l.runs[run]; p != nil {
		l.forget(p)
	}
	return nil
}

// forget ends the part of a worker in a run. The lock is held.
func (l *line) forget(p *playing) {
	delete(l.runs, p.names.Run)
	if len(l.runs) == 0 {
		l.since = time.Now()
	}
	p.over(errNotNeeded)
	p.renew()
}

// choose returns the run whose turn it is to have a slot, which waits there then; nil if
// there is none, and what to wait for.
func (l *line) choose(slot int) (p *playing, changed <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, one := range l.runs {
		if p == nil || one.isBefore(p) {
			p = one
		}
	}
	if p != nil {
		p.waiting = max(0, p.waiting-1)
		p.slots++
		l.clock = p.share()
		l.slots[slot] = p
	}
	return p, l.changed
}

// done notes that a slot is free again, after a time.
func (l *line) done(slot int, p *playing, took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p.slots--
	if l.slots[slot] == nil { // it has played
		p.busy--
		p.used += took
		p.mean += (took - p.mean) / 8
	}
	l.slots[slot] = nil
}

// hasWork notes how many jobs of a run wait, and has slots ask anew that wait where there
// are none.
func (l *line) hasWork(p *playing, jobs int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if p.waiting == 0 && jobs > 0 && p.slots == 0 { // it has no claim on what others have had meanwhile
		p.used = max(p.used, time.Duration(l.clock*float64(p.priority)))
	}
	p.away, p.waiting = false, jobs
	for slot, at := range l.slots {
		if jobs > 0 && at != nil && at != p && at.waiting == 0 {
			jobs--
			if data, err := json.Marshal(fleet.Take{Slot: slot, Over: true}); err == nil {
				_ = l.nc.Publish(at.names.Take(l.id), data)
			}
		}
	}
}

// share is how much of the worker's time the run has had, and will have had once the jobs
// that it plays are over, in seconds divided by the run's priority.
func (p *playing) share() float64 {
	return float64(p.used+time.Duration(p.slots)*p.mean) / float64(p.priority)
}

// isBefore reports whether it is a run's turn, and not that of another.
func (p *playing) isBefore(other *playing) bool {
	switch {
	case p.away != other.away:
		return other.away
	case (p.waiting > 0) != (other.waiting > 0):
		return p.waiting > 0
	}
	return p.share() < other.share()
}

// askAnew has the slots ask for jobs once more. The lock is held.
func (p *playing) askAnew() {
	p.renew()
	p.line, p.renew = context.WithCancel(p.l.taking)
}

// setAway notes that the coordinator does not answer.
func (p *playing) setAway() {
	p.l.mu.Lock()
	defer p.l.mu.Unlock()
	p.away = true
}

// myName returns the name by which the coordinator knows the worker.
func (p *playing) myName() string {
	p.l.mu.Lock()
	defer p.l.mu.Unlock()
	return p.called
}

// ask sends a request to the coordinator, and waits for the answer for some time.
func (p *playing) ask(ctx context.Context, most time.Duration, subject string, question, answer any) error {
	data, err := json.Marshal(question)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	msg, err := p.l.nc.RequestWithContext(ctx, subject, data)
	if err != nil {
		return err
	}
	return json.Unmarshal(msg.Data, answer)
}

// isStopping reports whether the worker has been asked to end.
func (l *line) isStopping() bool { return errors.Is(context.Cause(l.taking), errLeft) }

// poke sends to a channel that has room for one.
func poke(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// pausing returns the share of time that contestants have waited for CPUs, if the
// worker pauses for it, or else 0.
func (l *line) pausing() float64 {
	if l.w.Own {
		return 0
	}
	return l.strain.waiting(time.Now())
}
