package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/fleet/status"
	"umpire/referee/record"
)

// Sizes of jobs and of what is under way.
const (
	jobTime     = 300 * time.Millisecond // how long a job of short matches is to take
	maxJob      = 128                    // fixtures of a job
	minRoom     = 64                     // fixtures under way at least
	maxRoom     = 8192                   // and at most
	jobsPerSlot = 3                      // jobs that lie ready for each slot, with the one being played
)

// queue holds the fixtures of a Run that have no record yet. It is filled by
// feed and emptied by collect.
type queue struct {
	*Coordinator
	done func(n int, r record.Record) error

	mu      sync.Mutex
	room    sync.Cond
	pending map[string][]*entry // by identity
	jobs    map[string]*given   // by id
	past    map[string]*given   // by id: those whose fixtures were given again in other jobs, as long as they lack results
	under   int                 // fixtures in pending
	fed     bool                // all fixtures have been drawn
	err     error               // of done
	mean    time.Duration       // of a match, roughly; 0: unknown
	settled chan struct{}       // closed when fed and nothing is pending, or err is set
	checks  int                 // matches that are being played again
	drained bool                // the Run was interrupted: nothing is published any more
	stalled time.Time           // since when the work queue is empty although fixtures are pending
	fedUp   chan struct{}       // closed when no more fixtures are drawn

	holdings holdings
}

// entry is a fixture that has no record yet.
type entry struct {
	n     int
	f     arena.Fixture
	want  record.Record // as known before it is played
	id    string        // identity of that
	job   string        // in which it is given to workers
	tries int           // records with an error, and jobs that nobody finished

	only     string   // id of the worker that alone may play it; "" if all may
	failedOn []string // ids of the workers that failed to play it
	check    *recheck // it is played again for this; nil if it is not
	side     int      // which of the two workers of check plays it
}

// newEntry returns the entry of the n-th fixture.
func newEntry(n int, f arena.Fixture) *entry {
	e := &entry{n: n, f: f, want: f.Record()}
	e.id = identity(&e.want)
	return e
}

// given is a job in the work queue.
type given struct {
	needs   needs
	all     []*entry  // in the job's order
	entries []*entry  // those without a record
	since   time.Time // when it was put into the work queue
	held    time.Time // since when a worker is known to play it; zero: none does
	second  string    // id of the second worker that it was given to
}

func newQueue(c *Coordinator, done func(int, record.Record) error) *queue {
	q := &queue{
		Coordinator: c, done: done, pending: make(map[string][]*entry), jobs: make(map[string]*given), past: make(map[string]*given),
		settled: make(chan struct{}), fedUp: make(chan struct{}), holdings: holdings{messages: make(map[uint64]*heldJob)},
	}
	q.room.L = &q.mu
	return q
}

// identity tells a match from others: equal fixtures have the same.
func identity(r *record.Record) string {
	id := r.ID
	for _, s := range r.Seats {
		id += "\n" + s.Bot
	}
	return id
}

// feed draws fixtures, as there is room for them, and publishes them in jobs.
// Mirrors are always in one job.
func (q *queue) feed(ctx context.Context, fixtures iter.Seq[arena.Fixture]) (err error) {
	defer context.AfterFunc(ctx, q.room.Broadcast)()
	var ready, bundle []*entry // the next job, and mirrors to be added to it
	flush := func() error {
		list := ready
		ready = nil
		return q.publish(ctx, list)
	}
	add := func() error {
		list := bundle
		bundle = nil
		if len(list) == 0 {
			return nil
		}
		if len(ready) >= q.jobSize() || len(ready)+len(list) > maxJob || len(ready) > 0 && !q.sameClass(ready[0].f, list[0].f) {
			if err := flush(); err != nil {
				return err
			}
		}
		if err := q.enter(ctx, list, flush); err != nil {
			return err
		}
		ready = append(ready, list...)
		return nil
	}
	n := 0
	for f := range fixtures {
		if len(bundle) > 0 && (!mirrors(bundle[0].f, f) || len(bundle) >= maxJob) {
			if err := add(); err != nil {
				return err
			}
		}
		bundle = append(bundle, newEntry(n, f))
		n++
	}
	if err := add(); err != nil {
		return err
	}
	if err := flush(); err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.fed = true
	q.settle()
	return nil
}

// mirrors reports whether two fixtures are the same match with the seats taken
// otherwise, so that one worker plays both.
func mirrors(a, b arena.Fixture) bool {
	digests := func(f arena.Fixture) []string {
		var list []string
		for _, s := range f.Seats {
			list = append(list, s.Digest+"\n"+s.Bot)
		}
		slices.Sort(list)
		return list
	}
	return a.Game == b.Game && a.Repetition == b.Repetition && a.Case.Text == b.Case.Text && slices.Equal(digests(a), digests(b))
}

func (q *queue) sameClass(a, b arena.Fixture) bool {
	return q.needs(a).class() == q.needs(b).class()
}

// jobSize is how many fixtures make a job that takes about jobTime.
func (q *queue) jobSize() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.mean == 0 {
		return 1
	}
	return max(1, min(maxJob, int(jobTime/q.mean)))
}

// most is how many fixtures may be under way: enough for every slot to find a
// job, and few enough to be held in memory.
func (q *queue) most() int {
	return max(minRoom, min(maxRoom, q.crew.slots()*jobsPerSlot*q.jobSize()))
}

// enter waits for room, and adds fixtures to those under way. Where it has to
// wait, it has the job that is ready published before, and waits for room for
// another.
func (q *queue) enter(ctx context.Context, list []*entry, flush func() error) error {
	for waited := 0; ; {
		most := q.most() - waited
		q.mu.Lock()
		if q.under < most || ctx.Err() != nil || q.isDraining() {
			break
		}
		q.mu.Unlock()
		if err := flush(); err != nil {
			return err
		}
		waited = q.jobSize() - 1
		most = q.most() - waited
		q.mu.Lock()
		if q.under >= most && ctx.Err() == nil {
			q.room.Wait()
		}
		q.mu.Unlock()
	}
	defer q.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case q.isDraining():
		return errDrained
	}
	for _, e := range list {
		q.pending[e.id] = append(q.pending[e.id], e)
	}
	q.under += len(list)
	return nil
}

// publish puts a job into the work queue.
func (q *queue) publish(ctx context.Context, list []*entry) error {
	if len(list) == 0 {
		return nil
	}
	q.mu.Lock()
	only := list[0].only
	q.mu.Unlock()
	g := &given{needs: q.needs(list[0].f).and(only), since: time.Now(), all: slices.Clone(list), entries: list}
	if err := q.class(ctx, g.needs); err != nil {
		return err
	}
	j := job{ID: newName()}
	for _, e := range list {
		j.Fixtures = append(j.Fixtures, e.f)
	}
	data, err := json.Marshal(j)
	if err != nil {
		return fmt.Errorf("encode job: %w", err)
	}
	q.mu.Lock()
	for _, e := range list {
		q.leave(e)
		e.job = j.ID
	}
	q.jobs[j.ID] = g
	q.mu.Unlock()
	for tries := 1; ; tries++ {
		_, err := q.js.Publish(ctx, q.job(g.needs.class(), j.ID), data)
		if err == nil || isDuplicate(err) {
			return nil
		}
		if err := q.mayStore(ctx, q.names.work(), tries, err); err != nil {
			return fmt.Errorf("publish job: %w", err)
		}
		if err := wait(ctx, beatEvery); err != nil {
			return err
		}
	}
}

// isDuplicate reports whether a message was refused since its subject has one.
func isDuplicate(err error) bool {
	var refused *jetstream.APIError
	return errors.As(err, &refused) && refused.Description == "maximum messages per subject exceeded"
}

// isTemporary reports whether the server may accept later what it has not
// answered, or has refused for want of a leader.
func isTemporary(err error) bool {
	var refused *jetstream.APIError
	return !errors.As(err, &refused) || refused.Code == 503 && refused.ErrorCode != 10077
}

func (q *queue) failure() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.err
}

// settle closes settled when there is nothing left to wait for. The caller
// holds mu.
func (q *queue) settle() {
	if q.fed && q.under == 0 && q.checks == 0 || q.err != nil {
		select {
		case <-q.settled:
		default:
			close(q.settled)
		}
	}
}

// take deals with one message of the results stream. It reports false for one
// that must be delivered again.
func (q *queue) take(msg jetstream.Msg) bool {
	job, n := resultOf(msg.Subject())
	header := msg.Headers()
	from := q.crew.giver(header.Get(headTicket))
	early := q.early(msg)
	switch back := header.Get(headReturned); {
	case !from.known && !early, from.dropped != "":
		q.again(job)
		return true
	case back != "":
		q.returned(job, from, back)
		return true
	}
	r, err := q.inspect(from, header, msg.Data())
	var e *entry
	if err == nil {
		e, err = q.expected(job, n, &r, early)
	}
	switch {
	case err != nil:
		q.distrust(from, job, err)
		return true
	case e == nil: // it has its record already
		if !early {
			q.crew.count(func(c *status.Counts) { c.Duplicates++ })
		}
		return true
	}
	q.crew.credit(from.ID, &r)
	switch {
	case e.check != nil:
		return q.checked(e, r)
	case r.Error != "":
		return q.tried(e, from, r)
	}
	return q.finish(e, from, r)
}

// early reports whether a result was stored before this coordinator began: the
// jobs of an earlier coordinator of the run are not known.
func (q *queue) early(msg jetstream.Msg) bool {
	meta, err := msg.Metadata()
	return err == nil && meta.Sequence.Stream <= q.stored
}

// expected finds the fixture whose record r is, the n-th of a job; nil if it
// has one already. The error says that the record is none of the job's. A record
// for an earlier coordinator is that of any equal fixture.
func (q *queue) expected(job string, n int, r *record.Record, early bool) (*entry, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if g := q.jobs[job]; g != nil {
		if n < 0 || n >= len(g.all) {
			return nil, fmt.Errorf("found a record of match %d in a job of %d", n, len(g.all))
		}
		if e := g.all[n]; !e.matches(r) {
			return nil, fmt.Errorf("found a record of match %s, expected match %s", r.ID, e.want.ID)
		} else if slices.Contains(g.entries, e) {
			return e, nil
		}
		return nil, nil
	}
	if e := q.expectedLate(job, n, r); e != nil {
		return e, nil
	}
	if early {
		for _, e := range q.pending[identity(r)] {
			if e.matches(r) {
				return e, nil
			}
		}
	}
	return nil, nil
}

// matches reports whether a record is that of the fixture in everything that is
// known before the match.
func (e *entry) matches(r *record.Record) bool {
	want := &e.want
	return r.V == want.V && r.Game == want.Game && r.Case == want.Case && r.Limits == want.Limits && r.ID == want.ID && r.Identity() == want.ID &&
		max(1, r.Repetition) == max(1, want.Repetition) &&
		slices.EqualFunc(r.Seats, want.Seats, func(a, b record.Seat) bool {
			return a.Bot == b.Bot && a.Digest == b.Digest && a.House == b.House && a.Kind == b.Kind
		})
}

// finish gives a record to done. It reports whether the record has been kept.
func (q *queue) finish(e *entry, from giver, r record.Record) bool {
	again, kept := q.keep(e, from, &r)
	if again {
		q.recheck(e, from, r)
	}
	for _, id := range e.failedOn {
		if kept && r.Error == "" && id != from.ID {
			q.crew.fault(id)
		}
	}
	return kept
}

// keep gives a record to done. It reports whether the match is to be played
// again, and whether the record has been kept.
func (q *queue) keep(e *entry, from giver, r *record.Record) (again, kept bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.err != nil || !q.remove(e) {
		return false, q.err == nil
	}
	took := time.Duration(r.WallUS) * time.Microsecond
	if q.mean == 0 {
		q.mean = max(took, 1)
	}
	q.mean += (took - q.mean) / 16
	q.mean = max(q.mean, 1)
	if q.err = referee.Guard(func() error { return q.done(e.n, *r) }); q.err != nil {
		q.settle()
		return false, false
	}
	if again = q.mayRecheck(from, r); again {
		q.checks++
	}
	q.settle()
	q.room.Broadcast()
	return again, true
}

// remove removes a fixture from those under way; false if it is not there. The
// caller holds mu.
func (q *queue) remove(e *entry) bool {
	i := slices.Index(q.pending[e.id], e)
	if i < 0 {
		return false
	}
	if q.pending[e.id] = slices.Delete(q.pending[e.id], i, i+1); len(q.pending[e.id]) == 0 {
		delete(q.pending, e.id)
	}
	q.under--
	q.leave(e)
	q.forgetPast(e)
	return true
}

// leave takes a fixture out of its job. The caller holds mu.
func (q *queue) leave(e *entry) {
	if g := q.jobs[e.job]; g != nil {
		if g.entries = slices.DeleteFunc(g.entries, func(other *entry) bool { return other == e }); len(g.entries) == 0 {
			delete(q.jobs, e.job)
		}
	}
}
