package worker

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"umpire/referee"
	"umpire/referee/fleet"
)

// line is a worker that is connected to a server, and plays for the runs there.
type line struct {
	w      *Worker
	nc     *nats.Conn
	js     jetstream.JetStream
	taking context.Context // ends when the worker is to begin no more matches
	id     string
	start  string // see fleet.Hello
	strain strain
	work   func(f func() error) // which the line waits for
	anew   chan struct{}        // the worker must say hello again
	taken  bool                 // a run has let it play

	mu      sync.Mutex
	runs    map[string]*playing // by name
	refused map[string]string   // why runs refuse the worker, by their names
	why     string              // the latest of these
	slots   []*playing          // at which run each slot waits; nil: it does not
	changed sync.Cond           // there is a run, or taking has ended
	clock   float64             // share that the run had whose turn it was last
	since   time.Time           // when the last run went
	lost    time.Time           // when the connection went; zero: it is there
}

// playing is the part of a worker in one run.
type playing struct {
	l        *line
	names    fleet.Names
	stays    bool            // the server outlives the run
	made     sync.Map        // a *making by digest
	fetching sync.Mutex      // locked while a package is fetched
	draining atomic.Bool     // the coordinator wants no more matches to begin
	news     chan struct{}   // orders have changed
	ctx      context.Context // ends when the worker plays for the run no more, by:
	over     context.CancelCauseFunc

	// Guarded by the line's lock:

	joined   int64                              // see fleet.Welcome
	held     map[string]context.CancelCauseFunc // the jobs that it has and has not delivered, by id
	last     map[int]string                     // id of the job that each slot was given last
	back     []fleet.Back                       // jobs that it gives back
	line     context.Context                    // ends when what was asked for will not be answered
	renew    context.CancelFunc                 // of line
	priority int
	waiting  int           // jobs of the run, as far as it is known; -1: the coordinator does not answer
	hadWork  bool          // jobs waited when that was known last: some may again by now
	slots    int           // that wait for its jobs, or play them
	busy     int           // slots that play
	worked   int           // most slots that played concurrently since the last beat
	stored   uint64        // number of the last record in the results stream
	used     time.Duration // of slots, so far
	mean     time.Duration // of a job
}

// newPlaying returns the part of a worker in a run. The lock is held.
func (l *line) newPlaying(ctx context.Context, welcome fleet.Welcome) *playing {
	p := &playing{
		l: l, names: fleet.Names{Run: welcome.Run}, stays: welcome.Stays, priority: max(1, min(welcome.Priority, fleet.MaxPriority)),
		news: make(chan struct{}, 1), held: make(map[string]context.CancelCauseFunc), last: make(map[int]string), waiting: len(l.slots), hadWork: true, mean: time.Second,
		joined: welcome.Joined, renew: func() {},
	}
	p.used = time.Duration(l.clock * float64(p.priority))
	p.ctx, p.over = context.WithCancelCause(ctx)
	own := make(map[string][]referee.Player) // which need not be fetched; several may be of one program
	for _, player := range l.w.Local.Players {
		digest := player.Identity().Digest
		own[digest] = append(own[digest], player)
		p.made.Store(digest, &making{prepare: adding(own[digest]...)})
	}
	p.askAnew()
	return p
}

// do runs f while nothing else changes what the line knows.
func (l *line) do(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f()
}

// hasNews asks for the orders of a run, or says hello to one that is not known.
func (l *line) hasNews(run string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if p := l.runs[run]; p != nil {
		poke(p.news)
	} else {
		poke(l.anew)
	}
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
		l.refused[run], l.why = why, why
		l.w.Note("umpire: run %s refuses this worker: %s\n", run, why)
	}
	if p := l.runs[run]; p != nil {
		l.forget(p)
	}
	return nil
}

// forget ends the part of a worker in a run. The lock is held.
func (l *line) forget(p *playing) {
	if l.runs[p.names.Run] == p {
		delete(l.runs, p.names.Run)
		l.since = time.Now()
	}
	p.over(errNotNeeded)
	p.renew()
}

// choose waits for a run, and returns the one whose turn it is to have a slot, which waits
// there then; nil if the worker ends.
func (l *line) choose(slot int) (p *playing) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.runs) == 0 && l.taking.Err() == nil {
		l.changed.Wait()
	}
	for _, one := range l.runs {
		if p == nil || one.isBefore(p) {
			p = one
		}
	}
	if p != nil {
		if p.waiting > 0 {
			p.waiting--
		}
		p.slots++
		l.clock = p.share()
		l.slots[slot] = p
	}
	return p
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
// are none. The lock is held.
func (l *line) hasWork(p *playing, jobs int) {
	if p.waiting <= 0 && jobs > 0 && p.slots == 0 { // it has no claim on what others have had meanwhile
		p.used = max(p.used, time.Duration(l.clock*float64(p.priority)))
	}
	p.waiting, p.hadWork = jobs, jobs > 0
	for slot, at := range l.slots {
		if jobs > 0 && at != nil && at != p && at.waiting <= 0 {
			jobs--
			if data, err := json.Marshal(fleet.Take{Start: l.start, Slot: slot, Over: true}); err == nil {
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
	if c := cmp.Compare(min(p.waiting, 1), min(other.waiting, 1)); c != 0 {
		return c > 0
	}
	if p.hadWork != other.hadWork {
		return p.hadWork
	}
	return p.share() < other.share()
}

// askAnew has the slots ask for jobs once more. The lock is held.
func (p *playing) askAnew() {
	p.renew()
	p.line, p.renew = context.WithCancel(p.l.taking)
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

// poke sends to a channel that has room for one.
func poke(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// forgetAfter is how long the coordinator of a run that is one of several may be silent: it
// will say when it is there again.
const forgetAfter = time.Minute

// beats tells the coordinator that the worker is there, and takes its orders.
func (p *playing) beats() error {
	for heard := time.Now(); ; {
		var o fleet.Orders
		b := p.now()
		err := p.ask(p.ctx, fleet.AskWait, p.names.Beat(p.l.id), b, &o)
		switch {
		case p.ctx.Err() != nil:
			return nil
		case err != nil: // the coordinator is gone, maybe to come back
			p.l.do(func() { p.waiting = -1 })
			if p.stays && time.Since(heard) > forgetAfter && p.l.nc.IsConnected() {
				return p.leaves("umpire: run %s is gone\n")
			}
			if err := p.l.w.missing(heard); err != nil {
				return err
			}
		case o.Leave && !p.stays:
			return ErrEnded
		case o.Leave:
			return p.leaves("umpire: run %s has ended\n")
		case o.Refused != "":
			return p.l.refuse(p.names.Run, o.Refused, p.stays)
		default:
			heard = time.Now()
			p.obey(o, len(b.Back))
		}
		select {
		case <-p.news:
		case <-time.After(fleet.BeatEvery):
		case <-p.ctx.Done():
			return nil
		}
	}
}

// leaves ends the worker's part in the run.
func (p *playing) leaves(why string) error {
	if p.l.w.Own == "" {
		p.l.w.Note(why, p.names.Run)
	}
	p.l.do(func() { p.l.forget(p) })
	return nil
}

// obey does what the coordinator orders, which has heard of so many jobs that are given
// back.
func (p *playing) obey(o fleet.Orders, back int) {
	if !o.Known {
		poke(p.l.anew)
		return
	}
	if before := p.draining.Swap(o.Drain); o.Drain && !before && p.l.w.Own == "" {
		p.l.w.Note("umpire: run %s has been interrupted: matches in progress finish, and no more begin\n", p.names.Run)
	}
	p.l.mu.Lock()
	defer p.l.mu.Unlock()
	p.l.hasWork(p, o.Waiting)
	p.back = p.back[back:]
	for _, id := range o.End {
		if end := p.held[id]; end != nil {
			end(errNotNeeded)
		}
	}
}

// now is a beat of the worker.
func (p *playing) now() fleet.Beat {
	p.l.mu.Lock()
	defer p.l.mu.Unlock()
	b := fleet.Beat{Start: p.l.start, Busy: p.worked, Jobs: slices.Collect(maps.Keys(p.held)), Back: slices.Clone(p.back), Stored: p.stored}
	p.worked = p.busy
	switch {
	case p.l.taking.Err() != nil:
		b.Paused = "it has been asked to end, and finishes what it plays"
	case time.Now().Before(p.l.strain.until) && p.l.w.Own == "": // or else it plays on
		b.Paused = fmt.Sprintf("its contestants wait for CPUs %.0f %% of their time", 100*p.l.strain.share)
	}
	return b
}
