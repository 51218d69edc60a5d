package fleet

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"umpire/referee"
	"umpire/referee/fleet/status"
)

// crew are the workers of a coordinator.
type crew struct {
	*Coordinator
	mu      sync.Mutex
	members map[string]*member // by id
	known   []needs            // the classes of jobs
	told    map[string]bool    // classes that nobody can play, as the user has been told
	own     string             // id of the coordinator's own worker
	ended   bool
	drains  bool          // no more matches are to begin
	former  []*member     // that take no part, the latest last
	all     credit        // of all workers
	counts  status.Counts // since the coordinator began

	// Of all workers that there have been, but for those that have been gone for
	// longest if there were very many; see forget:
	seen            map[string]hello    // by id
	order           []string            // their ids, as they joined
	called          map[string]bool     // their names
	tickets         map[string]string   // ids, by ticket
	dropped         map[string]string   // why they may not play any more, by id
	faults, returns map[string]int      // see fault and returned
	late            map[string]int      // jobs that were held for too long, by id
	droppedFrom     map[string][]string // names of workers that were dropped, by host
}

// member is one worker.
type member struct {
	hello
	beat
	joined, seen time.Time
	heard        bool // it has sent a beat: before that it may have chosen another run of the same server
	directed     int  // jobs that only it can play
	*credit
	drained int    // beats since it was told to begin no more matches
	state   string // if it takes no part
	why     string // it takes none
}

func (c *crew) init(coordinator *Coordinator) {
	c.Coordinator = coordinator
	c.members, c.told, c.own = make(map[string]*member), make(map[string]bool), newName()
	c.called = make(map[string]bool)
	c.seen, c.tickets, c.dropped = make(map[string]hello), make(map[string]string), make(map[string]string)
	c.droppedFrom = make(map[string][]string)
	c.faults, c.returns, c.late = make(map[string]int), make(map[string]int), make(map[string]int)
}

// present forgets the workers that are gone, and returns the others. The caller
// holds mu.
func (c *crew) present() []*member {
	for _, m := range c.members {
		switch lost := time.Since(m.seen) > lostAfter; {
		case lost && !m.heard:
			delete(c.members, m.ID)
		case lost:
			c.part(m, status.Silent, "")
			c.counts.Silent++
			if m.ID != c.own {
				c.Note("umpire: worker %s is gone\n", m.Name)
			}
		}
	}
	return slices.Collect(maps.Values(c.members))
}

// slots counts the matches that all workers can play concurrently, at least 1.
func (c *crew) slots() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, m := range c.members {
		n += m.Slots
	}
	return max(1, n)
}

// hello answers a worker that introduces itself.
func (c *crew) hello(msg *nats.Msg) {
	var h hello
	if json.Unmarshal(msg.Data, &h) != nil {
		return
	}
	h.ID = lastToken(msg.Subject) // which the server has checked
	h.host = c.hostOf(h.ID)
	answer := welcome{Run: c.run, Refused: c.refusal(h)}
	if answer.Refused == "" {
		answer.Name, answer.Ticket = c.join(h)
	} else {
		h.Name = tidy(h.Name, maxWorkerName)
		c.Note("umpire: worker %s is refused: %s\n", h.Name, answer.Refused)
		c.refuse(h, answer.Refused)
	}
	respond(msg, answer)
}

func lastToken(subject string) string { return subject[strings.LastIndexByte(subject, '.')+1:] }

// respond answers a worker. On an existing server, whose accounts are none of
// ours, a worker may name any subject for the answer.
func respond(msg *nats.Msg, answer any) {
	toInbox := strings.HasPrefix(msg.Reply, inbox("")) || strings.HasPrefix(msg.Reply, "_R_.")
	if data, err := json.Marshal(answer); err == nil && toInbox {
		_ = msg.Respond(data)
	}
}

// refusal is why a worker may not play; "" if it may.
func (c *crew) refusal(h hello) string {
	c.mu.Lock()
	dropped := c.dropped[h.ID]
	c.mu.Unlock()
	switch err := h.check(); {
	case dropped != "":
		return dropped
	case c.isSuspect(h.host):
		return fmt.Sprintf("%d workers from its address have been dropped", maxDropped)
	case h.Version != c.Version:
		return fmt.Sprintf("it is umpire %s, and this run is played with %s", h.Version, c.Version)
	case c.Isolation != "" && !AtLeast(referee.Level(h.Isolation), c.Isolation):
		return fmt.Sprintf("it isolates at level %s, and this run is played at %s or stronger", h.Isolation, c.Isolation)
	case err != nil:
		return err.Error()
	}
	return ""
}

// AtLeast reports whether a level is as strong as another, or stronger.
func AtLeast(level, least referee.Level) bool {
	order := []referee.Level{referee.LevelNone, referee.LevelBasic, referee.LevelBox, referee.LevelStrict}
	return slices.Index(order, level) >= slices.Index(order, least)
}

// join adds a worker, or notes that it is there again, and returns the name by
// which it goes and its ticket.
func (c *crew) join(h hello) (name, ticket string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	h = c.tidied(h)
	m := &member{hello: h, joined: now, seen: now}
	if old := c.members[h.ID]; old != nil {
		m.heard = old.heard
	}
	m.credit, m.Duplicates = c.recall(h.ID)
	c.members[h.ID] = m
	c.remember(h)
	c.check()
	return h.Name, h.ticket
}

// maxSeen is how many workers are remembered.
const maxSeen = 4096

// remember remembers what a worker has said of itself. The caller holds mu.
func (c *crew) remember(h hello) {
	if _, known := c.seen[h.ID]; !known {
		c.order = append(c.order, h.ID)
		c.forget(maxSeen)
	}
	c.seen[h.ID] = h
	c.called[h.Name], c.tickets[h.ticket] = true, h.ID
}

// forget forgets the workers that joined first and are gone, so that no more than
// so many are remembered. The results of one that has been forgotten do not
// count: its matches are played again. The caller holds mu.
func (c *crew) forget(most int) {
	excess := len(c.order) - most
	if excess <= 0 {
		return
	}
	c.order = slices.DeleteFunc(c.order, func(id string) bool {
		if excess <= 0 || c.members[id] != nil || id == c.own {
			return false
		}
		excess--
		h := c.seen[id]
		delete(c.seen, id)
		delete(c.called, h.Name)
		delete(c.tickets, h.ticket)
		delete(c.dropped, id)
		for _, counts := range []map[string]int{c.faults, c.returns, c.late} {
			delete(counts, id)
		}
		return true
	})
}

// mayCome reports whether a worker has what is needed, or none has joined yet.
func mayCome(c *crew, n needs) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return canPlay(c.present(), n)
}

// anyCan reports whether a worker has what is needed, and whether there are any.
func anyCan(c *crew, n needs) (able, some bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := c.present()
	return len(list) > 0 && canPlay(list, n), len(list) > 0
}

// canPlay reports whether one of the workers has what is needed, or there are none.
func canPlay(list []*member, n needs) bool {
	return len(list) == 0 || slices.ContainsFunc(list, func(m *member) bool { return n.met(m.Abilities) })
}

// check says of which classes there has come to be no worker, or one. As long
// as there are no workers at all, it is plain that they are waited for. The
// caller holds mu.
func (c *crew) check() {
	list := c.present()
	for _, n := range c.known {
		if n.addressee() != "" {
			continue
		}
		able := canPlay(list, n)
		switch told := c.told[n.class()]; {
		case !able && !told:
			c.Note("umpire: no worker can play matches that need %s; they wait for one that can\n", n)
		case able && told && len(list) > 0:
			c.Note("umpire: there is a worker that can play matches that need %s\n", n)
		}
		c.told[n.class()] = !able
	}
}

// beat gives a worker its orders.
func (c *crew) beat(msg *nats.Msg) {
	var b beat
	if json.Unmarshal(msg.Data, &b) == nil {
		respond(msg, c.orders(lastToken(msg.Subject), b))
	}
}

func (c *crew) orders(id string, b beat) orders {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.members[id]
	switch {
	case c.ended:
		delete(c.members, id)
		return orders{Known: true, Leave: true}
	case c.dropped[id] != "":
		return orders{Known: true, Refused: c.dropped[id]}
	case m == nil:
		return orders{}
	}
	if !m.heard && id != c.own {
		c.Note("umpire: worker %s has joined, with %d at a time, isolation %s%s\n", m.Name, m.Slots, m.Isolation, c.past(m.host))
	}
	m.heard = true
	if b.Leaving {
		c.part(m, status.Left, "")
		if id != c.own {
			c.Note("umpire: worker %s has left\n", m.Name)
		}
		return orders{Known: true, Leave: true}
	}
	c.noteStrain(m, b)
	c.counts.Duplicates += max(0, b.Duplicates-m.Duplicates)
	b.Jobs = b.Jobs[:min(len(b.Jobs), 2*m.Slots)] // one being played, and one being delivered
	m.beat, m.seen = b, time.Now()
	o := orders{Known: true, Classes: []string{}, Drain: c.drains, Brief: c.Recheck > 0}
	if c.drains {
		m.drained++
		return o
	}
	for _, n := range c.known {
		if n.met(m.Abilities) {
			o.Classes = append(o.Classes, n.class())
		}
	}
	return o
}

// add adds a class of jobs, and says so if nobody can play it.
func (c *crew) add(n needs) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known = append(c.known, n)
	c.check()
}

// end tells the workers that they are not needed any more, and waits a moment
// for them to have heard it.
func (c *crew) end() {
	c.mu.Lock()
	c.ended = true
	c.mu.Unlock()
	_ = c.nc.Publish(c.news(), nil)
	for until := time.Now().Add(2 * beatEvery); time.Now().Before(until) && c.connected() > 0; {
		time.Sleep(beatEvery / 50)
	}
}

// connected counts the workers that have not left.
func (c *crew) connected() int {
	if c.Server != nil {
		return c.Server.nats.NumClients() - 1
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.present())
}
