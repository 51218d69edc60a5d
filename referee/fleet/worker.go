package fleet

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/program"
)

// Worker plays what a coordinator elsewhere wants played.
type Worker struct {
	URL       string      // http:, https:, nats: or tls:, where the coordinator or its NATS server is
	Token     string      // the workers' secret
	Insecure  bool        // the secret may go beyond this machine without TLS
	TLS       *tls.Config // nil: the system's
	Name      string      // for people; "": that of the machine
	Version   string      // umpire's
	Isolation string      // level
	CPU       string      // model of the processors
	Abilities []program.Ability
	NoPause   bool // play on while contestants wait for CPUs
	// Local plays the matches: its games, and Jobs at a time on its
	// CPUs. Players, if there are any, need not be fetched.
	Local arena.Local
	// Player makes a player of a package that has been fetched. Calls are not
	// concurrent.
	Player func(ctx context.Context, digest string, p *program.Package) (referee.Player, error)
	// Check, if not nil, returns why this machine can't play, such as a full disk.
	// It is asked when umpire has failed to play a match; the worker then ends.
	Check func() error
	// Patience is how long a coordinator that can't be reached is waited for; 0:
	// for ever.
	Patience time.Duration
	// Stop, once it is closed, has the worker finish the matches that it plays,
	// begin no more, and end; nil: never.
	Stop <-chan struct{}
	// Note, if not nil, is told in a line what happens.
	Note func(format string, args ...any)

	here bool // the coordinator's own
}

// RefusedError says why a coordinator refuses a worker.
type RefusedError struct{ Why string }

func (e *RefusedError) Error() string { return "the coordinator refuses this worker: " + e.Why }

// Run plays until the coordinator's run has ended or Stop is closed, which are
// no errors, or ctx ends. It waits for a coordinator that is not there.
func (w *Worker) Run(ctx context.Context) error {
	id := newName()
	address, err := addresses(w.URL, w.Insecure || w.TLS != nil)
	if err != nil {
		return err
	}
	if w.Note == nil {
		w.Note = func(string, ...any) {}
	}
	lost := false
	options := []nats.Option{
		nats.Name(id), nats.CustomInboxPrefix(inbox(id)), nats.MaxReconnects(-1), nats.ReconnectWait(beatEvery / 2),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil && ctx.Err() == nil && !lost {
				lost = true
				w.Note("umpire: the coordinator can't be reached (%v); trying again\n", err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) {
			lost = false
			w.Note("umpire: the coordinator is there again\n")
		}),
	}
	joining, joined := until(ctx, w.Stop)
	defer joined()
	for {
		nc, err := w.connect(joining, address, options)
		if err == nil {
			err = w.play(ctx, nc, id)
		}
		switch {
		case errors.Is(err, errEnded), errors.Is(err, errLeft):
			return nil
		case !errors.Is(err, errOtherRun):
			return err
		}
	}
}

// missing returns an error when the coordinator has not been heard of since a
// time, and that is too long.
func (w *Worker) missing(since time.Time) error {
	if w.Patience > 0 && time.Since(since) > w.Patience {
		return fmt.Errorf("no coordinator at %s for %s", HideSecrets(w.URL), w.Patience)
	}
	return nil
}

// connect waits for a server. A wrong token, and a certificate that is not
// trusted, are errors at once.
func (w *Worker) connect(ctx context.Context, address string, options []nats.Option) (*nats.Conn, error) {
	since := time.Now()
	for first := true; ; first = false {
		nc, err := dial(address, w.Token, w.TLS, w.Note, options...)
		if err == nil {
			return nc, nil
		}
		if errors.Is(err, nats.ErrAuthorization) {
			return nil, w.unauthorized()
		}
		if isUntrusted(err) {
			return nil, &AddressError{err}
		}
		if first {
			w.Note("umpire: no coordinator at %s (%v); trying again\n", HideSecrets(w.URL), err)
		}
		if err := w.missing(since); err != nil {
			return nil, err
		}
		if err := wait(ctx, beatEvery); err != nil {
			return nil, err
		}
	}
}

// playing is a worker that has been connected.
type playing struct {
	*Worker
	names
	nc     *nats.Conn
	js     jetstream.JetStream
	id     string
	busy   atomic.Int32 // slots that play
	worked atomic.Int32 // most slots that played concurrently since the last beat
	played atomic.Int64
	brief  atomic.Bool // it must not wait long for a job
	store  store
	strain strain
	// duplicates counts the results that were refused, since the match had one.
	duplicates atomic.Int64
	draining   atomic.Bool                 // the coordinator wants no more matches to begin
	held       sync.Map                    // ids of the jobs that have been fetched, and neither acknowledged nor given back
	own        map[string][]referee.Player // that need not be fetched, by digest

	mu      sync.Mutex
	ticket  string
	called  string // by the coordinator
	classes []string
	pulls   map[string]jetstream.Consumer
	changed chan struct{} // closed when there are other classes
}

// play plays with a connection, which it closes, until it is told to leave or
// ctx ends.
func (w *Worker) play(ctx context.Context, nc *nats.Conn, id string) error {
	defer nc.Close()
	js, err := jetstream.New(nc, jetstream.WithDefaultTimeout(askWait))
	if err != nil {
		return err
	}
	p := &playing{Worker: w, nc: nc, js: js, id: id, pulls: make(map[string]jetstream.Consumer), changed: make(chan struct{}), own: make(map[string][]referee.Player)}
	p.store.playing = p
	for _, player := range w.Local.Players {
		digest := player.Identity().Digest
		p.own[digest] = append(p.own[digest], player)
	}
	joining, joined := until(ctx, w.Stop)
	defer joined()
	if err := p.hello(joining); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	work := func(f func() error) { group.Go(func() error { return referee.Guard(f) }) }
	work(func() error { return p.beats(ctx) })
	work(func() error { return p.leave(ctx) })
	w.Local.Turns = new(sync.RWMutex)
	for slot := range max(1, w.Local.Jobs) {
		over := make(chan played)
		work(func() error { return p.slot(ctx, slot, over) })
		work(func() error { return p.deliver(ctx, over) })
	}
	err = group.Wait()
	if !errors.Is(err, errEnded) && nc.IsConnected() {
		last, cancel := context.WithTimeout(context.Background(), beatEvery)
		defer cancel()
		_ = p.ask(last, p.beat(p.id), beat{Leaving: true, Played: p.played.Load()}, new(orders))
	}
	return err
}

// hello introduces the worker, once the coordinator is there.
func (p *playing) hello(ctx context.Context) error {
	h := hello{
		ID: p.id, Name: cmp.Or(p.Name, hostName()), Version: p.Version, Isolation: p.Isolation, CPU: p.CPU,
		Slots: max(1, p.Local.Jobs), Abilities: p.Abilities,
	}
	if p.here {
		h.Abilities = append(slices.Clone(h.Abilities), here)
	}
	said, since := false, time.Now()
	for {
		var answer welcome
		err := p.ask(ctx, helloTo(p.id), h, &answer)
		switch {
		case err == nil && answer.Refused != "":
			return &RefusedError{answer.Refused}
		case err == nil && p.run != "" && p.run != answer.Run:
			return errOtherRun
		case err == nil:
			p.mu.Lock()
			defer p.mu.Unlock()
			p.ticket, p.called = answer.Ticket, answer.Name
			if p.run == "" { // it is read without the lock from here on
				p.names = names{answer.Run}
				if !p.here {
					p.Note("umpire: this worker plays for run %s\n", answer.Run)
				}
			}
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, nats.ErrAuthorization):
			return p.unauthorized()
		case errors.Is(denied(p.nc, err), nats.ErrPermissionViolation):
			return &AddressError{denied(p.nc, err)}
		}
		if !said {
			said = true
			p.Note("umpire: waiting for the coordinator\n")
		}
		if err := p.missing(since); err != nil {
			return err
		}
		if err := wait(ctx, beatEvery); err != nil {
			return err
		}
	}
}

// myName returns the name by which the coordinator knows the worker.
func (p *playing) myName() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.called
}

// myTicket returns the ticket that goes with results.
func (p *playing) myTicket() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ticket
}

func hostName() string {
	name, err := os.Hostname()
	if err != nil {
		return "worker"
	}
	return name
}

// ask sends a request to the coordinator.
func (p *playing) ask(ctx context.Context, subject string, question, answer any) error {
	data, err := json.Marshal(question)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, askWait)
	defer cancel()
	msg, err := p.nc.RequestWithContext(ctx, subject, data)
	if err != nil {
		return err
	}
	return json.Unmarshal(msg.Data, answer)
}

// beats tells the coordinator that the worker is there, and takes its orders.
func (p *playing) beats(ctx context.Context) error {
	news := make(chan *nats.Msg, 1)
	sub, err := p.nc.ChanSubscribe(p.news(), news)
	if err != nil {
		return err
	}
	defer func() { _ = sub.Unsubscribe() }()
	for heard := time.Now(); ; {
		var o orders
		err := p.ask(ctx, p.beat(p.id), p.now(), &o)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil: // the coordinator is gone, maybe to come back
			if err := p.missing(heard); err != nil {
				return err
			}
		case o.Leave:
			return errEnded
		case o.Refused != "":
			return &RefusedError{o.Refused}
		case !o.Known:
			if err := p.hello(ctx); err != nil {
				return err
			}
			continue
		default:
			heard = time.Now()
			if before := p.draining.Swap(o.Drain); o.Drain && !before && !p.here {
				p.Note("umpire: the run has been interrupted: matches in progress finish, and no more begin\n")
			}
			p.brief.Store(o.Brief)
			p.set(o.Classes)
		}
		select {
		case <-news:
		case <-time.After(beatEvery):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// set sets the classes to fetch from.
func (p *playing) set(classes []string) {
	slices.Sort(classes)
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Equal(p.classes, classes) {
		p.classes = classes
		close(p.changed)
		p.changed = make(chan struct{})
	}
}

// wanted returns the classes to fetch from, and a channel that is closed when
// there are others.
func (p *playing) wanted() ([]string, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.classes, p.changed
}

// consumer returns the consumer of a class.
func (p *playing) consumer(ctx context.Context, class string) (jetstream.Consumer, error) {
	p.mu.Lock()
	found := p.pulls[class]
	p.mu.Unlock()
	if found != nil {
		return found, nil
	}
	found, err := p.js.Consumer(ctx, p.work(), class)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pulls[class] = found
	return found, nil
}

// slot plays one job after the other, and passes on those that are over.
func (p *playing) slot(ctx context.Context, slot int, over chan<- played) error {
	defer close(over)
	taking, taken := until(ctx, p.Stop)
	defer taken()
	for turn := slot; ; turn++ {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		classes, changed := p.wanted()
		if len(classes) == 0 || taking.Err() != nil {
			select {
			case <-changed:
			case <-ctx.Done():
			}
			continue
		}
		if !p.here && !p.NoPause && p.strain.over(taking) != nil {
			continue
		}
		msg, err := p.fetch(taking, classes, turn)
		if err != nil && ctx.Err() == nil {
			_ = wait(ctx, beatEvery/4) // the server is gone, maybe to come back
			continue
		}
		if msg != nil {
			if err := p.playJob(ctx, slot, msg, over); err != nil {
				return err
			}
		}
	}
}

// fetch fetches one job; nil if there is none at present. With several classes
// it looks into each, and then waits for one of them.
func (p *playing) fetch(ctx context.Context, classes []string, turn int) (jetstream.Msg, error) {
	most := fetchWait
	if len(classes) > 1 || p.brief.Load() {
		most = turnWait
	}
	if len(classes) > 1 {
		for i := range classes {
			msg, err := p.fetchOne(ctx, classes[(turn+i)%len(classes)], 0)
			if msg != nil || err != nil {
				return msg, err
			}
		}
	}
	return p.fetchOne(ctx, classes[turn%len(classes)], most)
}

// fetchOne fetches one job of a class, waiting for it; 0 means not at all.
func (p *playing) fetchOne(ctx context.Context, class string, most time.Duration) (jetstream.Msg, error) {
	c, err := p.consumer(ctx, class)
	if err != nil {
		return nil, err
	}
	var batch jetstream.MessageBatch
	if most == 0 {
		batch, err = c.FetchNoWait(1)
	} else {
		ctx, cancel := context.WithTimeout(ctx, most)
		defer cancel()
		batch, err = c.Fetch(1, jetstream.FetchContext(ctx))
	}
	if err != nil {
		return nil, err
	}
	for msg := range batch.Messages() {
		return msg, nil
	}
	if err := batch.Error(); err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, nats.ErrTimeout) && !errors.Is(err, jetstream.ErrNoMessages) {
		p.forget(class)
		return nil, err
	}
	return nil, nil
}

// forget looks a class's consumer up again the next time: it may have been made
// anew.
func (p *playing) forget(class string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.pulls, class)
}
