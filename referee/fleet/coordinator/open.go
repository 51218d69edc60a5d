package coordinator

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"umpire/referee/fleet"
	"umpire/referee/fleet/dispatch"
	"umpire/referee/fleet/worker"
)

// Open connects to the server and makes the streams of the run, or finds those
// of the run that is resumed.
func Open(ctx context.Context, config Config) (c *Coordinator, err error) {
	if config.Note == nil {
		config.Note = func(string, ...any) {}
	}
	if config.Stored = cmp.Or(config.Stored, maxStored); config.Server == nil {
		config.Stored = min(config.Stored, maxShared)
	}
	d := &config.Dispatch
	d.Silence, d.Late, d.ControlShare = cmp.Or(d.Silence, fleet.LostAfter), cmp.Or(d.Late, dispatch.LateAfter), cmp.Or(d.ControlShare, dispatch.ControlShare)
	c = &Coordinator{config: config, names: fleet.Names{Run: config.Run}, secret: fleet.NewSecret(), proofs: []byte(config.Secret), opened: time.Now()}
	c.draining, c.drain = context.WithCancel(context.Background())
	if config.Server != nil {
		c.names, c.proofs = config.Server.Names, []byte(config.Server.Secret)
	}
	c.nc, err = c.connect(nats.Name("umpire-coordinator"), nats.ReconnectWait(fleet.BeatEvery/4), nats.ReconnectJitter(0, 0))
	if err != nil {
		return nil, err
	}
	if c.js, err = jetstream.New(c.nc, jetstream.WithDefaultTimeout(fleet.AskWait)); err == nil {
		err = c.open(ctx)
	}
	if err != nil {
		err = worker.Denied(c.nc, err)
		refused, ok := errors.AsType[*jetstream.APIError](err)
		if ok && refused.ErrorCode == noRoom {
			err = fmt.Errorf("the NATS server has no room for this run: runs that are not over keep some, and its disk may be full (%w); finish them with --resume, or make room (umpire fleet serve: --keep)", err)
		} else if config.Server == nil && (ok && refused.Code == 500 || errors.Is(err, jetstream.ErrAsyncPublishTimeout)) {
			err = fmt.Errorf("the NATS server answers, but does not store a run: its disk may be full (%w); make room and restart it", err)
		}
		c.nc.Close()
		return nil, err
	}
	return c, nil
}

// connect connects to the embedded server, or to the one that URL names.
func (c *Coordinator) connect(options ...nats.Option) (*nats.Conn, error) {
	options = append(options, nats.MaxReconnects(-1))
	if c.config.Server != nil { // or else the NATS library would write to standard error
		return c.config.Server.Connect(append(options, nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			c.warned.Do(func() { c.config.Note("umpire: warning: of what workers send, some is lost (%v)\n", err) })
		}))...)
	}
	return (&worker.Worker{URL: c.config.URL, Token: c.config.Token, Insecure: c.config.Insecure, TLS: c.config.TLS}).Dial(options...)
}

// open takes the lead, makes what is stored, and begins to answer workers.
func (c *Coordinator) open(ctx context.Context) error {
	replicas := 1
	if c.config.Server == nil && c.nc.ConnectedClusterName() != "" {
		replicas = 3
	}
	c.isStanding = strings.HasPrefix(c.nc.ConnectedServerName(), fleet.Standing)
	var err error
	if c.lead, err = takeLead(ctx, c.js, c.names, replicas); err != nil {
		return fmt.Errorf("lead the run: %w", err)
	}
	c.results.c = c
	if err := c.results.open(ctx, replicas); err != nil {
		if c.lead.epoch == 1 { // nothing else is stored of the run
			_ = c.js.DeleteKeyValue(ctx, c.names.Lead())
		}
		return err
	}
	if err := c.storePrograms(ctx, replicas); err != nil {
		return fmt.Errorf("store programs: %w", err)
	}
	c.dispatcher = dispatch.New(c.dispatching())
	c.checkKeys() // what Excluded returns then is withdrawn before the first match
	for subject, answer := range map[string]nats.MsgHandler{
		fleet.HelloTo("*"): c.hello, c.names.Hello("*"): c.hello, c.names.Beat("*"): c.beat, c.names.Take("*"): c.take,
		fleet.StatusSubject: func(msg *nats.Msg) { c.respond(msg.Reply, c.Status()) },
	} {
		if _, err := c.nc.Subscribe(subject, answer); err != nil {
			return err
		}
	}
	return cmp.Or(c.nc.Publish(c.names.News(), nil), c.nc.Flush())
}

// storePrograms stores the programs for workers, by digest, unless they are there.
func (c *Coordinator) storePrograms(ctx context.Context, replicas int) error {
	bucket, err := c.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: c.names.Bucket(), Replicas: replicas})
	if err != nil {
		return err
	}
	for digest, p := range c.config.Dispatch.Packages {
		if _, err := bucket.GetInfo(ctx, digest); err == nil {
			continue
		}
		data, err := json.Marshal(p)
		if err != nil {
			return err
		}
		if _, err := bucket.PutBytes(ctx, digest, fleet.Pack(data)); err != nil {
			return err
		}
	}
	return nil
}

// dispatching is the configuration of the Dispatcher.
func (c *Coordinator) dispatching() dispatch.Config {
	config := c.config.Dispatch
	config.Own, config.OwnPlays = fleet.IDOf(c.secret), c.config.Own != nil
	config.TrustsAll, config.Began = c.config.Server == nil && !c.isStanding, c.results.began
	config.Chance, config.NewName = rand.Float64, fleet.NewName
	config.Past = make(map[string]string)
	for id, name := range c.lead.names.Range {
		config.Past[name.(string)] = id.(string)
	}
	return config
}

// Close tells the workers that the run has ended, if it is over, and
// disconnects. Workers of a run that is not over wait for it to be resumed.
func (c *Coordinator) Close(over bool) {
	defer c.nc.Close()
	ctx, cancel := context.WithTimeout(context.Background(), fleet.AskWait)
	defer cancel()
	if !over || errors.Is(c.lead.check(ctx), errLost) {
		return
	}
	c.end()
	// What can't be removed costs room, and does no harm.
	_ = c.js.DeleteStream(ctx, c.names.Results())
	_ = c.js.DeleteObjectStore(ctx, c.names.Bucket())
	_ = c.js.DeleteKeyValue(ctx, c.names.Lead())
}

// end tells the workers that they are not needed any more, and waits a moment for them
// to have heard it.
func (c *Coordinator) end() {
	c.do(func(time.Time) { c.dispatcher.Dismiss() })
	_ = c.nc.Publish(c.names.News(), nil)
	connected := func() (n int) {
		if c.config.Server != nil {
			return c.config.Server.Clients() - 1
		}
		c.do(func(time.Time) { n = c.dispatcher.Present() })
		return n
	}
	for until := time.Now().Add(2 * fleet.BeatEvery); time.Now().Before(until) && connected() > 0; {
		time.Sleep(fleet.BeatEvery / 50)
	}
}
