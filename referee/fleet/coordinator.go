package fleet

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/program"
	"umpire/referee/record"
)

var noResult referee.Result

// Config configures a Coordinator.
type Config struct {
	Server   *Server     // the embedded server; nil: URL names one
	URL      string      // of an existing server or cluster
	Token    string      // for that; "" if the URL holds what is needed
	Insecure bool        // the secret may go there without TLS, also beyond this machine
	TLS      *tls.Config // for that; nil: the system's
	Run      string      // name of the run at an existing server, in lower case
	Version  string      // umpire's, which workers must have as well
	// Isolation is the weakest level at which workers may play; "" if any is
	// good enough.
	Isolation referee.Level
	// Packages are the programs that can travel, by digest. Matches of others
	// are played by Own alone. If it is nil, workers have all players already.
	Packages map[string]*program.Package
	// Games are those whose records are verified when they come from workers;
	// nil: none are.
	Games []protocols.Game
	// Recheck is the share of matches, from 0 to 1, that are played a second time
	// on another worker; see Rechecks.
	Recheck float64
	// Own plays here, as one worker among the others; nil if this machine only
	// coordinates. Its Players may be set until Run is called.
	Own *arena.Local
	// Silence is how long nothing may be heard of a job before it is given to
	// another worker; 0: 6 s.
	Silence time.Duration
	// Late is how long a match is played at least before it is also given to a
	// worker that has nothing to do; 0: lateAfter.
	Late time.Duration
	CPU  string // model of the processors that Own plays on, for records
	// Note, if not nil, is told in a line what happens to the fleet.
	Note func(format string, args ...any)
}

// Coordinator is the Runner that has workers play. Only one Run may be in
// progress at a time. It must be closed.
type Coordinator struct {
	Config
	names
	nc      *nats.Conn
	js      jetstream.JetStream
	work    jetstream.Stream
	results jetstream.Consumer
	crew    crew
	opened  time.Time
	stored  uint64 // number of the last result that was stored before it began

	// progress says how many matches of the run are done.
	progress atomic.Pointer[func() (done, total int)]
	draining chan struct{} // closed by Drain
	drain    sync.Once

	rechecking rechecking

	mu      sync.Mutex
	queue   *queue          // of the Run in progress; nil if there is none
	classes map[string]bool // that have a consumer
}

var _ arena.Runner = (*Coordinator)(nil)

// Open connects to the server and makes the streams of the run, or finds those
// of the run that is resumed.
func Open(ctx context.Context, config Config) (c *Coordinator, err error) {
	c = &Coordinator{Config: config, names: names{config.Run}, classes: make(map[string]bool), opened: time.Now(), draining: make(chan struct{})}
	if c.Note == nil {
		c.Note = func(string, ...any) {}
	}
	c.Silence, c.Late = cmp.Or(c.Silence, ackWait), cmp.Or(c.Late, lateAfter)
	c.crew.init(c)
	if c.Server != nil {
		c.names = c.Server.run
	}
	c.nc, err = c.connect(nats.Name("umpire-coordinator"), nats.ReconnectWait(beatEvery/4), nats.ReconnectJitter(0, 0))
	if err != nil {
		return nil, err
	}
	if c.js, err = jetstream.New(c.nc, jetstream.WithDefaultTimeout(askWait)); err == nil {
		err = c.open(ctx)
	}
	if err != nil {
		err = denied(c.nc, err)
		c.nc.Close()
		return nil, err
	}
	return c, nil
}

// connect connects to the embedded server, or to the one that URL names.
func (c *Coordinator) connect(options ...nats.Option) (*nats.Conn, error) {
	options = append(options, nats.MaxReconnects(-1))
	if c.Server != nil {
		return c.Server.connect(c.Server.own, options...)
	}
	address, err := addresses(c.URL, c.Insecure || c.TLS != nil)
	if err != nil {
		return nil, err
	}
	nc, err := dial(address, c.Token, c.TLS, nil, options...)
	switch {
	case errors.Is(err, nats.ErrAuthorization):
		return nil, &AddressError{fmt.Errorf("at %s %s", HideSecrets(c.URL), refusedUser)}
	case isUntrusted(err):
		return nil, &AddressError{err}
	case err != nil:
		return nil, fmt.Errorf("no NATS server at %s: %w", HideSecrets(c.URL), err)
	}
	return nc, nil
}

// open makes what is stored, and begins to answer workers.
func (c *Coordinator) open(ctx context.Context) error {
	replicas := 1
	if c.Server == nil && c.nc.ConnectedClusterName() != "" {
		replicas = 3
	}
	var err error
	c.work, err = c.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: c.names.work(), Subjects: []string{c.subject("work.>")}, Retention: jetstream.WorkQueuePolicy,
		Replicas: replicas, MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true,
	})
	if err != nil {
		return fmt.Errorf("make work queue: %w", err)
	}
	results, err := c.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: c.names.results(), Subjects: []string{c.subject("result.>")},
		Replicas: replicas, MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true,
	})
	if err != nil {
		return fmt.Errorf("make results stream: %w", err)
	}
	c.stored = results.CachedInfo().State.LastSeq
	if err := c.openResults(ctx, results); err != nil {
		return fmt.Errorf("read results: %w", err)
	}
	if err := c.store(ctx, replicas); err != nil {
		return fmt.Errorf("store programs: %w", err)
	}
	for subject, answer := range map[string]nats.MsgHandler{
		helloTo("*"): c.crew.hello, c.beat("*"): c.crew.beat, statusSubject: c.tellStatus,
		"$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES." + c.names.work() + ".*": c.exhausted,
		c.acks(): c.hear,
	} {
		if _, err := c.nc.Subscribe(subject, answer); err != nil {
			return err
		}
	}
	return c.nc.Flush()
}

// collector is the consumer of results.
const collector = "coordinator"

// openResults makes a consumer that gives the results which no earlier
// coordinator of the run has acknowledged, at once and not when they would be
// delivered again.
func (c *Coordinator) openResults(ctx context.Context, results jetstream.Stream) error {
	config := jetstream.ConsumerConfig{
		Durable: collector, AckPolicy: jetstream.AckAllPolicy, AckWait: ackWait, MaxAckPending: 4 * maxRoom,
	}
	old, err := results.Consumer(ctx, collector)
	switch {
	case err == nil:
		config.DeliverPolicy, config.OptStartSeq = jetstream.DeliverByStartSequencePolicy, old.CachedInfo().AckFloor.Stream+1
		if err := results.DeleteConsumer(ctx, collector); err != nil {
			return err
		}
	case !errors.Is(err, jetstream.ErrConsumerNotFound):
		return err
	}
	c.results, err = results.CreateConsumer(ctx, config)
	return err
}

// Close tells the workers that the run has ended, if it is over, and
// disconnects. Workers of a run that is not over wait for it to be resumed.
func (c *Coordinator) Close(over bool) {
	if over {
		c.crew.end()
		c.remove()
	}
	c.nc.Close()
}

// remove removes what has been stored. What can't be removed costs room, and
// does no harm.
func (c *Coordinator) remove() {
	ctx, cancel := context.WithTimeout(context.Background(), askWait)
	defer cancel()
	_ = c.js.DeleteStream(ctx, c.names.work())
	_ = c.js.DeleteStream(ctx, c.names.results())
	_ = c.js.DeleteObjectStore(ctx, c.bucket())
}

// Run implements arena.Runner.
func (c *Coordinator) Run(ctx context.Context, fixtures iter.Seq[arena.Fixture], done func(n int, r record.Record) error) error {
	if c.isDraining() {
		return errDrained
	}
	if err := c.work.Purge(ctx); err != nil {
		return fmt.Errorf("empty work queue: %w", err)
	}
	q := newQueue(c, done)
	c.set(q)
	defer c.set(nil)
	outer := ctx
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	group, ctx := errgroup.WithContext(ctx)
	work := func(f func(context.Context) error) {
		group.Go(func() error {
			return referee.Guard(func() error { return f(ctx) })
		})
	}
	work(func(ctx context.Context) error {
		defer close(q.fedUp)
		if err := q.feed(ctx, fixtures); !errors.Is(err, errDrained) {
			return err
		}
		return nil
	})
	work(func(ctx context.Context) error {
		err := q.collect(ctx)
		if err == nil {
			stop(errEnded)
		}
		return err
	})
	work(q.audit)
	work(c.tend)
	work(q.hurry)
	work(q.awaitDrain)
	if c.Own != nil {
		work(c.playHere)
	}
	err := group.Wait()
	switch {
	case outer.Err() != nil:
		q.drain()
		return context.Cause(outer)
	case errors.Is(err, errEnded):
		return nil
	}
	return err
}

// set makes a queue the current one, so that workers hear of it.
func (c *Coordinator) set(q *queue) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.queue = q
}

func (c *Coordinator) current() *queue {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.queue
}

// playHere is the coordinator's own worker.
func (c *Coordinator) playHere(ctx context.Context) error {
	nc, err := c.connect()
	if err != nil {
		return err
	}
	w := &Worker{
		Version: c.Version, Isolation: c.Own.Isolation, Name: hostName(), CPU: c.CPU, Local: *c.Own, here: true,
		Note: c.Note,
	}
	return w.play(ctx, nc, c.crew.own)
}

// class makes sure that a class of jobs has a consumer, and says so if nobody
// can play it.
func (c *Coordinator) class(ctx context.Context, needs needs) error {
	c.mu.Lock()
	known := c.classes[needs.class()]
	c.classes[needs.class()] = true
	c.mu.Unlock()
	if known {
		return nil
	}
	_, err := c.js.CreateOrUpdateConsumer(ctx, c.names.work(), jetstream.ConsumerConfig{
		Durable: needs.class(), FilterSubject: c.job(needs.class(), "*"), AckPolicy: jetstream.AckExplicitPolicy,
		AckWait: c.Silence, MaxDeliver: maxTries, MaxAckPending: -1,
	})
	if err != nil {
		return fmt.Errorf("make consumer: %w", err)
	}
	c.crew.add(needs)
	return c.nc.Publish(c.news(), nil)
}

// exhausted hears of a job that workers took as often as they may, and none
// finished.
func (c *Coordinator) exhausted(msg *nats.Msg) {
	var advisory struct {
		Seq uint64 `json:"stream_seq"`
	}
	if json.Unmarshal(msg.Data, &advisory) != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), askWait)
	defer cancel()
	stored, err := c.work.GetMsg(ctx, advisory.Seq)
	if err != nil {
		return // it was finished meanwhile
	}
	_ = c.work.DeleteMsg(ctx, advisory.Seq)
	var j job
	if q := c.current(); q != nil && json.Unmarshal(stored.Data, &j) == nil {
		q.lost(j.ID, fmt.Errorf("%d workers were given this match, and none of them finished it", maxTries))
	}
}

// wait waits for a time, or until ctx ends.
func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
