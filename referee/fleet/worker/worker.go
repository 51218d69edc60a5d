// Package worker plays matches for a coordinator elsewhere; see package fleet for what
// they say to each other.
//
//	worker.go    a worker: connection, introduction, beats
//	slot.go      a slot takes a job, plays it and stores its records
//	outbox.go    the records of a job, on their way
//	programs.go  programs are fetched, by digest
//	pause.go     a worker whose contestants wait for CPUs
//	dial.go      connections to servers, and why there is none
//	look.go      an onlooker asks for the state of the run
package worker

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/fleet"
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
	Build     fleet.Build // its executable; zero: not said
	Isolation string      // level
	CPU       string      // model of the processors
	Abilities []program.Ability
	NoPause   bool // play on while contestants wait for CPUs
	Own       bool // it is the coordinator's, which has no need to read what it knows
	// Local plays the matches: its games, and Jobs at a time on its
	// CPUs. Players, if there are any, need not be fetched.
	Local arena.Local
	// Player makes a player of a package that has been fetched. Calls may be concurrent,
	// of different digests.
	Player func(ctx context.Context, digest string, p *program.Package) (referee.Player, error)
	// Game makes what prepares a runner for the matches of a game, of the package of its
	// folder; nil: Local is prepared. Calls may be concurrent, of different digests.
	Game func(ctx context.Context, digest string, p *program.Package) (prepare func(*arena.Local), err error)
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
}

// Why work ends.
var (
	ErrEnded     = errors.New("the run has ended")                             // so a worker ends as well
	errOtherRun  = errors.New("there is another run")                          // where the worker's coordinator was, so it begins anew
	errUnbegun   = errors.New("it finishes what it plays, and begins no more") // after Stop, or Drain of the coordinator
	errLeft      = errors.New("it ends")                                       // after Stop
	errNotNeeded = errors.New("nobody waits for its records")                  // a job that others have finished
)

// Run plays until the coordinator's run has ended or Stop is closed, which are
// no errors, or ctx ends. It waits for a coordinator that is not there.
func (w *Worker) Run(ctx context.Context) error {
	address, err := fleet.Addresses(w.URL, w.Insecure || w.TLS != nil)
	if err != nil {
		return err
	}
	if w.Note == nil {
		w.Note = func(string, ...any) {}
	}
	joining, joined := until(ctx, w.Stop)
	defer joined()
	for secret, id := fleet.NewSecret(), ""; ; {
		if id, err = w.whoAmI(joining, address, secret); err != nil {
			return err
		}
		nc, err := w.connect(joining, address, Options(id, secret))
		if err == nil {
			err = w.Play(ctx, nc, id, secret)
		}
		switch {
		case errors.Is(err, ErrEnded), errors.Is(err, errLeft):
			return nil
		case !errors.Is(err, errOtherRun):
			return err
		}
	}
}

// whoAmI returns the worker's id: that of its secret, unless an existing server does not
// let the worker's user speak as anybody. Then it is the name of the user.
func (w *Worker) whoAmI(ctx context.Context, address, secret string) (id string, err error) {
	user := fleet.UserOf(w.URL)
	if !fleet.IsUser(user) {
		return fleet.IDOf(secret), nil
	}
	nc, err := w.connect(ctx, address, nil)
	if err != nil {
		return "", err
	}
	defer nc.Close()
	if err = nc.Publish(fleet.HelloTo(fleet.Probe), nil); err == nil {
		err = nc.FlushTimeout(fleet.AskWait)
	}
	switch {
	case errors.Is(nc.LastError(), nats.ErrPermissionViolation):
		return user, nil
	case err != nil:
		return "", fmt.Errorf("ask the NATS server what this worker may do: %w", err)
	}
	return fleet.IDOf(secret), nil
}

// missing returns an error when the coordinator has not been heard of since a
// time, and that is too long.
func (w *Worker) missing(since time.Time) error {
	if w.Patience > 0 && time.Since(since) > w.Patience {
		return fmt.Errorf("no coordinator at %s for %s", fleet.HideSecrets(w.URL), w.Patience)
	}
	return nil
}

// connect waits for a server. A wrong token, and a certificate that is not
// trusted, are errors at once.
func (w *Worker) connect(ctx context.Context, address string, options []nats.Option) (*nats.Conn, error) {
	since := time.Now()
	for first := true; ; first = false {
		nc, err := Dial(address, w.Token, w.TLS, w.Note, options...)
		if err == nil {
			return nc, nil
		}
		if errors.Is(err, nats.ErrAuthorization) {
			return nil, w.unauthorized()
		}
		if IsUntrusted(err) {
			return nil, &fleet.AddressError{Err: err}
		}
		if first {
			w.Note("umpire: no coordinator at %s (%v); trying again\n", fleet.HideSecrets(w.URL), err)
		}
		if err := w.missing(since); err != nil {
			return nil, err
		}
		if err := Wait(ctx, fleet.BeatEvery); err != nil {
			return nil, err
		}
	}
}

// playing is a worker that has been connected.
type playing struct {
	w        *Worker
	names    fleet.Names // read without the lock once the worker has been welcomed
	nc       *nats.Conn
	js       jetstream.JetStream
	id       string
	start    string // see fleet.Hello
	players  store[referee.Player]
	games    store[func(*arena.Local)]
	strain   strain
	busy     atomic.Int32                // slots that play
	worked   atomic.Int32                // most slots that played concurrently since the last beat
	stored   atomic.Uint64               // number of the last record in the results stream
	draining atomic.Bool                 // the coordinator wants no more matches to begin
	own      map[string][]referee.Player // that need not be fetched, by digest

	mu     sync.Mutex
	called string                             // by the coordinator
	held   map[string]context.CancelCauseFunc // the jobs that it has and has not delivered, by id
	back   []fleet.Back                       // jobs that it gives back
	line   context.Context                    // ends when what was asked for will not be answered
	renew  context.CancelFunc                 // of line
}

// Play plays with a connection, which it closes, until it is told to leave or
// ctx ends. The id and the secret are those of the connection's Options.
func (w *Worker) Play(ctx context.Context, nc *nats.Conn, id, secret string) error {
	defer nc.Close()
	js, err := jetstream.New(nc, jetstream.WithDefaultTimeout(fleet.AskWait))
	if err != nil {
		return err
	}
	p := &playing{w: w, nc: nc, js: js, id: id, start: fleet.IDOf(secret), own: make(map[string][]referee.Player), held: make(map[string]context.CancelCauseFunc)}
	p.line, p.renew = context.WithCancel(context.Background())
	p.players.get, p.players.make = p.fetch, p.makePlayer
	p.games.get, p.games.make = p.fetch, w.Game
	for _, player := range w.Local.Players {
		digest := player.Identity().Digest
		p.own[digest] = append(p.own[digest], player)
	}
	p.watchLine(ctx)
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
	if !errors.Is(err, ErrEnded) && nc.IsConnected() {
		last, cancel := context.WithTimeout(context.Background(), fleet.BeatEvery)
		defer cancel()
		b := p.now()
		b.Leaving = true
		_ = p.ask(last, fleet.AskWait, p.names.Beat(p.id), b, new(fleet.Orders))
	}
	return err
}

// watchLine says when the connection is gone and there again. Whatever was asked for
// before is not answered then.
func (p *playing) watchLine(ctx context.Context) {
	var lost atomic.Bool
	p.nc.SetDisconnectErrHandler(func(_ *nats.Conn, err error) {
		if err != nil && ctx.Err() == nil && !lost.Swap(true) && !p.w.Own {
			p.w.Note("umpire: the coordinator can't be reached (%v); trying again\n", err)
		}
	})
	p.nc.SetReconnectHandler(func(*nats.Conn) {
		if lost.Swap(false) {
			p.w.Note("umpire: the coordinator is there again\n")
		}
		p.askAnew()
	})
}

// askAnew has the slots ask for jobs once more.
func (p *playing) askAnew() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.renew()
	p.line, p.renew = context.WithCancel(context.Background())
}

// hello introduces the worker, once the coordinator is there.
func (p *playing) hello(ctx context.Context) error {
	h := fleet.Hello{
		Protocol: fleet.Protocol, Start: p.start, Name: cmp.Or(p.w.Name, hostName()), Version: p.w.Version, Binary: p.w.Build.String(), Isolation: p.w.Isolation, CPU: p.w.CPU, Slots: max(1, p.w.Local.Jobs),
	}
	for _, a := range p.w.Abilities {
		h.Abilities = append(h.Abilities, a.Key)
	}
	said, since := false, time.Now()
	for {
		var answer fleet.Welcome
		err := p.ask(ctx, fleet.AskWait, fleet.HelloTo(p.id), h, &answer)
		switch {
		case err == nil && answer.Refused != "":
			return &fleet.RefusedError{Why: answer.Refused}
		case err == nil && p.names.Run != "" && p.names.Run != answer.Run:
			return errOtherRun
		case err == nil:
			if p.names.Run == "" {
				p.names = fleet.Names{Run: answer.Run}
				if !p.w.Own {
					p.w.Note("umpire: this worker plays for run %s\n", answer.Run)
				}
			}
			p.mu.Lock()
			p.called = answer.Name
			p.mu.Unlock()
			p.askAnew()
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, nats.ErrAuthorization):
			return p.w.unauthorized()
		case errors.Is(Denied(p.nc, err), nats.ErrPermissionViolation):
			return &fleet.AddressError{Err: Denied(p.nc, err)}
		}
		if !said {
			said = true
			p.w.Note("umpire: waiting for the coordinator\n")
		}
		if err := p.w.missing(since); err != nil {
			return err
		}
		if err := Wait(ctx, fleet.BeatEvery); err != nil {
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

func hostName() string {
	name, err := os.Hostname()
	if err != nil {
		return "worker"
	}
	return name
}

// ask sends a request to the coordinator, and waits for the answer for some time.
func (p *playing) ask(ctx context.Context, most time.Duration, subject string, question, answer any) error {
	data, err := json.Marshal(question)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, most)
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
	sub, err := p.nc.ChanSubscribe(p.names.News(), news)
	if err != nil {
		return err
	}
	defer func() { _ = sub.Unsubscribe() }()
	for heard := time.Now(); ; {
		var o fleet.Orders
		b := p.now()
		err := p.ask(ctx, fleet.AskWait, p.names.Beat(p.id), b, &o)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil: // the coordinator is gone, maybe to come back
			if err := p.w.missing(heard); err != nil {
				return err
			}
		case o.Leave:
			return ErrEnded
		case o.Refused != "":
			return &fleet.RefusedError{Why: o.Refused}
		case !o.Known:
			if err := p.hello(ctx); err != nil {
				return err
			}
			continue
		default:
			heard = time.Now()
			p.obey(o, len(b.Back))
		}
		select {
		case <-news:
		case <-time.After(fleet.BeatEvery):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// obey does what the coordinator orders, which has heard of so many jobs that are given
// back.
func (p *playing) obey(o fleet.Orders, back int) {
	if before := p.draining.Swap(o.Drain); o.Drain && !before && !p.w.Own {
		p.w.Note("umpire: the run has been interrupted: matches in progress finish, and no more begin\n")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.back = p.back[back:]
	for _, id := range o.End {
		if end := p.held[id]; end != nil {
			end(errNotNeeded)
		}
	}
}

// leaving is why a worker that has been asked to end takes no matches.
const leaving = "it has been asked to end, and finishes what it plays"

// now is a beat of the worker. What has been stored is read last: the records of a job
// that is no longer held are among it.
func (p *playing) now() fleet.Beat {
	b := fleet.Beat{Start: p.start, Busy: int(max(p.busy.Load(), p.worked.Swap(0))), Waiting: p.pausing()}
	p.mu.Lock()
	for id := range p.held {
		b.Jobs = append(b.Jobs, id)
	}
	b.Back = append(b.Back, p.back...)
	p.mu.Unlock()
	b.Stored = p.stored.Load()
	select {
	case <-p.w.Stop:
		b.Paused = leaving
	default:
	}
	return b
}

// finishing reports whether the worker is to begin no more matches: as it is
// asked to end, or its coordinator is.
func (p *playing) finishing() bool {
	select {
	case <-p.w.Stop:
		return true
	default:
		return p.draining.Load()
	}
}

// leave ends the worker, after it was asked to, when its matches are over, or
// when there is nobody who could be given their records.
func (p *playing) leave(ctx context.Context) error {
	select {
	case <-p.w.Stop:
	case <-ctx.Done():
		return nil
	}
	holds := func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return len(p.held) > 0
	}
	for holds() && p.nc.IsConnected() {
		if Wait(ctx, fleet.BeatEvery/10) != nil {
			return nil
		}
	}
	return errLeft
}

// until returns a context that also ends when a channel is closed; nil never is.
func until(ctx context.Context, stop <-chan struct{}) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		select {
		case <-stop:
			cancel(errLeft)
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(nil) }
}

// Wait waits for a time, or until ctx ends.
func Wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
