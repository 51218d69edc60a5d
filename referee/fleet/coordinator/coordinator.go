// Package coordinator is an arena.Runner that hands matches out to workers
// elsewhere and collects their records; see package fleet for what they say to each
// other, and package dispatch for who plays what. It knows nothing of tournaments,
// scores, flags or terminals. From the bottom:
//
//	lead.go         one coordinator a run
//	results.go      the stream of records
//	coordinator.go  Config, Coordinator: its state, how it is changed, and what workers are answered
//	inspect.go      records are verified
//	open.go         a Coordinator begins and ends
//	run.go          a Run: its fixtures are drawn, its records taken, verified and written
package coordinator

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/time/rate"

	"umpire/protocols"
	"umpire/referee/arena"
	"umpire/referee/fleet"
	"umpire/referee/fleet/broker"
	"umpire/referee/fleet/dispatch"
	"umpire/referee/fleet/recheck"
	"umpire/referee/fleet/status"
	"umpire/referee/fleet/worker"
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
	Secret   string         // of the run there, which outlives the coordinator
	// Dispatch says who may play what. Of its times and shares, 0 stands for the usual ones. Open
	// sets its functions, and what it says of Own, of the server and of when matches began.
	Dispatch dispatch.Config
	// Games are those whose records are verified; nil: none are.
	Games []protocols.Game
	// Control, if not nil, returns what proves that a record is not that of its match: the
	// replies of built-in bots, which are known. It has a record Fail that may be due to the
	// worker's machine. Calls may be concurrent. All is set for Dispatch.Controls, and for a share
	// of the others; of the rest it looks at those in which such a bot failed.
	Control func(r *record.Record, all bool) error
	// Priority is the part of the workers' time that the run gets, beside other runs of the
	// same server; 0: 1.
	Priority int
	// CheckCase, if not nil, returns an error if this machine's judge refuses the case of a fixture, as a
	// worker says.
	CheckCase func(f arena.Fixture) error
	// Own plays here, as one worker among the others; nil if this machine only
	// coordinates. Its Players may be set until Run is called.
	Own *arena.Local
	// Stored is how many bytes of records the server keeps at most until they are taken; 0:
	// maxStored.
	Stored int64
	// Exclude, if not nil, keeps the name of a worker whose records do not count, before
	// any record that takes the place of one of them is written.
	Exclude func(worker string) error
	// Join, if not nil, keeps a key for Dispatch.Keys, before a worker joins with it.
	Join func(key, hash string) error
	// Note, if not nil, is told in a line what happens to the fleet.
	Note func(format string, args ...any)
}

// Coordinator is the Runner that has workers play. Only one Run may be in
// progress at a time. It must be closed.
type Coordinator struct {
	config     Config
	names      fleet.Names
	secret     string // of its own worker
	proofs     []byte // secret of the proofs that workers were given matches
	nc         *nats.Conn
	js         jetstream.JetStream
	results    results
	lead       *lead
	opened     time.Time
	isStanding bool // the server is umpire's, and outlives the run
	progress   atomic.Pointer[func() (done, total int)]
	draining   context.Context // ended by:
	drain      context.CancelFunc
	listening  listening
	warned     sync.Once // that the connection has lost messages
	uncompiled sync.Map  // the digests of bots of which it has been told that they can't be compiled

	mu         sync.Mutex
	dispatcher *dispatch.Dispatcher
	excluded   []string // workers of which the Run in progress does not know yet that their records do not count
}

var _ arena.Runner = (*Coordinator)(nil)

// do changes the state, and does then what was decided. Who is excluded is kept before it is said.
func (c *Coordinator) do(change func(now time.Time)) {
	out := c.decide(change)
	for _, name := range out.Excluded {
		if c.config.Exclude == nil {
			break
		}
		if err := c.config.Exclude(name); err != nil {
			c.config.Note("umpire: note that worker %s is excluded: %v\n", name, err)
		}
	}
	for _, note := range out.Notes {
		c.config.Note("%s", note)
	}
	for _, id := range out.Kicks {
		if c.config.Server != nil {
			c.config.Server.Kick(id)
		} else if c.isStanding {
			_ = c.nc.Publish(fleet.KickSubject, []byte(id)) // once more, if it goes on
		}
	}
	for _, g := range out.Gives {
		c.give(g)
	}
}

func (c *Coordinator) decide(change func(now time.Time)) dispatch.Decisions {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	change(now)
	out := c.dispatcher.Decide(now)
	c.excluded = append(c.excluded, out.Excluded...)
	return out
}

// give sends a job to the slot that asked for it. One that is too large for the server
// comes back.
func (c *Coordinator) give(g dispatch.Give) {
	fixtures, err := json.Marshal(g.Fixtures)
	if err == nil {
		j := fleet.Job{ID: g.ID, Fixtures: fixtures}
		for i, at := range g.At {
			j.At = append(j.At, c.place(g.Worker, g.ID, at, hashOf(g.Matches[i])))
		}
		err = c.respond(g.Reply, j)
	}
	if errors.Is(err, nats.ErrMaxPayload) {
		c.do(func(now time.Time) { c.dispatcher.TooLarge(g.ID, err, now) })
	}
}

// place is where the record of a match with a hash is stored. It proves that the worker was given the
// match as the i-th of a job, also to later coordinators of the run.
func (c *Coordinator) place(worker, job string, i int, match string) string {
	sum := hmac.New(sha256.New, c.proofs)
	fmt.Fprintf(sum, "%s\n%s\n%d\n%s", worker, job, i, match)
	return fleet.Place(i, match, hex.EncodeToString(sum.Sum(nil)[:16]))
}

// hashOf is the hash of the match with a full name, as places have it.
func hashOf(match string) string {
	sum := sha256.Sum256([]byte(match))
	return hex.EncodeToString(sum[:16])
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

// Drain lets the matches that are being played finish, and begins no more. Run
// then returns an error that is context.Canceled, unless all matches have ended.
func (c *Coordinator) Drain() {
	c.do(func(now time.Time) { c.dispatcher.Drain(now) })
	c.drain()
	_ = c.nc.Publish(c.names.News(), nil)
}

func (c *Coordinator) isDraining() bool { return c.draining.Err() != nil }

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
	f := status.Fleet{V: 1, Run: c.names.Run, Umpire: c.config.Dispatch.Version, Draining: c.isDraining(), Workers: []status.Worker{}}
	c.do(func(now time.Time) {
		f.UpUS = now.Sub(c.opened).Microseconds()
		c.dispatcher.Describe(&f, now)
	})
	return f
}

// Progress sets how the number of matches that are done is found, and the
// number of all; 0 if that is not known.
func (c *Coordinator) Progress(counts func() (done, total int)) { c.progress.Store(&counts) }

// Rechecks returns what playing matches a second time has shown so far.
func (c *Coordinator) Rechecks() (found recheck.Summary) {
	c.do(func(time.Time) { found = c.dispatcher.Rechecks() })
	return found
}

// AwaitLanguage reports whether a worker has what a program needs that this machine lacks
// the language of. Workers have some time to join; where this machine does not play, from
// when the first has joined.
func AwaitLanguage(ctx context.Context, c *Coordinator, digest string) (able bool, err error) {
	pause := c.config.Dispatch.Silence / 8
	for waited := time.Duration(0); waited < 2*c.config.Dispatch.Silence; {
		some := false
		c.do(func(time.Time) {
			some = c.dispatcher.Present() > 0
			able = c.dispatcher.CanPlay(digest)
		})
		if able || c.isDraining() { // nothing is played any more
			return true, nil
		}
		if err := worker.Wait(ctx, pause); err != nil {
			return false, err
		}
		if some || c.config.Own != nil {
			waited += pause
		}
	}
	return false, nil
}

// hello answers a worker that introduces itself.
func (c *Coordinator) hello(msg *nats.Msg) {
	var h fleet.Hello
	if !c.listening.reads(msg) {
		return // it says hello again
	}
	if len(msg.Data) > fleet.MaxHello || json.Unmarshal(msg.Data, &h) != nil {
		c.respond(msg.Reply, fleet.Welcome{Run: c.names.Run, Refused: fmt.Sprintf("it does not introduce itself as expected, in at most %d bytes", fleet.MaxHello)})
		return
	}
	id := fleet.LastToken(msg.Subject) // which the server has checked
	if id == fleet.Probe {
		return
	}
	h.Name = cmp.Or(fleet.Tidy(h.Name, fleet.MaxName), "worker")
	origins, err := c.origins([]string{id, h.Name})
	if err != nil {
		return // it may have a key, and says hello again
	}
	at := origins[id]
	if origins[h.Name].Named && at.Key == "" {
		h.Name += "#1" // as no key is called
	}
	if c.config.Server == nil && fleet.IsUser(id) {
		at.Key = id
	}
	answer := fleet.Welcome{Refused: fleet.KeyRemoved}
	if !at.Removed {
		if c.meet(at) != nil {
			return // and says hello again
		}
		c.do(func(now time.Time) { answer = c.dispatcher.Hello(id, at, h, now) })
	}
	if answer.Refused == "" {
		c.lead.name(context.Background(), id, answer.Name)
	}
	answer.Run, answer.Stays, answer.Priority = c.names.Run, c.config.Server == nil, c.config.Priority
	c.respond(msg.Reply, answer)
}

// meet notes with which key a worker joins. One that is new may be there in place of one that has
// been removed, which is dealt with first.
func (c *Coordinator) meet(at fleet.Origin) (err error) {
	if at.Hash == "" {
		return nil
	}
	var isMet, isAnother bool
	c.do(func(time.Time) { isMet, isAnother = c.dispatcher.HasMet(at.Key, at.Hash) })
	switch {
	case isMet:
		return nil
	case isAnother:
		c.checkKeys()
	}
	if c.config.Join != nil {
		err = c.config.Join(at.Key, at.Hash)
	}
	if err == nil {
		c.do(func(time.Time) { c.dispatcher.Meet(at.Key, at.Hash) })
	}
	return err
}

// origins returns from where workers connect, where the server is umpire's.
func (c *Coordinator) origins(ids []string) (list fleet.Origins, err error) {
	switch {
	case len(ids) == 0 || c.config.Server == nil && !c.isStanding:
		return nil, nil
	case c.config.Server != nil:
		return c.config.Server.Origins(ids), nil
	}
	question, _ := json.Marshal(ids) // texts can be encoded
	msg, err := c.nc.Request(fleet.OriginsSubject, question, fleet.AskWait)
	if err == nil {
		err = json.Unmarshal(msg.Data, &list)
	}
	return list, err
}

// beat gives a worker its orders.
func (c *Coordinator) beat(msg *nats.Msg) {
	var b fleet.Beat
	if !c.listening.reads(msg) || json.Unmarshal(msg.Data, &b) != nil {
		return
	}
	var o fleet.Orders
	c.do(func(now time.Time) { o = c.dispatcher.Hear(fleet.LastToken(msg.Subject), b, now) })
	c.respond(msg.Reply, o)
}

// take has a slot of a worker wait for a job.
func (c *Coordinator) take(msg *nats.Msg) {
	var t fleet.Take
	if !c.listening.reads(msg) || json.Unmarshal(msg.Data, &t) != nil {
		c.respond(msg.Reply, fleet.Job{})
		return
	}
	c.do(func(now time.Time) { c.dispatcher.Take(fleet.LastToken(msg.Subject), t, msg.Reply, now) })
}

const (
	// heardBytes is how much of what a worker sends, but for records, is read in a second: one
	// with a thousand slots has 2 MB to say.
	heardBytes = 4 << 20
	// leastHeard is as how many bytes a message counts at least: a slot asks for a job several times
	// a second.
	leastHeard = 1 << 10
	// maxListened is of how many workers is known how much they have sent.
	maxListened = 1 << 14
)

// listening bounds what is read of a worker: one that sends without end does not keep the
// coordinator from hearing the others.
type listening struct {
	mu     sync.Mutex
	limits map[string]*rate.Limiter // by the workers' ids
}

// reads reports whether a message, whose subject ends in its worker's id, is to be read.
func (l *listening) reads(msg *nats.Msg) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	id := fleet.LastToken(msg.Subject)
	if l.limits[id] == nil {
		if l.limits == nil || len(l.limits) == maxListened {
			l.limits = make(map[string]*rate.Limiter)
		}
		l.limits[id] = rate.NewLimiter(heardBytes, heardBytes)
	}
	return len(msg.Data) <= fleet.MaxBeat && l.limits[id].AllowN(time.Now(), max(leastHeard, len(msg.Data)))
}
