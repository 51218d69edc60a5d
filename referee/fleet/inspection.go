package fleet

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/nats-io/nats.go"

	"umpire/referee"
	"umpire/referee/fleet/status"
	"umpire/referee/program"
	"umpire/referee/record"
)

// What a worker may say of itself, and send.
const (
	maxWorkerName = 64       // bytes
	maxCPUName    = 128      // bytes
	maxSlots      = 4096     // matches at a time
	maxStderr     = 16 << 10 // bytes of standard error in a record: four times what umpire keeps of it, as replaced bytes get longer
	maxFaults     = 10       // matches that a worker failed to play and others could, until it is dropped
)

// giver is the worker that gives a result, as far as it is known: one that gave
// it to an earlier coordinator of the run is not.
type giver struct {
	hello
	known   bool
	own     bool   // it is the coordinator's own
	dropped string // why nothing of it counts; "" if it does
}

// giver returns the worker that has been given a ticket.
func (c *crew) giver(ticket string) (g giver) {
	c.mu.Lock()
	defer c.mu.Unlock()
	id, known := c.tickets[ticket]
	if known {
		g = giver{hello: c.seen[id], known: true, own: id == c.own, dropped: c.dropped[id]}
	}
	return g
}

// tidied returns what a worker says of itself, fit to be shown and recorded,
// with a name that no other worker has. The caller holds mu.
func (c *crew) tidied(h hello) hello {
	h.CPU = tidy(h.CPU, maxCPUName)
	h.Abilities = slices.DeleteFunc(slices.Clone(h.Abilities), func(a program.Ability) bool {
		return a.Key == here.Key && h.ID != c.own || strings.HasPrefix(a.Key, onlyKey)
	})
	h.Abilities = append(h.Abilities, only(h.ID))
	if old, ok := c.seen[h.ID]; ok {
		h.Name, h.ticket = old.Name, old.ticket
		return h
	}
	h.ticket = newName()
	name := cmp.Or(tidy(h.Name, maxWorkerName), "worker")
	h.Name = name
	for n := 2; c.called[h.Name]; n++ {
		h.Name = fmt.Sprintf("%s-%d", name, n)
	}
	return h
}

// tidy makes a text of a stranger one short line.
func tidy(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "")
	}
	return strings.TrimSpace(text)
}

// check returns why a worker's introduction is not acceptable in itself.
func (h hello) check() error {
	switch levels := []referee.Level{referee.LevelNone, referee.LevelBasic, referee.LevelBox, referee.LevelStrict}; {
	case h.Isolation != "" && !slices.Contains(levels, referee.Level(h.Isolation)):
		return fmt.Errorf("found isolation %q, expected none, basic, box or strict", tidy(h.Isolation, maxWorkerName))
	case h.Slots < 1 || h.Slots > maxSlots:
		return fmt.Errorf("found %d matches at a time, expected 1 to %d", h.Slots, maxSlots)
	}
	return nil
}

// inspect reads a result and judges it: a record must be in the form of one,
// verify, and be of the version and the isolation with which the worker has
// joined. The error says what is wrong. The coordinator's own worker is trusted.
func (q *queue) inspect(from giver, header nats.Header, data []byte) (r record.Record, err error) {
	if data, err = unpackResult(header, data); err != nil {
		return r, err
	}
	line := record.Line{File: "result", Number: 1, Bytes: data, Whole: true}
	if from.own || q.Games == nil {
		r, err = line.Record()
		return r, err
	}
	err = referee.Guard(func() (err error) {
		var v record.Verification
		if r, v, err = record.VerifyWhole(line, q.Games); err == nil && !v.Valid {
			err = errors.New(v.Why)
		}
		return err
	})
	if err != nil {
		return r, err
	}
	return r, q.compareWorker(from, &r)
}

// compareWorker compares a record with what its worker has said of itself, and
// completes it.
func (q *queue) compareWorker(from giver, r *record.Record) error {
	if from.known {
		if r.Isolation != from.Isolation && r.Error == "" {
			return fmt.Errorf("isolation: found %s, the worker has joined with %s", r.Isolation, from.Isolation)
		}
		r.Worker, r.CPU = from.Name, from.CPU
	}
	r.Worker, r.CPU = tidy(r.Worker, maxWorkerName+8), tidy(r.CPU, maxCPUName)
	switch {
	case r.Umpire != q.Version:
		return fmt.Errorf("umpire: found %s, expected %s", r.Umpire, q.Version)
	case q.Isolation != "" && r.Error == "" && !AtLeast(referee.Level(r.Isolation), q.Isolation):
		return fmt.Errorf("isolation: found %s, expected %s or stronger", r.Isolation, q.Isolation)
	case r.Match != "":
		return errors.New("match: found the id of a match with players from outside")
	}
	for i, s := range r.Seats {
		if n := len(s.Stderr) + len(s.StderrAfter); n > maxStderr {
			return fmt.Errorf("seats[%d].stderr: found %d bytes, expected at most %d", i, n, maxStderr)
		}
	}
	return nil
}

// distrust drops the worker that gave a result, and gives what is left of its
// job to others.
func (q *queue) distrust(from giver, job string, why error) {
	q.crew.drop(from.ID, why.Error())
	q.again(job)
}

// drop ends a worker's part in the run: it gets no more work, and nothing that
// it gives counts.
func (c *crew) drop(id, why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	h, known := c.seen[id]
	if !known || c.dropped[id] != "" || id == c.own {
		return
	}
	c.dropped[id] = why
	if h.host != "" && len(c.droppedFrom[h.host]) < maxDropped {
		c.droppedFrom[h.host] = append(c.droppedFrom[h.host], h.Name)
	}
	c.counts.Refused++
	if m := c.members[id]; m != nil {
		c.part(m, status.Refused, why)
	}
	c.Note("umpire: worker %s is dropped, and what it was to play is given to others: %s\n", h.Name, why)
}

// fault notes that a worker failed to play a match that another could.
func (c *crew) fault(id string) {
	c.mu.Lock()
	c.faults[id]++
	n := c.faults[id]
	c.mu.Unlock()
	if n >= maxFaults {
		c.drop(id, fmt.Sprintf("it failed to play %d matches that others could", n))
	}
}

// returned notes that a worker has given a job back, which one that ends does
// at most once for each of its slots.
func (c *crew) returned(from giver) {
	if !from.known || from.own {
		return
	}
	c.mu.Lock()
	c.returns[from.ID]++
	n := c.returns[from.ID]
	c.mu.Unlock()
	if n > from.Slots {
		c.drop(from.ID, fmt.Sprintf("it has given %d jobs back, and plays only %d at a time", n, from.Slots))
	}
}

// onlyKey begins the key of the ability to be a certain worker.
const onlyKey = "worker "

// only is the ability that one worker alone has.
func only(id string) program.Ability {
	return program.Ability{Key: onlyKey + id, Text: "a certain worker"}
}

// addressee returns the id of the worker that alone has what is needed; "" if
// several may.
func (n needs) addressee() string {
	for _, a := range n {
		if id, ok := strings.CutPrefix(a.Key, onlyKey); ok {
			return id
		}
	}
	return ""
}

// other chooses a worker that has what is needed and is none of some; ok is
// false if there is none.
func (c *crew) other(n needs, but []string) (h hello, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var best *member
	for _, m := range c.present() {
		if slices.Contains(but, m.ID) || !n.met(m.Abilities) {
			continue
		}
		if best == nil || m.Busy*best.Slots < best.Busy*m.Slots || m.Busy*best.Slots == best.Busy*m.Slots && m.directed < best.directed {
			best = m
		}
	}
	if best == nil {
		return h, false
	}
	best.directed++
	return best.hello, true
}
