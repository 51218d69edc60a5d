package arena

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/record"
)

// Local is the Runner that plays on this machine.
type Local struct {
	Games     []protocols.Game
	Players   []referee.Player // of several with the same digest any may play
	Isolation string           // level, for records
	Umpire    string           // version, for records
	CPU       string           // model of the worker's processors, for records
	Jobs      int              // concurrent matches, at least 1
	// CPUs lists the processors to pin matches to; empty: no pinning. A match
	// gets one of them or, where each of its seats needs one, Spread.
	CPUs   []int
	Spread int
	// Watch, if not nil, makes the Watcher of each match.
	Watch func(Fixture) referee.Watcher
	// Host, if not nil, brings players from outside to the matches, and shows
	// all matches to onlookers.
	Host Host
	// Cut, if not nil, keeps the record of a match that the Host took part in and
	// that was cut off when ctx ended: who was there may ask what became of it.
	Cut func(record.Record) error
	// Voided, if not nil, is called when a match was void and is played again.
	// Calls may be concurrent.
	Voided func(f Fixture, why error)
	Stalls referee.Stalls // of umpire; nil: unknown
	// Enough, if not nil, reports that no more matches are to begin: Run then
	// plays none of those that are left. Calls may be concurrent.
	Enough func() bool
	// Judges, if not nil, makes what leads the matches of a job: their rules are said by
	// a judge.
	Judges func() Judges
	// Conductor is Match.Conductor of all matches.
	Conductor func(c protocols.Case, again func(context.Context) (referee.Contestant, error)) (referee.Conductor, error)
	// Turns is locked by a match that is played alone. Copies that play concurrently
	// share it; nil: Run makes its own.
	Turns *sync.RWMutex
	// Memory, if not nil, is shared by copies that play concurrently: a match begins when
	// what its programs may take is left.
	Memory *Memory
}

// match makes the match of a fixture.
func (l *Local) match(f Fixture, known *jobCache) (m Match, err error) {
	i := slices.IndexFunc(l.Games, func(g protocols.Game) bool { return g.Name == f.Game })
	switch {
	case i < 0:
		return m, fmt.Errorf("unknown game %q", f.Game)
	case f.Isolation != l.Isolation && f.Isolation != "":
		return m, fmt.Errorf("isolation: found %s, expected %s", l.Isolation, f.Isolation)
	}
	g := l.Games[i]
	if n := len(f.Seats); n < g.MinSeats || n > g.MaxSeats {
		return m, fmt.Errorf("found %d seats, expected %s", n, g.SeatRange())
	}
	m.Setup = referee.Setup{Game: g, Seats: len(f.Seats), Limits: f.Limits.Scaled(f.Scale).Limits(), Pondering: f.Limits.Policy()}
	if m.Case, err = known.parse(g, f.Case.Text); err != nil {
		return m, fmt.Errorf("case: %w", err)
	}
	for _, s := range f.Seats {
		p := cmp.Or(known.players[Seat{Digest: s.Digest, Bot: s.Bot}], known.players[Seat{Digest: s.Digest}])
		if p == nil {
			return m, fmt.Errorf("no player has the digest %q of bot %s", s.Digest, s.Bot)
		}
		m.Players = append(m.Players, p)
	}
	return m, nil
}

// playersBy returns the players by digest and name; by digest alone the first
// one, for seats of any other name.
func (l *Local) playersBy() map[Seat]referee.Player {
	players := make(map[Seat]referee.Player)
	for _, p := range l.Players {
		id := p.Identity()
		for _, key := range []Seat{{Digest: id.Digest, Bot: id.Name}, {Digest: id.Digest}} {
			if players[key] == nil {
				players[key] = p
			}
		}
	}
	return players
}

// play plays the match of a fixture, in the calling goroutine and on the given
// processors. A void match is played again, as referee.VoidError.Rule says.
func (l *Local) play(ctx context.Context, f Fixture, cpus []int, known *jobCache) (record.Record, Table, error) {
	r := f.Record()
	r.Umpire, r.Isolation, r.CPU = l.Umpire, l.Isolation, l.CPU
	r.CPUs = usableCPUs(referee.Level(l.Isolation))
	started := time.Now()
	var played referee.Result
	var m Match
	err := referee.Guard(func() (err error) { m, err = l.match(f, known); return err })
	if err == nil {
		m.Record, m.CPUs, m.Stalls, m.Conductor = r.FullName(), cpus, l.Stalls, l.Conductor
		if known.judges != nil {
			m.Judge = func() (protocols.Match, func()) { return known.judges.Match(f, m.Case) }
		}
		played, err = l.playMatch(ctx, f, &m)
	}
	if m.Table != nil {
		r.Match = m.Table.ID()
	}
	for _, v := range m.Voids {
		r.AddVoid(v)
	}
	r.Finish(played, err, started, time.Since(started))
	return r, m.Table, err
}

// usableCPUs returns how many processors a contestant may use: those that umpire
// was started on or, where nothing keeps the contestant from choosing others, all
// of the machine. It is 0 if a record can't hold the number.
func usableCPUs(level referee.Level) int {
	n := runtime.NumCPU()
	if level == referee.LevelNone {
		n = max(n, onlineCPUs())
	}
	if n > record.MaxCPUs {
		return 0
	}
	return n
}

func (l *Local) playMatch(ctx context.Context, f Fixture, m *Match) (played referee.Result, err error) {
	for {
		if l.Watch != nil {
			m.Watch = l.Watch(f)
		}
		if l.Host != nil {
			m.Table = l.Host.Open(f)
		}
		played, err = l.inTurn(ctx, m)
		void, ok := errors.AsType[*referee.VoidError](err)
		if !ok || ctx.Err() != nil || len(m.Voids) == referee.MaxPlays-1 {
			return played, err
		}
		m.Voids = append(m.Voids, void)
		if l.Voided != nil {
			l.Voided(f, void)
		}
		if m.Table != nil {
			m.Table.Cancel(void)
		}
	}
}

// inTurn plays a match among others, or alone.
func (l *Local) inTurn(ctx context.Context, m *Match) (referee.Result, error) {
	need := m.memory()
	if err := l.Memory.Take(ctx, need); err != nil {
		return referee.Result{}, err
	}
	defer l.Memory.Give(need)
	if m.isWeighed() {
		l.Turns.Lock()
		defer l.Turns.Unlock()
	} else {
		l.Turns.RLock()
		defer l.Turns.RUnlock()
	}
	return m.Play(ctx)
}

var errNotKept = errors.New("umpire could not keep the record of the match")

// tell tells the players from outside, if there are any, how their match ended;
// err is why its record could not be kept, of which they hear no details.
func tell(t Table, r record.Record, err error) {
	switch {
	case t == nil:
	case err != nil:
		t.Cancel(errNotKept)
	case r.Error != "":
		t.Cancel(errors.New(r.Error))
	default:
		t.End(r)
	}
}

// Run implements Runner: it plays Jobs matches concurrently.
func (l *Local) Run(ctx context.Context, fixtures iter.Seq[Fixture], done func(n int, r record.Record) error) error {
	type numbered struct {
		n int
		Fixture
	}
	if l.Turns == nil {
		l.Turns = new(sync.RWMutex)
	}
	group, ctx := errgroup.WithContext(ctx)
	// The next matches lie ready, so that no job waits for another goroutine.
	todo := make(chan numbered, 2*max(1, l.Jobs))
	work := func(f func() error) { group.Go(func() error { return referee.Guard(f) }) }
	work(func() error {
		defer close(todo)
		n := 0
		for f := range fixtures {
			if l.enough() {
				return nil
			}
			select {
			case todo <- numbered{n, f}:
				n++
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		return nil
	})
	players := l.playersBy()
	var one sync.Mutex // guards done and failed
	failed := false
	report := func(n int, r record.Record) error {
		one.Lock()
		defer one.Unlock()
		if failed { // another job returns the error
			return nil
		}
		failed = true // also where done panics
		err := done(n, r)
		failed = err != nil
		return err
	}
	for job := range max(1, l.Jobs) {
		work(func() error {
			cpus := l.JobCPUs(job)
			defer Pin(cpus)()
			known := jobCache{players: players}
			defer l.openJudges(&known)()
			for f := range todo {
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				if l.enough() {
					continue
				}
				r, table, err := l.play(ctx, f.Fixture, cpus, &known)
				if refused, ok := errors.AsType[*referee.RefusedError](err); ok { // so will each match on the case
					tell(table, r, refused)
					return &CaseError{r.Case.Name, refused}
				}
				if r.Error != "" && ctx.Err() != nil { // the match was interrupted
					return l.cut(context.Cause(ctx), r, table, &one)
				}
				err = report(f.n, r)
				tell(table, r, err)
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// CaseError is the error of Run for a case that can't be played.
type CaseError struct {
	Name    string // of the case
	Refused *referee.RefusedError
}

func (e *CaseError) Error() string { return fmt.Sprintf("case %s: %v", e.Name, e.Refused) }

func (e *CaseError) Unwrap() error { return e.Refused }

// checkTime bounds how long CheckCase takes.
const checkTime = 10 * time.Second

// CheckCase returns a *CaseError if the judge of the matches, where there is one, refuses the case of a
// fixture, and nil otherwise.
func (l *Local) CheckCase(f Fixture) error {
	var known jobCache
	defer l.openJudges(&known)()
	if known.judges == nil {
		return nil
	}
	c, err := known.parse(l.Games[0], f.Case.Text) // all matches of a judge are of one game
	if err != nil {
		return nil
	}
	m, end := known.judges.Match(f, c)
	defer end()
	ctx, cancel := context.WithTimeout(context.Background(), checkTime)
	defer cancel()
	if judged, ok := m.(referee.Judged); ok {
		err = judged.Hear(ctx, nil)
	}
	if refused, ok := errors.AsType[*referee.RefusedError](err); ok {
		return &CaseError{f.Case.Name, refused}
	}
	return nil
}

// openJudges opens the judges of a job, whose goroutine stays locked to its thread until
// they are closed.
func (l *Local) openJudges(known *jobCache) (close func()) {
	if l.Judges == nil {
		return func() {}
	}
	runtime.LockOSThread()
	known.judges = l.Judges()
	return func() {
		known.judges.Close()
		runtime.UnlockOSThread()
	}
}

func (l *Local) enough() bool { return l.Enough != nil && l.Enough() }

// ErrStopped is why a match is void that ended with umpire.
var ErrStopped = errors.New("umpire was stopped before the match was over")

// cut keeps the record of a match that was cut off, if it had a table, and tells
// the players why. It returns why, and what kept the record from being kept.
func (l *Local) cut(why error, r record.Record, t Table, writing *sync.Mutex) error {
	if t == nil {
		return why
	}
	if r.Error = why.Error(); errors.Is(why, context.Canceled) {
		r.Error = ErrStopped.Error()
	}
	var err error
	if l.Cut != nil {
		writing.Lock()
		defer writing.Unlock()
		err = l.Cut(r)
	}
	tell(t, r, err)
	if err != nil {
		return errors.Join(why, err)
	}
	return why
}

// JobCPUs returns the processors of a job, counted from 0; none if they are left
// to the system.
func (l *Local) JobCPUs(job int) []int {
	if len(l.CPUs) == 0 {
		return nil
	}
	var list []int
	for i := range max(1, l.Spread) {
		list = append(list, l.CPUs[(job*max(1, l.Spread)+i)%len(l.CPUs)])
	}
	return list
}

// Pin locks the calling goroutine to its thread, and the thread to some
// processors. A pinned thread is never reused: it ends with the goroutine.
func Pin(cpus []int) (unpin func()) {
	if len(cpus) == 0 {
		return func() {}
	}
	runtime.LockOSThread()
	if err := setAffinity(cpus...); err != nil {
		return runtime.UnlockOSThread
	}
	return func() {}
}

var _ Runner = (*Local)(nil)

// jobCache keeps the players and the last case of a job, so that they need not be
// looked up for every match: the matches of a case mostly come in a row.
type jobCache struct {
	players    map[Seat]referee.Player
	judges     Judges // nil: cases lead their matches
	game, text string
	c          protocols.Case
}

// parse reads the case of a fixture.
func (p *jobCache) parse(g protocols.Game, text string) (protocols.Case, error) {
	if p.c == nil || p.game != g.Name || p.text != text {
		c, err := g.Parse(text)
		if err != nil {
			return nil, err
		}
		p.game, p.text, p.c = g.Name, text, c
	}
	return p.c, nil
}
