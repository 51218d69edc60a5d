package worker

import (
	"maps"
	"slices"
	"time"

	"umpire/referee/fleet"
)

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
			p.setAway()
			if p.stays && time.Since(heard) > forgetAfter && p.l.nc.IsConnected() {
				p.leaves("umpire: run %s is gone\n")
				return nil
			}
			if err := p.l.w.missing(heard); err != nil {
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
		case <-p.ctx.Done():
			return nil
		}
	}
}

// leaves ends the worker's part in the run.
func (p *playing) leaves(why string) {
	if !p.l.w.Own {
		p.l.w.Note(why, p.names.Run)
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
	if before := p.draining.Swap(o.Drain); o.Drain && !before && !p.l.w.Own {
		p.l.w.Note("umpire: the run has been interrupted: matches in progress finish, and no more begin\n")
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

// leaving is why a worker that has been asked to end takes no matches.
const leaving = "it has been asked to end, and finishes what it plays"

// now is a beat of the worker.
func (p *playing) now() fleet.Beat {
	p.l.mu.Lock()
	defer p.l.mu.Unlock()
	b := fleet.Beat{
		Start: p.l.start, Busy: p.worked, Jobs: slices.Collect(maps.Keys(p.held)), Back: slices.Clone(p.back), Stored: p.stored, Waiting: p.l.pausing(),
	}
	p.worked = p.busy
	if p.l.isStopping() {
		b.Paused = leaving
	}
	return b
}

// finishing reports whether the worker is to begin no more matches of the run: as it is
// asked to end, or its coordinator is.
func (p *playing) finishing() bool { return p.l.isStopping() || p.draining.Load() }
