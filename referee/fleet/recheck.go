package fleet

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"umpire/referee/arena"
	"umpire/referee/record"
)

// Rechecks sums up the matches that were played a second time, on another worker.
// Compared is all that does not depend on the machine's speed: the replies, the
// failures, and the outcome. Two records that differ are no proof of
// anything: the bots may play differently each time. So both workers play such
// a match once more, and only one that each plays as before is a difference
// between them, or one whose record all the other three contradict alike.
type Rechecks struct {
	Matches  int          `json:"matches"`  // that were played again
	Same     int          `json:"same"`     // with the same outcome
	Skipped  int          `json:"skipped"`  // could not be: there was no other worker, or umpire failed to play them
	Unsteady []Unsteady   `json:"unsteady"` // which say nothing about workers
	Differ   []Difference `json:"differ"`
}

// Unsteady is a bot that does not play the same each time.
type Unsteady struct {
	Bot     string `json:"bot"`
	Digest  string `json:"digest"`
	Matches int    `json:"matches"` // in which it was the first to differ
}

// Difference is a match that goes otherwise on one worker than on another.
type Difference struct {
	ID      string    `json:"id"` // of the match
	Case    string    `json:"case"`
	Workers [2]string `json:"workers"` // names; the record of the first is that of the run
	What    string    `json:"what"`    // the first difference
	Alone   bool      `json:"alone"`   // the record of the run is the only one of four: its worker did not play it like that again

	bot Unsteady // the bot that differs first
}

// maxChecks bounds how many matches are being rechecked at a time, and thereby
// the memory for their records.
const maxChecks = 1000

// notStarted is how long a job for a certain worker waits for it to begin.
const notStarted = 30 * time.Second

var errGone = errors.New("the worker that was to play the match is gone")

// recheck is a match that is played again.
type recheck struct {
	workers [2]hello           // the first has played the run's record
	played  [2][]record.Record // on each
	open    int                // jobs under way
	failed  bool               // umpire failed to play one
}

// rechecking is the state of a coordinator's rechecks.
type rechecking struct {
	mu    sync.Mutex
	found Rechecks
}

// Rechecks returns what playing matches a second time has shown so far.
func (c *Coordinator) Rechecks() Rechecks {
	c.rechecking.mu.Lock()
	defer c.rechecking.mu.Unlock()
	found := c.rechecking.found
	found.Unsteady, found.Differ = append([]Unsteady{}, found.Unsteady...), []Difference{}
	for _, d := range c.rechecking.found.Differ {
		if d.Alone && slices.ContainsFunc(found.Unsteady, func(u Unsteady) bool { return u.Digest == d.bot.Digest }) {
			continue // chance may have done it
		}
		found.Differ = append(found.Differ, d)
	}
	return found
}

// note changes what has been found.
func (c *rechecking) note(change func(*Rechecks)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.found)
}

// mayRecheck reports whether a record is to be played again. Nobody knows
// before its worker has given it.
func (q *queue) mayRecheck(from giver, r *record.Record) bool {
	return q.Recheck > 0 && from.known && r.Error == "" && q.checks < maxChecks && rand.Float64() < q.Recheck
}

// recheck has another worker play a match whose record is r.
func (q *queue) recheck(e *entry, from giver, r record.Record) {
	other, ok := q.crew.other(q.needs(e.f), []string{from.ID})
	if !ok {
		q.endCheck(func(found *Rechecks) { found.Skipped++ })
		return
	}
	k := &recheck{workers: [2]hello{from.hello, other}}
	k.played[0] = []record.Record{r}
	q.rechecking.note(func(found *Rechecks) { found.Matches++ })
	q.playAgain(k, e.f, 1)
}

// playAgain has some of the workers of a recheck play its match.
func (q *queue) playAgain(k *recheck, f arena.Fixture, sides ...int) {
	q.mu.Lock()
	k.open += len(sides)
	q.mu.Unlock()
	for _, side := range sides {
		e := newEntry(0, f)
		e.check, e.side, e.only = k, side, k.workers[side].ID
		_ = q.republish(e)
	}
}

// checked takes the record of a match that was played again.
func (q *queue) checked(e *entry, r record.Record) bool {
	k := e.check
	q.mu.Lock()
	q.leave(e)
	k.open--
	k.failed = k.failed || r.Error != ""
	k.played[e.side] = append(k.played[e.side], r)
	open := k.open
	q.mu.Unlock()
	if open == 0 {
		q.judge(k, e.f)
	}
	return true
}

// judge compares what the workers of a recheck have played.
func (q *queue) judge(k *recheck, f arena.Fixture) {
	if k.failed {
		q.endCheck(func(found *Rechecks) { found.Matches--; found.Skipped++ })
		return
	}
	what, seat := difference(&k.played[0][0], &k.played[1][0])
	switch {
	case what == "" && len(k.played[0]) == 1:
		q.endCheck(func(found *Rechecks) { found.Same++ })
		return
	case len(k.played[0]) == 1:
		q.playAgain(k, f, 0, 1)
		return
	}
	bot := Unsteady{Bot: f.Seats[seat].Bot, Digest: f.Seats[seat].Digest, Matches: 1}
	d := Difference{ID: k.played[0][0].ID, Case: f.Case.Name, Workers: [2]string{k.workers[0].Name, k.workers[1].Name}, What: what, bot: bot}
	likewise := func(a, b *record.Record) bool { what, _ := difference(a, b); return what == "" }
	second := likewise(&k.played[1][0], &k.played[1][1])
	d.Alone = second && likewise(&k.played[0][1], &k.played[1][0])
	if d.Alone || second && likewise(&k.played[0][0], &k.played[0][1]) {
		q.endCheck(func(found *Rechecks) { found.Differ = append(found.Differ, d) })
		q.Note("umpire: recheck: %s\n", d)
		return
	}
	q.endCheck(func(found *Rechecks) {
		i := slices.IndexFunc(found.Unsteady, func(u Unsteady) bool { return u.Bot == bot.Bot && u.Digest == bot.Digest })
		if i < 0 {
			found.Unsteady = append(found.Unsteady, bot)
		} else {
			found.Unsteady[i].Matches++
		}
	})
}

// endCheck ends a recheck.
func (q *queue) endCheck(change func(*Rechecks)) {
	q.rechecking.note(change)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.checks--
	q.settle()
}

func (d Difference) String() string {
	again := "and each did so again"
	if d.Alone {
		again = fmt.Sprintf("which %s itself did not do again", d.Workers[0])
	}
	return fmt.Sprintf("match %s (%s) went otherwise on worker %s than on worker %s, %s: %s", d.ID, d.Case, d.Workers[0], d.Workers[1], again, d.What)
}

// difference describes the first difference between two records of a match, in
// what does not depend on the speed of the machine, and returns the seat, from
// 0, that differs; "" if there is none.
func difference(a, b *record.Record) (what string, seat int) {
	for i := range max(len(a.Events), len(b.Events)) {
		x, y := eventAt(a, i), eventAt(b, i)
		if does(x) == does(y) && x.Seat == y.Seat {
			continue
		}
		seat = max(x.Seat, y.Seat) - 1
		if x.Seat > 0 && y.Seat > 0 {
			seat = min(x.Seat, y.Seat) - 1
		}
		if seat < 0 || seat >= len(a.Seats) {
			seat = 0
		}
		return fmt.Sprintf("step %d, bot %s: %s, and %s", i+1, a.Seats[seat].Bot, does(x), does(y)), seat
	}
	for i, s := range a.Seats {
		o := b.Seats[i]
		if s.Verdict != o.Verdict || s.Score != o.Score || s.Place != o.Place {
			return fmt.Sprintf("bot %s: %s with score %d, place %d, and %s with score %d, place %d",
				s.Bot, s.Verdict, s.Score, s.Place, o.Verdict, o.Score, o.Place), i
		}
	}
	return "", 0
}

// eventAt returns an event; one that is nobody's if there are fewer.
func eventAt(r *record.Record, i int) record.Event {
	if i < len(r.Events) {
		return r.Events[i]
	}
	return record.Event{}
}

// does describes what a bot does in an event.
func does(e record.Event) string {
	const most = 60
	text := ""
	for _, reply := range []*string{e.Reply, e.ReplyB64, e.ReplyGzip} {
		if reply != nil {
			text = *reply
		}
	}
	switch {
	case e.Seat == 0:
		return "nothing"
	case e.Fail != "":
		return "failure " + e.Fail
	case len(text) > most || e.ReplyBytes > 0:
		return fmt.Sprintf("reply of %d bytes with hash %.8x", max(int64(len(text)), e.ReplyBytes), sha256.Sum256([]byte(text+e.ReplySHA256)))
	}
	return "reply " + strconv.Quote(strings.TrimSpace(text))
}

// strayed gives the jobs for a certain worker that is gone, or does not begin,
// to any worker; a recheck is given up.
func (q *queue) strayed(ctx context.Context) error {
	for id, class := range q.unreachable() {
		_ = q.work.Purge(ctx, jetstream.WithPurgeSubject(q.job(class, id)))
		if err := q.giveToAny(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// giveToAny gives what is left of a job for a certain worker to any; a recheck is
// given up.
func (q *queue) giveToAny(ctx context.Context, id string) error {
	for _, e := range q.left(id) {
		q.direct(e, "")
		if e.check != nil {
			q.checked(e, failed(e.f, q.Version, errGone))
			continue
		}
		if err := q.publish(ctx, []*entry{e}); err != nil {
			return err
		}
	}
	return nil
}

// retire removes the consumers of classes that only workers can play which are
// gone.
func (c *Coordinator) retire(ctx context.Context) {
	for _, class := range c.crew.retire() {
		c.mu.Lock()
		delete(c.classes, class)
		c.mu.Unlock()
		_ = c.work.DeleteConsumer(ctx, class)
	}
}

// retire forgets the classes that only workers can play which are gone.
func (c *crew) retire() (classes []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.present()
	c.known = slices.DeleteFunc(c.known, func(n needs) bool {
		id := n.addressee()
		if id == "" || c.members[id] != nil {
			return false
		}
		delete(c.told, n.class())
		classes = append(classes, n.class())
		return true
	})
	return classes
}

// unreachable returns the jobs for a certain worker that does not play them,
// and their classes.
func (q *queue) unreachable() map[string]string {
	q.mu.Lock()
	defer q.mu.Unlock()
	jobs := make(map[string]string)
	for id, g := range q.jobs {
		if worker := g.needs.addressee(); worker != "" && !q.crew.plays(worker, g.since) {
			jobs[id] = g.needs.class()
		}
	}
	return jobs
}

// plays reports whether a worker is there, and plays or may still begin what it
// has been given at a time.
func (c *crew) plays(id string, since time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.IndexFunc(c.present(), func(m *member) bool { return m.ID == id })
	if i < 0 {
		return false
	}
	return time.Since(since) < notStarted || c.members[id].Busy > 0
}
