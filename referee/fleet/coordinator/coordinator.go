// Package coordinator is an arena.Runner that hands matches out to workers
// elsewhere and collects their records; see package fleet for what they say to each
// other. It knows nothing of tournaments, scores, flags or terminals.
//
//	coordinator.go  Config, Coordinator; what is sent and received
//	run.go          one Run: its parts, and the records that are written
//	feed.go         fixtures are put into jobs
//	schedule.go     who plays what: a state machine; outcome.go: what comes of it;
//	                losses.go: what workers do not finish; late.go: what holds up a Run
//	crew.go         workers: hello, beat, orders; also a state machine
//	recheck.go      matches that are played again elsewhere
//	calibrate.go    how fast workers are
//	inspect.go      records are verified
//	results.go      the stream of records; upkeep.go: what is removed of it, and whether it can be stored
//	collect.go      records are verified and counted
//	lead.go         one coordinator a run
//	abilities.go    what jobs need and workers have
//	programs.go     programs are stored for workers
//	status.go       the state of a run, as people see it
//	meter.go        rates
package coordinator

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/fleet"
	"umpire/referee/fleet/broker"
	"umpire/referee/fleet/status"
	"umpire/referee/fleet/worker"
	"umpire/referee/program"
	"umpire/referee/record"
)

// Config configures a Coordinator.
type Config struct {
	Server   *broker.Server // the embedded server; nil: URL names one
	URL      string         // of an existing server or cluster
	Token    string         // for that; "" if the URL holds what is needed
	Insecure bool           // the secret may go there without TLS, also beyond this machine
	TLS      *tls.Config    // for that; nil: the system's
	Run      string         // name of the run at an existing server, in lower case
	Version  string         // umpire's, which workers must have as well
	Build    fleet.Build    // its executable, which those of the same system must have as well; zero: they need not
	// Isolation is the weakest level at which workers may play; "" if any is
	// good enough.
	Isolation referee.Level
	// Packages are the programs that can travel, by digest. Matches of others
	// are played by Own alone. If it is nil, workers have all players already.
	Packages map[string]*program.Package
	// Games are those whose records are verified; nil: none are.
	Games []protocols.Game
	// Control, if not nil, returns what proves that a record is not that of its match: the
	// replies of built-in bots, which are known. Calls may be concurrent. It is asked for
	// the records of Controls, matches that are played for this alone, and of a share of
	// the others.
	Control      func(r *record.Record) error
	Controls     []arena.Fixture
	ControlShare float64 // of the matches, from 0 to 1; 0: controlShare
	// Calibrate has the budgets of each worker multiplied by how much more CPU time the bots of
	// Controls need there than on this machine: see record.Record.
	Calibrate bool
	// Priority is the part of the workers' time that the run gets, beside other runs of the
	// same server; 0: 1.
	Priority int
	// Needs are the labels that workers must have.
	Needs []string
	// Recheck is the share of matches, from 0 to 1, that are played a second time
	// on another worker; see Rechecks.
	Recheck float64
	// Own plays here, as one worker among the others; nil if this machine only
	// coordinates. Its Players may be set until Run is called.
	Own *arena.Local
	// Silence is how long nothing may be heard of a worker before what it holds is
	// given to others; 0: fleet.LostAfter.
	Silence time.Duration
	// Late is how long a match is played at least before it is also given to a
	// worker that has nothing to do; 0: lateAfter.
	Late time.Duration
	// Stored is how many bytes of records the server keeps at most until they are taken; 0:
	// maxStored.
	Stored int64
	CPU    string // model of the processors that Own plays on, for records
	// Resumed says that there are records which an earlier coordinator has taken; Excluded
	// names the workers that it excluded.
	Resumed  bool
	Excluded []string
	// Exclude, if not nil, keeps the name of a worker whose records do not count, before
	// any record that takes the place of one of them is written.
	Exclude func(worker string) error
	// Note, if not nil, is told in a line what happens to the fleet.
	Note func(format string, args ...any)
}

// Coordinator is the Runner that has workers play. Only one Run may be in
// progress at a time. It must be closed.
type Coordinator struct {
	config     Config
	names      fleet.Names
	secret     string // of its own worker
	nc         *nats.Conn
	js         jetstream.JetStream
	results    results
	lead       *lead
	opened     time.Time
	isStanding bool // the server is umpire's, and outlives the run
	progress   atomic.Pointer[func() (done, total int)]
	draining   chan struct{} // closed by Drain
	drain      sync.Once

	mu       sync.Mutex
	crew     *crew
	rechecks Rechecks
}

var _ arena.Runner = (*Coordinator)(nil)

// errDrained is why a Run ends after Drain.
var errDrained = fmt.Errorf("matches in progress are over: %w", context.Canceled)

// Open connects to the server and makes the streams of the run, or finds those
// of the run that is resumed.
func Open(ctx context.Context, config Config) (c *Coordinator, err error) {
	if config.Note == nil {
		config.Note = func(string, ...any) {}
	}
	config.Silence, config.Late = cmp.Or(config.Silence, fleet.LostAfter), cmp.Or(config.Late, lateAfter)
	config.ControlShare, config.Stored = cmp.Or(config.ControlShare, controlShare), cmp.Or(config.Stored, maxStored)
	c = &Coordinator{
		config: config, names: fleet.Names{Run: config.Run}, secret: fleet.NewSecret(), opened: time.Now(), draining: make(chan struct{}),
	}
	if config.Server != nil {
		c.names = config.Server.Names()
	}
	c.crew = newCrew(config.Version, config.Build, config.Isolation, config.Silence, fleet.IDOf(c.secret))
	c.crew.resumed = config.Resumed
	if config.Calibrate {
		c.crew.calibration = &calibration{fixtures: config.Controls[:min(len(config.Controls), maxMeasured)], here: config.Own != nil}
	}
	if config.Server == nil {
		c.crew.trust = trustAll
	}
	for _, name := range config.Excluded {
		c.crew.called[name] = true // nobody else's records are to bear it
	}
	if config.Server != nil {
		c.crew.hasKey = config.Server.HasKey
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
		c.nc.Close()
		return nil, err
	}
	return c, nil
}

// connect connects to the embedded server, or to the one that URL names.
func (c *Coordinator) connect(options ...nats.Option) (*nats.Conn, error) {
	options = append(options, nats.MaxReconnects(-1))
	if c.config.Server != nil {
		return c.config.Server.Connect(options...)
	}
	address, err := fleet.Addresses(c.config.URL, c.config.Insecure || c.config.TLS != nil)
	if err != nil {
		return nil, err
	}
	nc, err := worker.Dial(address, c.config.Token, c.config.TLS, nil, options...)
	switch {
	case errors.Is(err, nats.ErrAuthorization):
		return nil, &fleet.AddressError{Err: fmt.Errorf("at %s %s", fleet.HideSecrets(c.config.URL), worker.RefusedUser)}
	case worker.IsUntrusted(err):
		return nil, &fleet.AddressError{Err: err}
	case err != nil:
		return nil, fmt.Errorf("no NATS server at %s: %w", fleet.HideSecrets(c.config.URL), err)
	}
	return nc, nil
}

// open takes the lead, makes what is stored, and begins to answer workers.
func (c *Coordinator) open(ctx context.Context) error {
	replicas := 1
	if c.config.Server == nil && c.nc.ConnectedClusterName() != "" {
		replicas = 3
	}
	if c.isStanding = broker.IsStanding(c.nc.ConnectedServerName()); c.isStanding {
		c.do(func(time.Time) { c.crew.trust = trustToken })
	}
	var err error
	if c.lead, err = takeLead(ctx, c.js, c.names, replicas); err != nil {
		return fmt.Errorf("lead the run: %w", err)
	}
	c.results = results{js: c.js, names: c.names, most: c.config.Stored}
	if c.config.Server != nil {
		c.results.folder = c.config.Server.Folder()
	}
	if err := c.results.open(ctx, replicas); err != nil {
		return err
	}
	if err := storePrograms(ctx, c.js, c.names, replicas, c.config.Packages); err != nil {
		return fmt.Errorf("store programs: %w", err)
	}
	for subject, answer := range map[string]nats.MsgHandler{
		fleet.HelloTo("*"): c.hello, c.names.Hello("*"): c.hello, c.names.Beat("*"): c.beat, c.names.Take("*"): c.take,
		fleet.StatusSubject: func(msg *nats.Msg) { c.respond(msg.Reply, c.Status()) },
	} {
		if _, err := c.nc.Subscribe(subject, answer); err != nil {
			return err
		}
	}
	if err := c.nc.Publish(c.names.News(), nil); err != nil {
		return err
	}
	return c.nc.Flush()
}

// Close tells the workers that the run has ended, if it is over, and
// disconnects. Workers of a run that is not over wait for it to be resumed.
func (c *Coordinator) Close(over bool) {
	if over && c.lead.check() == nil {
		c.end()
		c.remove()
	}
	c.nc.Close()
}

// end tells the workers that they are not needed any more, and waits a moment for them
// to have heard it.
func (c *Coordinator) end() {
	c.do(func(time.Time) { c.crew.ended = true })
	_ = c.nc.Publish(c.names.News(), nil)
	connected := func() (n int) {
		if c.config.Server != nil {
			return c.config.Server.Clients() - 1
		}
		c.do(func(time.Time) { n = len(c.crew.there()) })
		return n
	}
	for until := time.Now().Add(2 * fleet.BeatEvery); time.Now().Before(until) && connected() > 0; {
		time.Sleep(fleet.BeatEvery / 50)
	}
}

// remove removes what has been stored. What can't be removed costs room, and
// does no harm.
func (c *Coordinator) remove() {
	ctx, cancel := context.WithTimeout(context.Background(), fleet.AskWait)
	defer cancel()
	_ = c.js.DeleteStream(ctx, c.names.Results())
	_ = c.js.DeleteObjectStore(ctx, c.names.Bucket())
	_ = c.js.DeleteKeyValue(ctx, c.names.Lead())
}

// do changes the state, and does then what was decided.
func (c *Coordinator) do(change func(now time.Time)) {
	out, say := c.decide(change)
	for _, note := range out.notes {
		say("%s", note)
	}
	for _, name := range out.excluded {
		if c.config.Exclude == nil {
			break
		}
		if err := c.config.Exclude(name); err != nil {
			say("umpire: note that worker %s is excluded: %v\n", name, err)
		}
	}
	for _, id := range out.kicks {
		if c.config.Server != nil {
			c.config.Server.Kick(id)
		}
	}
	for _, g := range out.gives {
		c.give(g)
	}
}

func (c *Coordinator) decide(change func(now time.Time)) (out decisions, say func(string, ...any)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(time.Now())
	out, c.crew.out = c.crew.out, decisions{}
	return out, c.config.Note
}

// give sends a job to the slot that asked for it. One that is too large for the server
// comes back.
func (c *Coordinator) give(g give) {
	j := fleet.Job{ID: g.id, At: g.at}
	for _, f := range g.fixtures {
		data, err := json.Marshal(f)
		if err != nil {
			data = []byte("{}") // it is played as what it is: nothing
		}
		j.Fixtures = append(j.Fixtures, data)
	}
	if err := c.respond(g.reply, j); errors.Is(err, nats.ErrMaxPayload) {
		c.do(func(now time.Time) {
			if c.crew.work != nil {
				c.crew.work.tooLarge(g.id, err, now)
			}
		})
	}
}

// respond answers a worker. On an existing server, whose accounts are none of
// ours, a worker may name any subject for the answer.
func (c *Coordinator) respond(subject string, answer any) error {
	if !strings.HasPrefix(subject, fleet.Inbox("")) && !strings.HasPrefix(subject, "_R_.") {
		return nil
	}
	data, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	return c.nc.Publish(subject, data)
}

// hello answers a worker that introduces itself.
func (c *Coordinator) hello(msg *nats.Msg) {
	var h fleet.Hello
	if len(msg.Data) > fleet.MaxHello || json.Unmarshal(msg.Data, &h) != nil {
		c.respond(msg.Reply, fleet.Welcome{Run: c.names.Run, Refused: fmt.Sprintf("it does not introduce itself as expected, in at most %d bytes", fleet.MaxHello)})
		return
	}
	id := fleet.LastToken(msg.Subject) // which the server has checked
	if id == fleet.Probe {
		return
	}
	at := c.origins([]string{id})[id]
	if c.config.Server == nil && fleet.IsUser(id) {
		at.Key = id
	}
	var answer fleet.Welcome
	c.do(func(now time.Time) { answer = c.crew.hello(id, at.Host, at.Key, h, now) })
	answer.Run, answer.Stays, answer.Priority = c.names.Run, c.config.Server == nil, c.config.Priority
	c.respond(msg.Reply, answer)
}

// origins returns from where workers connect, where the server is umpire's.
func (c *Coordinator) origins(ids []string) (list fleet.Origins) {
	switch {
	case len(ids) == 0:
	case c.config.Server != nil:
		return c.config.Server.Origins(ids)
	case c.isStanding:
		question, err := json.Marshal(ids)
		if err != nil {
			return nil
		}
		if msg, err := c.nc.Request(fleet.OriginsSubject, question, fleet.AskWait); err == nil {
			_ = json.Unmarshal(msg.Data, &list)
		}
	}
	return list
}

// beat gives a worker its orders.
func (c *Coordinator) beat(msg *nats.Msg) {
	var b fleet.Beat
	if len(msg.Data) > fleet.MaxBeat || json.Unmarshal(msg.Data, &b) != nil {
		return
	}
	var o fleet.Orders
	c.do(func(now time.Time) { o = c.crew.hear(fleet.LastToken(msg.Subject), b, now) })
	c.respond(msg.Reply, o)
}

// take has a slot of a worker wait for a job.
func (c *Coordinator) take(msg *nats.Msg) {
	var t fleet.Take
	if len(msg.Data) > fleet.MaxBeat || json.Unmarshal(msg.Data, &t) != nil {
		return
	}
	c.do(func(now time.Time) { c.crew.take(fleet.LastToken(msg.Subject), t, msg.Reply, now) })
}

// Drain lets the matches that are being played finish, and begins no more. Run
// then returns an error that is context.Canceled, unless all matches have ended.
func (c *Coordinator) Drain() { c.drain.Do(func() { close(c.draining) }) }

func (c *Coordinator) isDraining() bool {
	select {
	case <-c.draining:
		return true
	default:
		return false
	}
}

// Status describes the run to people, with what Progress has been told.
func (c *Coordinator) Status() status.Fleet {
	f := c.Now()
	if counts := c.progress.Load(); counts != nil {
		f.Done, f.Total = (*counts)()
	}
	if rest := f.Total - f.Done; rest > 0 && f.Rate > 0 {
		f.LeftUS = int64(float64(rest) / f.Rate * 1e6)
	}
	return f
}

// Now describes the workers to people.
func (c *Coordinator) Now() status.Fleet {
	f := status.Fleet{V: 1, Run: c.names.Run, Umpire: c.config.Version, Draining: c.isDraining(), Workers: []status.Worker{}}
	c.do(func(now time.Time) {
		f.UpUS = now.Sub(c.opened).Microseconds()
		c.crew.describe(&f, now)
	})
	return f
}

// Progress sets how the number of matches that are done is found, and the
// number of all; 0 if that is not known.
func (c *Coordinator) Progress(counts func() (done, total int)) { c.progress.Store(&counts) }

// Rechecks returns what playing matches a second time has shown so far.
func (c *Coordinator) Rechecks() (found Rechecks) {
	c.do(func(time.Time) { found = c.rechecks.settled() })
	return found
}

// newSchedule returns the schedule of a Run.
func (c *Coordinator) newSchedule() *schedule {
	return &schedule{
		crew: c.crew, version: c.config.Version, controls: c.config.Controls, share: c.config.ControlShare, began: c.results.began, silence: c.config.Silence, late: c.config.Late, recheck: newSample(c.config.Recheck, rand.Float64), packages: c.config.Packages, needs: labels(c.config.Needs),
		rechecks: &c.rechecks, chance: rand.Float64, newName: fleet.NewName,
		pending: make(map[string][]*match), early: make(map[string][]record.Record), jobs: make(map[string]*job), queues: make(map[string]*class),
	}
}
