package worker

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"time"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/fleet"
)

// playing is the part of a worker in one run.
type playing struct {
	w        *Worker
	l        *line
	names    fleet.Names
	stays    bool // the server outlives the run
	players  store[referee.Player]
	games    store[func(*arena.Local)]
	busy     atomic.Int32                // slots that play
	worked   atomic.Int32                // most slots that played concurrently since the last beat
	stored   atomic.Uint64               // number of the last record in the results stream
	draining atomic.Bool                 // the coordinator wants no more matches to begin
	own      map[string][]referee.Player // that need not be fetched, by digest
	news     chan struct{}               // orders have changed
	ended    chan struct{}               // closed by over
	over     func()                      // the worker plays for the run no more

	// Guarded by the line's lock:

	called   string                             // by the coordinator
	held     map[string]context.CancelCauseFunc // the jobs that it has and has not delivered, by id
	last     map[int]string                     // id of the job that each slot was given last
	back     []fleet.Back                       // jobs that it gives back
	line     context.Context                    // ends when what was asked for will not be answered
	renew    context.CancelFunc                 // of line
	priority int
	away     bool          // the coordinator does not answer
	waiting  int           // jobs of the run, as far as it is known
	slots    int           // that wait for its jobs, or play them
	used     time.Duration // of slots, so far
	mean     time.Duration // of a job
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

// askAnew has the slots ask for jobs once more.
func (p *playing) askAnew() {
	p.l.mu.Lock()
	defer p.l.mu.Unlock()
	p.renew()
	p.line, p.renew = context.WithCancel(context.Background())
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

// say sends a message to the coordinator.
func (p *playing) say(subject string, what any) error {
	data, err := json.Marshal(what)
	if err != nil {
		return err
	}
	return p.l.nc.Publish(subject, data)
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

// forgetAfter is how long the coordinator of a run that is one of several may be silent: it
// will say when it is there again.
const forgetAfter = time.Minute

// beats tells the coordinator that the worker is there, and takes its orders.
func (p *playing) beats(ctx context.Context) error {
	for heard := time.Now(); ; {
		var o fleet.Orders
		b := p.now()
		err := p.ask(ctx, fleet.AskWait, p.names.Beat(p.l.id), b, &o)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil: // the coordinator is gone, maybe to come back
			p.setAway()
			if p.stays && time.Since(heard) > forgetAfter && p.l.nc.IsConnected() {
				p.leaves("umpire: run %s is gone\n")
				return nil
			}
			if err := p.w.missing(heard); err != nil {
				return err
			}
		case o.Leave && !p.stays:
			return ErrEnded
		case o.Leave:
			p.leaves("umpire: run %s has ended\n")
			return nil
		case o.Refused != "":
			return p.l.refuse(p.names.Run, o.Refused, p.stays)
		default:
			heard = time.Now()
			p.obey(o, len(b.Back))
		}
		select {
		case <-p.news:
		case <-time.After(fleet.BeatEvery):
		case <-p.ended:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// leaves ends the worker's part in the run.
func (p *playing) leaves(why string) {
	if !p.w.Own {
		p.w.Note(why, p.names.Run)
	}
	p.l.mu.Lock()
	defer p.l.mu.Unlock()
	if p.l.runs[p.names.Run] == p {
		p.l.forget(p)
	}
}

// obey does what the coordinator orders, which has heard of so many jobs that are given
// back.
func (p *playing) obey(o fleet.Orders, back int) {
	if !o.Known {
		poke(p.l.anew)
		return
	}
	if before := p.draining.Swap(o.Drain); o.Drain && !before && !p.w.Own {
		p.w.Note("umpire: the run has been interrupted: matches in progress finish, and no more begin\n")
	}
	p.l.hasWork(p, o.Waiting)
	p.l.mu.Lock()
	defer p.l.mu.Unlock()
	p.back = p.back[back:]
	for _, id := range o.End {
		if end := p.held[id]; end != nil {
			end(errNotNeeded)
		}
	}
}

// poke sends to a channel that has room for one.
func poke(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// leaving is why a worker that has been asked to end takes no matches.
const leaving = "it has been asked to end, and finishes what it plays"

// now is a beat of the worker. What has been stored is read last: the records of a job
// that is no longer held are among it.
func (p *playing) now() fleet.Beat {
	b := fleet.Beat{Start: p.l.start, Busy: int(max(p.busy.Load(), p.worked.Swap(0))), Waiting: p.l.pausing()}
	p.l.mu.Lock()
	for id := range p.held {
		b.Jobs = append(b.Jobs, id)
	}
	b.Back = append(b.Back, p.back...)
	p.l.mu.Unlock()
	b.Stored = p.stored.Load()
	select {
	case <-p.w.Stop:
		b.Paused = leaving
	default:
	}
	return b
}

// finishing reports whether the worker is to begin no more matches of the run: as it is
// asked to end, or its coordinator is.
func (p *playing) finishing() bool {
	select {
	case <-p.w.Stop:
		return true
	default:
		return p.draining.Load()
	}
}
