//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/fleet"
	"umpire/referee/fleet/coordinator"
	"umpire/referee/fleet/worker"
	"umpire/referee/record"
	"umpire/referee/tournament"
)

// slotsRun measures how busy the slots of very many workers are, with the real coordinator,
// server and protocol. The workers are in one other process, and only wait for as long as a
// match would take; the records are in the form of real ones, and are verified.
func slotsRun(args []string) error {
	flags := flag.NewFlagSet("slots", flag.ExitOnError)
	s := simulation{}
	flags.IntVar(&s.workers, "workers", 1000, "workers")
	flags.IntVar(&s.slots, "slots", 16, "matches that each plays at a time")
	flags.DurationVar(&s.match, "match", 4*time.Second, "how long a match takes in the mean; each a half of it more or less")
	flags.DurationVar(&s.lasts, "for", time.Minute, "how long matches are played")
	flags.DurationVar(&s.idle, "idle", 10*time.Second, "how long the slots then have nothing to do")
	join := flags.String("join", "", "be the workers of the coordinator at `URL`, whose secret is in UMPIRE_SCALE_TOKEN")
	_ = flags.Parse(args)
	if *join != "" {
		return s.play(*join)
	}
	return coordinate(note, func(c *coordinator.Coordinator, dir string, join joining) error {
		if _, err := join.start(1, "slots", args); err != nil {
			return err
		}
		return s.measure(c, dir)
	})
}

// simulation is a fleet whose workers only wait.
type simulation struct {
	workers, slots     int
	match, lasts, idle time.Duration
	playing            atomic.Int64 // slots
	takes              atomic.Int64 // requests for jobs

	once   sync.Once
	played record.Record // of the one match that is played, by once
	failed error         // why there is none
}

// measure has the workers play for a time, once all are there.
func (s *simulation) measure(c *coordinator.Coordinator, dir string) error {
	for there := 0; there < s.workers; time.Sleep(fleet.BeatEvery) {
		there = len(c.Now().Workers)
	}
	list := bots(100)
	run, w, err := contest(dir, tournament.Plan{Format: tournament.RoundRobin, Bots: len(list), Seats: 2}, list, 100, c)
	if err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(context.Background(), s.lasts)
	defer stop()
	began, used := time.Now(), cpuTime()
	records := 0
	run.Done = func() { records++ }
	if err := run.Play(ctx); !errors.Is(err, context.DeadlineExceeded) && err != nil {
		return err
	}
	took, cost := time.Since(began), cpuTime()-used
	fmt.Printf("coordinator: %d records, %.0f a second, %.3f ms of CPU time each: %.1f processors\n", records,
		float64(records)/took.Seconds(), cost.Seconds()*1e3/float64(records), cost.Seconds()/took.Seconds())
	if err := w.Close(); err != nil {
		return err
	}
	return s.rest(c)
}

// note shows what befalls workers, but that they join.
func note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !strings.Contains(text, "has joined") {
		fmt.Fprint(os.Stderr, text)
	}
}

// rest measures what slots cost that wait for the matches of the next round.
func (s *simulation) rest(c *coordinator.Coordinator) error {
	ctx, stop := context.WithTimeout(context.Background(), s.idle)
	defer stop()
	used := cpuTime()
	waits := func(yield func(arena.Fixture) bool) { <-ctx.Done() }
	if err := c.Run(ctx, iter.Seq[arena.Fixture](waits), func(int, record.Record) error { return nil }); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	fmt.Printf("coordinator, idle: %.2f processors\n", (cpuTime()-used).Seconds()/s.idle.Seconds())
	return nil
}

// cpuTime is the CPU time of this process.
func cpuTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// play is all the workers.
func (s *simulation) play(url string) error {
	debug.SetGCPercent(400) // it shares the processors with the coordinator
	var group errgroup.Group
	connecting := make(chan struct{}, 8)
	for range s.workers {
		group.Go(func() error { return s.worker(url, connecting) })
	}
	go s.show()
	return group.Wait()
}

// show shows how busy the slots are, from samples.
func (s *simulation) show() {
	const samples = 100
	for takes := int64(0); ; {
		sum := int64(0)
		for range samples {
			time.Sleep(5 * time.Second / samples)
			sum += s.playing.Load()
		}
		asked := s.takes.Load()
		fmt.Fprintf(os.Stderr, "workers: slots busy %5.1f %%, %d jobs asked for a second\n", 100*float64(sum)/samples/float64(s.workers*s.slots), (asked-takes)/5)
		takes = asked
	}
}

// waiting is a worker that only waits.
type waiting struct {
	*simulation
	nc    *nats.Conn
	js    jetstream.JetStream
	id    string
	names fleet.Names

	mu     sync.Mutex
	held   map[string]bool
	stored uint64
}

func (s *simulation) worker(url string, connecting chan struct{}) error {
	secret := fleet.NewSecret()
	w := &waiting{simulation: s, id: fleet.IDOf(secret), held: make(map[string]bool)}
	var err error
	connecting <- struct{}{}
	server := worker.Worker{URL: url, Token: os.Getenv("UMPIRE_SCALE_TOKEN"), Insecure: true}
	w.nc, err = server.Dial(append(worker.Options(w.id, secret), nats.Timeout(time.Minute))...)
	<-connecting
	if err != nil {
		return err
	}
	if w.js, err = jetstream.New(w.nc); err != nil {
		return err
	}
	if err := w.hello(); err != nil {
		return err
	}
	var group errgroup.Group
	for slot := range s.slots {
		group.Go(func() error { return w.slot(slot) })
	}
	group.Go(w.beats)
	return group.Wait()
}

// hello introduces the worker.
func (w *waiting) hello() error {
	var welcome fleet.Welcome
	h := fleet.Hello{Protocol: fleet.Protocol, Name: "simulated", Version: noVersion, Isolation: string(referee.LevelNone), Slots: w.simulation.slots}
	err := w.ask(fleet.HelloTo(w.id), fleet.TakeWait, h, &welcome)
	w.names = fleet.Names{Run: welcome.Run}
	return err
}

func (w *waiting) ask(subject string, most time.Duration, question, answer any) error {
	data, err := json.Marshal(question)
	if err != nil {
		return err
	}
	msg, err := w.nc.Request(subject, data, most)
	if err != nil {
		return err
	}
	return json.Unmarshal(msg.Data, answer)
}

func (w *waiting) beats() error {
	for ; ; time.Sleep(fleet.BeatEvery) {
		var b fleet.Beat
		w.mu.Lock()
		for id := range w.held {
			b.Jobs = append(b.Jobs, id)
		}
		b.Stored, b.Busy = w.stored, min(len(w.held), w.slots)
		w.mu.Unlock()
		var o fleet.Orders
		if err := w.ask(w.names.Beat(w.id), fleet.AskWait*6, b, &o); err != nil {
			return err
		}
		switch {
		case o.Leave || o.Refused != "":
			return errors.New(o.Refused)
		case !o.Known:
			if err := w.hello(); err != nil {
				return err
			}
		}
	}
}

func (w *waiting) slot(slot int) error {
	for last := ""; ; {
		var j fleet.Job
		w.takes.Add(1)
		if err := w.ask(w.names.Take(w.id), fleet.TakeWait, fleet.Take{Slot: slot, Last: last}, &j); err != nil || j.ID == "" {
			time.Sleep(fleet.Together) // it was not known for a time
			continue
		}
		last = j.ID
		w.mu.Lock()
		w.held[j.ID] = true
		w.mu.Unlock()
		acks, err := w.job(j)
		if err != nil {
			return err
		}
		go w.settle(j.ID, acks)
	}
}

// job plays a job: it waits, and then gives the records.
func (w *waiting) job(j fleet.Job) (acks []jetstream.PubAckFuture, err error) {
	w.playing.Add(1)
	defer w.playing.Add(-1)
	var fixtures []arena.Fixture
	if err := json.Unmarshal(j.Fixtures, &fixtures); err != nil {
		return nil, err
	}
	for i, f := range fixtures {
		took := w.match/2 + rand.N(w.match)
		time.Sleep(took)
		r, err := w.record(f)
		if err != nil {
			return nil, err
		}
		r.WallUS = took.Microseconds()
		text, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		ack, err := w.js.PublishAsync(w.names.Result(w.id, j.ID, j.At[i]), text)
		if err != nil {
			return nil, err
		}
		acks = append(acks, ack)
	}
	return acks, nil
}

// record returns the record of a match. One match is played; all others go likewise, as each
// ends with its first reply.
func (s *simulation) record(f arena.Fixture) (record.Record, error) {
	s.once.Do(func() {
		g, err := game()
		if err != nil {
			s.failed = err
			return
		}
		local := arena.Local{Games: []protocols.Game{g}, Isolation: string(referee.LevelNone), Umpire: noVersion, Jobs: 1}
		for _, seat := range f.Seats {
			local.Players = append(local.Players, instant{referee.Identity{Name: seat.Bot, Digest: seat.Digest}})
		}
		s.failed = local.Run(context.Background(), slices.Values([]arena.Fixture{f}), func(_ int, r record.Record) error {
			s.played = r
			return nil
		})
	})
	r, of := s.played, f.Record()
	r.ID, r.Repetition, r.Case, r.Seats = of.ID, of.Repetition, of.Case, slices.Clone(r.Seats)
	for i := range r.Seats {
		r.Seats[i].Bot, r.Seats[i].Digest = of.Seats[i].Bot, of.Seats[i].Digest
	}
	return r, s.failed
}

// settle lets go of a job once its records are stored.
func (w *waiting) settle(id string, acks []jetstream.PubAckFuture) {
	for _, ack := range acks {
		select {
		case got := <-ack.Ok():
			w.mu.Lock()
			w.stored = max(w.stored, got.Sequence)
			w.mu.Unlock()
		case <-ack.Err():
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.held, id)
}
