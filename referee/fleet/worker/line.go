package worker

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"umpire/referee"
	"umpire/referee/fleet"
)

// Run plays until the run has ended of a server that ends with it, there has been none for Idle, or
// taking ends, which are no errors, or ctx ends. It begins no more matches when taking ends, which it
// does with ctx at the latest, and finishes those that it plays. It waits for a coordinator that is not
// there.
func (w *Worker) Run(ctx, taking context.Context) error {
	if w.Note == nil {
		w.Note = func(string, ...any) {}
	}
	secret := fleet.NewSecret()
	id, user := fleet.IDOf(secret), fleet.UserOf(w.URL)
	if !fleet.IsUser(user) {
		user = id
	}
	nc, err := w.connect(taking, Options(user, secret)...)
	if err != nil && taking.Err() != nil {
		return context.Cause(ctx)
	}
	if err == nil && (user != id || strings.HasPrefix(nc.ConnectedServerName(), fleet.Standing)) {
		id, err = w.speaker(nc, user, id)
	}
	if err == nil {
		err = w.Play(ctx, taking, nc, id)
	}
	if errors.Is(err, ErrEnded) || errors.Is(err, errLeft) {
		return nil
	}
	return err
}

// speaker returns the id of a worker: the name of its user, unless an existing server lets the
// user speak as anybody. Then it is the one that the worker has made up. At umpire's own server only
// runs speak so, with their keys: these are for no worker's machine. A user that can't introduce itself
// as another, but could pass for one otherwise, is an error.
func (w *Worker) speaker(nc *nats.Conn, user, id string) (string, error) {
	hello, as, inbox := fleet.HelloTo(fleet.Probe), fleet.Names{Run: fleet.Probe}, fleet.Inbox(fleet.Probe)+"."+fleet.Probe
	for _, subject := range []string{hello, as.Take(fleet.Probe), as.Beat(fleet.Probe), as.Result(fleet.Probe, fleet.Probe, fleet.Probe), inbox} {
		var err error
		if subject == inbox {
			_, err = nc.SubscribeSync(subject)
		} else {
			err = nc.Publish(subject, nil)
		}
		err = cmp.Or(err, nc.FlushTimeout(fleet.AskWait))
		switch last := nc.LastError(); {
		case errors.Is(last, nats.ErrPermissionViolation) && strings.Contains(last.Error(), subject):
			continue
		case err != nil:
			err = fmt.Errorf("ask the NATS server what this worker may do: %w", err)
		case user == id:
			err = &fleet.AddressError{Err: fmt.Errorf("at %s: the key in UMPIRE_KEY or --token-file is that of a run, with which programs can be sent to all workers; expected the token, or a key of `umpire fleet keys add NAME`", fleet.HideSecrets(w.URL))}
		case subject == hello:
			return id, nil
		default:
			err = &fleet.AddressError{Err: fmt.Errorf("at %s: its configuration gives user %s what is other workers', %s; expected permissions as `umpire help topic fleets` shows them",
				fleet.HideSecrets(w.URL), user, strings.ReplaceAll(subject, fleet.Probe, "*"))}
		}
		nc.Close()
		return "", err
	}
	return user, nil
}

// connect waits for a server, unless there is an error that waiting does not mend.
func (w *Worker) connect(ctx context.Context, options ...nats.Option) (*nats.Conn, error) {
	since := time.Now()
	for first := true; ; first = false {
		nc, err := w.Dial(options...)
		if err == nil || errors.As(err, new(*fleet.AddressError)) {
			return nc, err
		}
		if first {
			w.Note("umpire: %v; trying again\n", err)
		}
		if err := w.missing(since); err != nil {
			return nil, err
		}
		if err := Wait(ctx, fleet.BeatEvery); err != nil {
			return nil, err
		}
	}
}

// Play plays likewise with a connection, which it closes, until it is told to leave.
// The id is that of the connection's Options.
func (w *Worker) Play(ctx, taking context.Context, nc *nats.Conn, id string) error {
	defer nc.Close()
	js, err := jetstream.New(nc, jetstream.WithDefaultTimeout(fleet.AskWait), jetstream.WithPublishAsyncTimeout(ackWait))
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	taking, stop := context.WithCancel(taking)
	context.AfterFunc(ctx, stop)
	l := &line{
		w: w, nc: nc, js: js, taking: taking, id: id, start: fleet.NewName(), anew: make(chan struct{}, 1),
		runs: make(map[string]*playing), refused: make(map[string]string), slots: make([]*playing, max(1, w.Local.Jobs)), since: time.Now(),
		work: func(f func() error) { group.Go(func() error { return referee.Guard(f) }) },
	}
	l.changed.L = &l.mu
	context.AfterFunc(taking, func() { l.do(l.changed.Broadcast) })
	l.watch(ctx)
	l.work(func() error { return l.listen(ctx) })
	l.work(func() error { return l.leave(ctx) })
	w.Local.Turns = new(sync.RWMutex)
	for slot := range l.slots {
		l.work(func() error { return l.slot(ctx, slot) })
	}
	err = group.Wait()
	if !errors.Is(err, ErrEnded) && nc.IsConnected() {
		last, cancel := context.WithTimeout(context.Background(), fleet.BeatEvery)
		defer cancel()
		for _, p := range l.runs {
			b := p.now()
			b.Leaving = true
			_ = p.ask(last, fleet.AskWait, p.names.Beat(l.id), b, new(fleet.Orders))
		}
	}
	return err
}

// watch says when the connection is gone and there again. Whatever was asked for
// before is not answered then.
func (l *line) watch(ctx context.Context) {
	l.nc.SetDisconnectErrHandler(func(_ *nats.Conn, err error) {
		goes := false
		l.do(func() {
			if goes = l.lost.IsZero(); goes {
				l.lost = time.Now()
			}
		})
		if goes && err != nil && ctx.Err() == nil && l.w.Own == "" {
			l.w.Note("umpire: the coordinator can't be reached (%v); trying again\n", err)
		}
	})
	l.nc.SetClosedHandler(func(*nats.Conn) { poke(l.anew) })
	l.nc.SetReconnectHandler(func(*nats.Conn) {
		l.do(func() {
			l.lost = time.Time{}
			for _, p := range l.runs {
				p.askAnew()
			}
		})
		if l.w.Own == "" {
			l.w.Note("umpire: the coordinator is there again\n")
		}
	})
}

// lookEvery is how often a worker that has a run looks for others: it may not have heard
// that they began.
const lookEvery = 10 * time.Second

// listen introduces the worker to the runs that there are, and to those that come.
func (l *line) listen(ctx context.Context) error {
	heard := make(chan *nats.Msg, 2048)
	inbox := l.nc.NewInbox()
	for _, subject := range []string{inbox, fleet.Names{Run: cmp.Or(l.w.Own, "*")}.News()} {
		sub, err := l.nc.ChanSubscribe(subject, heard)
		if err != nil {
			return err
		}
		defer func() { _ = sub.Unsubscribe() }()
	}
	poke(l.anew)
	var next <-chan time.Time
	for hellos := 0; ; {
		unanswered := false
		select {
		case msg := <-heard:
			if msg.Subject != inbox {
				l.hasNews(fleet.RunOf(msg.Subject))
			} else if err := l.welcome(ctx, msg); err != nil {
				return err
			}
			continue
		case <-l.anew:
		case <-next:
			unanswered = true
		case <-l.taking.Done():
			return context.Cause(ctx) // nil: leave ends the worker
		}
		none, err := l.introduce(inbox, unanswered)
		if err != nil {
			return err
		}
		next = time.After(lookEvery)
		if none {
			next = time.After(fleet.BeatEvery)
			if hellos++; hellos == 2 {
				l.w.Note("umpire: waiting for a run\n")
			}
		}
	}
}

// introduce says hello, and reports whether there is no run so far. Where there has been none,
// or no server, for too long, or nobody may say hello, that is an error. There may be a run whose
// answer is on its way unless the last hello is unanswered.
func (l *line) introduce(inbox string, unanswered bool) (none bool, err error) {
	var since, lost time.Time
	var why string
	l.do(func() { none, since, lost, why = len(l.runs) == 0, l.since, l.lost, l.why })
	switch err := l.nc.LastError(); {
	case l.nc.IsClosed():
		return none, l.w.explain(cmp.Or(err, nats.ErrConnectionClosed))
	case errors.Is(err, nats.ErrPermissionViolation) && !isOfProbe(err) && none:
		return none, &fleet.AddressError{Err: Denied(l.nc, err)}
	case none && !lost.IsZero():
		if err := l.w.missing(lost); err != nil {
			return none, err
		}
	case !none || !unanswered || l.w.Idle == 0 || time.Since(since) <= l.w.Idle:
	case why != "" && !l.taken:
		return none, fmt.Errorf("no run at %s has taken this worker for %s: %s", fleet.HideSecrets(l.w.URL), l.w.Idle, why)
	default:
		l.w.Note("umpire: no run at %s for %s: this worker ends\n", fleet.HideSecrets(l.w.URL), l.w.Idle)
		return none, errLeft
	}
	machine, _ := os.Hostname()
	h := fleet.Hello{
		Protocol: fleet.Protocol, Start: l.start, Name: cmp.Or(l.w.Name, machine, "worker"), Version: l.w.Local.Umpire, Binary: l.w.Build.String(),
		Isolation: l.w.Local.Isolation, CPU: l.w.Local.CPU, Slots: len(l.slots),
	}
	for _, a := range l.w.Abilities {
		h.Abilities = append(h.Abilities, a.Key)
	}
	for _, label := range l.w.Labels {
		h.Abilities = append(h.Abilities, fleet.LabelAbility(label))
	}
	data, err := json.Marshal(h)
	if err != nil {
		return none, err
	}
	to := fleet.HelloTo(l.id)
	if l.w.Own != "" {
		to = fleet.Names{Run: l.w.Own}.Hello(l.id)
	}
	_ = l.nc.PublishRequest(to, inbox, data) // what is lost is said again
	return none, nil
}

// welcome takes the answer of a run. The error is why the worker must end.
func (l *line) welcome(ctx context.Context, msg *nats.Msg) error {
	var answer fleet.Welcome
	if json.Unmarshal(msg.Data, &answer) != nil || answer.Run == "" {
		return nil // nobody is there to answer
	}
	if answer.Refused != "" {
		return l.refuse(answer.Run, answer.Refused, answer.Stays)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.runs[answer.Run]
	if p == nil {
		p = l.newPlaying(ctx, answer)
		if !answer.Stays { // it has taken the place of another, and of the server
			for _, old := range l.runs {
				l.forget(old)
			}
		}
		l.runs[answer.Run], l.taken = p, true
		l.changed.Broadcast()
		if l.w.Own == "" {
			l.w.Note("umpire: this worker plays for run %s\n", answer.Run)
		}
		l.work(p.beats)
	}
	if p.joined != answer.Joined { // a coordinator that resumes the run does not drain as the one before may have
		p.joined = answer.Joined
		p.draining.Store(false)
		p.askAnew()
	}
	return nil
}

// leave ends the worker, after it was asked to, when its matches are over, or
// when there is nobody who could be given their records.
func (l *line) leave(ctx context.Context) error {
	<-l.taking.Done()
	holds := func() (n int) {
		l.do(func() {
			for _, p := range l.runs {
				n += len(p.held)
			}
		})
		return n
	}
	for holds() > 0 && l.nc.IsConnected() && ctx.Err() == nil {
		_ = Wait(ctx, fleet.BeatEvery/10)
	}
	return cmp.Or(context.Cause(ctx), errLeft)
}
