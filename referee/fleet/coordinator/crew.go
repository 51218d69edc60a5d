package coordinator

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/fleet"
	"umpire/referee/fleet/status"
	"umpire/referee/report"
)

// What may be wrong with workers before they are dropped, and how many are
// remembered.
const (
	maxFaults  = 10   // matches that a worker failed to play and others could
	maxDropped = 3    // workers from a host that may be dropped until none is let in from there: one worker may be many, and many may be behind one address
	maxSeen    = 4096 // workers that are remembered
)

// decisions are what is to be done when the state is no longer locked.
type decisions struct {
	notes []string
	gives []give
	kicks []string // ids of workers whose connections are to end

	excluded []string // names of workers whose records do not count
}

// give is a job for a slot that has asked for one.
type give struct {
	reply    string // subject
	id       string // of the job; "": there is none for the time being
	fixtures []arena.Fixture
	at       []int
}

// crew are the workers of a coordinator, and what they wait for. It is a state
// machine like schedule.
type crew struct {
	version     string // umpire's
	build       fleet.Build
	isolation   referee.Level
	silence     time.Duration
	swept       time.Time // when silent workers were looked for last
	own         string    // id of the coordinator's own worker
	out         decisions
	work        *schedule          // of the Run in progress; nil if there is none
	members     map[string]*member // all that are known, by id
	order       []string           // their ids, as they came first
	called      map[string]bool    // their names
	idle        []*taker           // slots that wait for jobs, the first first
	known       []needs            // of jobs
	told        map[string]bool    // classes that nobody can play, as the user has been told
	droppedFrom map[string][]string
	keyed       map[string]*member // those with keys of their own, by the keys' names
	replaced    map[string]bool    // ids, and starts, of workers that have joined anew with their keys
	hasKey      func(name string) bool
	trusts      bool     // the user has been told so
	trust       string   // why workers without keys are trusted
	resumed     bool     // there are records of which this coordinator does not know
	excludes    []string // names of workers whose records do not count any more, of which the Run in progress does not know
	ended       bool
	drains      bool   // no more matches are to begin
	all         credit // of all workers
	calibration *calibration
	present     []*member // see there; nil: it is to be made anew
	counts      status.Counts
}

// member is one worker.
type member struct {
	id, name, version, isolation, cpu string

	key                                    string // name of its key, or user of an existing server; "": it has the token
	start                                  string // see fleet.Hello
	host                                   string // from which it comes; "" if that is not known
	slots                                  int
	abilities                              map[string]bool // keys
	own                                    bool            // it is the coordinator's
	joined, seen                           time.Time
	isThere                                bool
	heard                                  bool // it has sent a beat: before that it may have chosen another run of the same server
	drained                                bool // it has been told that no more matches begin
	beat                                   fleet.Beat
	holds                                  map[*job]*hold
	takers                                 map[int]*taker // by slot
	given                                  map[int]*job   // the last one, by slot
	credit                                 credit
	proven                                 bool      // it has given a good record
	scale                                  float64   // of its budgets; 0: it has not been measured
	needed                                 measure   // while it is being measured
	measures                               int       // how often it has played all matches for that
	vanished, missed, late, returns, fault int       // see schedule.settle, schedule.missed, schedule.checkOverdue, crew.fault
	state, why                             string    // if it is not there
	dropped                                string    // why it may not play any more; "" if it may
	told                                   time.Time // when it was told first that it is dropped; zero: it was not
}

// held returns the jobs of a worker, the first first.
func (m *member) held() []*job {
	return slices.SortedFunc(maps.Keys(m.holds), func(a, b *job) int { return a.number - b.number })
}

// taker is a slot that waits for a job.
type taker struct {
	member *member
	slot   int
	reply  string // subject for the answer
	since  time.Time
	over   bool // it waits no more
}

// end notes that a slot waits no more.
func (t *taker) end() {
	t.over = true
	delete(t.member.takers, t.slot)
}

func newCrew(version string, build fleet.Build, isolation referee.Level, silence time.Duration, own string) *crew {
	return &crew{
		version: version, build: build, trust: trustToken, isolation: isolation, silence: silence, own: own, members: make(map[string]*member), called: make(map[string]bool),
		told: make(map[string]bool), droppedFrom: make(map[string][]string), keyed: make(map[string]*member), replaced: make(map[string]bool),
		hasKey: func(string) bool { return false }, calibration: &calibration{},
	}
}

func (c *crew) note(format string, args ...any) {
	c.out.notes = append(c.out.notes, fmt.Sprintf(format, args...))
}

// there returns the workers that are there, as they came first.
func (c *crew) there() []*member {
	if c.present == nil {
		for _, id := range c.order {
			if m := c.members[id]; m.isThere {
				c.present = append(c.present, m)
			}
		}
	}
	return c.present
}

// slots counts the matches that all workers can play concurrently, at least 1.
func (c *crew) slots() int {
	n := 0
	for _, m := range c.members {
		if m.isThere {
			n += m.slots
		}
	}
	return max(1, n)
}

// sweep parts with the workers that are silent, and answers slots that have waited
// long enough.
func (c *crew) sweep(now time.Time) {
	wasAway := now.Sub(c.swept) > c.silence/2
	c.swept = now
	for _, m := range c.there() {
		if wasAway { // nobody could be heard
			m.seen = now
		}
		if now.Sub(m.seen) <= c.silence {
			continue
		}
		if m.heard {
			c.counts.Silent++
			if !m.own {
				c.note("umpire: worker %s is gone\n", m.name)
			}
		}
		c.part(m, status.Silent, "", !m.own, now) // which is silent when this machine has too much to do
	}
	for _, t := range c.idle {
		if !t.over && now.Sub(t.since) > fleet.TakeHold {
			t.end()
			c.out.gives = append(c.out.gives, give{reply: t.reply})
		}
	}
	c.idle = slices.DeleteFunc(c.idle, func(t *taker) bool { return t.over })
}

// part notes that a worker is no longer there, and why. Counted means that it ought to
// have finished what it holds.
func (c *crew) part(m *member, state, why string, counted bool, now time.Time) {
	m.isThere, m.state, m.why, c.present = false, state, why, nil
	for _, t := range m.takers {
		t.end()
	}
	if c.work != nil {
		c.work.takeBack(m, counted, now)
	}
}

// Why the user should trust all workers without keys.
const (
	trustToken = "who has the token is trusted, and can come again under another name; for machines of others: umpire fleet keys add NAME"
	trustAll   = "the NATS server lets a worker speak as any other, so all its workers are trusted; permissions that prevent it are in referee/fleet/README.md"
)

// hello answers a worker that introduces itself. Key is the name of its key; "" if it has
// the token.
func (c *crew) hello(id, host, key string, h fleet.Hello, now time.Time) (answer fleet.Welcome) {
	if c.replaced[id] || c.replaced[h.Start] {
		return fleet.Welcome{Refused: fleet.Replaced}
	}
	m := c.members[id]
	if old := c.keyed[key]; key != "" && old != nil {
		m = old
	}
	if m != nil && host == "" {
		host = m.host
	}
	why := c.refusal(m, host, key, &h)
	switch isOther := m != nil && m.id != id; {
	case why != "" && m != nil && m.key != "" && (isOther || m.isThere && m.start != h.Start): // the older stays
		return fleet.Welcome{Refused: why}
	case isOther:
		c.replace(m, id, now)
	case m == nil:
		m = &member{id: id, key: key, own: id == c.own, holds: make(map[*job]*hold), takers: make(map[int]*taker), given: make(map[int]*job)}
		c.remember(m, h.Name)
	}
	m.host, m.version, m.isolation = host, fleet.Tidy(h.Version, fleet.MaxName), fleet.Tidy(h.Isolation, fleet.MaxName)
	if why == "" && m.start != "" && m.key != "" && m.start != h.Start {
		c.noteReplaced(m, m.start, now)
	}
	if m.start != h.Start { // it may be on another machine
		m.scale, m.needed, m.measures = 0, nil, 0
	}
	m.start = h.Start
	m.cpu, m.seen = fleet.Tidy(h.CPU, fleet.MaxCPUName), now
	if why != "" {
		why = fleet.Tidy(why, fleet.MaxWhy)
		if m.state != status.Refused || m.why != why { // it is said once
			c.counts.Refused++
			c.note("umpire: worker %s is refused: %s\n", m.name, why)
			m.joined = now
		}
		c.part(m, status.Refused, why, false, now)
		return fleet.Welcome{Refused: why}
	}
	if !m.isThere {
		m.isThere, m.heard, m.joined, m.beat, c.present = true, false, now, fleet.Beat{}, nil
	}
	m.state, m.why, m.drained, m.slots, m.abilities = "", "", false, h.Slots, make(map[string]bool)
	for _, key := range h.Abilities {
		m.abilities[key] = true
	}
	c.check()
	return fleet.Welcome{Name: m.name}
}

// refusal is why a worker may not play; "" if it may.
func (c *crew) refusal(m *member, host, key string, h *fleet.Hello) string {
	switch err := h.Check(); {
	case m != nil && m.dropped != "":
		return m.dropped
	case key != "" && m == nil && c.called[key]:
		return "the worker with its name has been excluded from this run, or another has it"
	case c.isSuspect(host):
		return fmt.Sprintf("%d workers from its address have been dropped", maxDropped)
	case h.Version != c.version:
		return fmt.Sprintf("it is umpire %s, and this run is played with %s", h.Version, c.version)
	case h.Protocol != fleet.Protocol:
		return fmt.Sprintf("it speaks version %d of the workers' protocol, and this run version %d", h.Protocol, fleet.Protocol)
	case c.build.IsOther(h.Binary):
		return fmt.Sprintf("its umpire is not the same file as that of this run, though both are %s for %s", c.version, c.build.System)
	case c.isolation != "" && !fleet.AtLeast(referee.Level(h.Isolation), c.isolation):
		return fmt.Sprintf("it isolates at level %s, and this run is played at %s or stronger", h.Isolation, c.isolation)
	case err != nil:
		return err.Error()
	}
	return ""
}

// replace has a worker with a key be known by another id, that of a newer connection.
func (c *crew) replace(m *member, id string, now time.Time) {
	c.noteReplaced(m, m.id, now)
	delete(c.members, m.id)
	c.order[slices.Index(c.order, m.id)] = id
	m.id, c.members[id] = id, m
}

// noteReplaced notes that a newer worker takes the place of one, whose id or start is
// refused from then on: it may say hello later than the newer one.
func (c *crew) noteReplaced(m *member, old string, now time.Time) {
	if len(c.replaced) >= maxSeen {
		clear(c.replaced)
	}
	c.replaced[old] = true
	if m.isThere {
		c.note("umpire: worker %s has joined anew, and replaces the one with its key\n", m.name)
		c.part(m, status.Silent, "", false, now)
	}
}

// remember adds a worker, with the name of its key or one that no other has. Of very many,
// it forgets those that have been gone for longest. The records of one that has been
// forgotten do not count.
func (c *crew) remember(m *member, name string) {
	name = cmp.Or(m.key, fleet.Tidy(name, fleet.MaxName), "worker")
	m.name = name
	if m.key != "" {
		c.keyed[m.key] = m
	}
	for n := 2; c.called[m.name] || m.key == "" && c.hasKey(m.name); n++ {
		m.name = fmt.Sprintf("%s-%d", name, n)
	}
	c.members[m.id], c.called[m.name] = m, true
	c.order = append(c.order, m.id)
	excess := len(c.order) - maxSeen
	c.order = slices.DeleteFunc(c.order, func(id string) bool {
		old := c.members[id]
		if excess <= 0 || old.isThere || old == m || old.own {
			return false
		}
		excess--
		delete(c.members, id)
		delete(c.called, old.name)
		delete(c.keyed, old.key)
		return true
	})
}

// need notes what jobs need, and says so if nobody has it.
func (c *crew) need(n needs) {
	if !slices.ContainsFunc(c.known, func(old needs) bool { return old.class() == n.class() }) {
		c.known = append(c.known, n)
		c.check()
	}
}

// check says of which jobs there has come to be no worker, or one. As long as there
// are no workers at all, it is plain that they are waited for.
func (c *crew) check() {
	list := c.there()
	for _, n := range c.known {
		able := canPlay(list, n)
		switch told := c.told[n.class()]; {
		case !able && !told:
			c.note("umpire: no worker can play matches that need %s; they wait for one that can\n", n)
		case able && told && len(list) > 0:
			c.note("umpire: there is a worker that can play matches that need %s\n", n)
		}
		c.told[n.class()] = !able
	}
}

// canPlay reports whether one of the workers has what is needed, or there are none.
func canPlay(list []*member, n needs) bool { return len(list) == 0 || slices.ContainsFunc(list, n.met) }

// hear gives a worker its orders.
func (c *crew) hear(id string, b fleet.Beat, now time.Time) fleet.Orders {
	m := c.members[id]
	switch {
	case c.ended:
		if m != nil {
			m.isThere, c.present = false, nil
		}
		return fleet.Orders{Known: true, Leave: true}
	case c.replaced[id]:
		return fleet.Orders{Known: true, Refused: fleet.Replaced}
	case m != nil && m.dropped != "":
		if m.told.IsZero() {
			m.told = now
		}
		return fleet.Orders{Known: true, Refused: m.dropped}
	case m == nil || !m.isThere:
		return fleet.Orders{}
	case m.key != "" && m.start != b.Start:
		return fleet.Orders{Known: true, Refused: fleet.Replaced}
	}
	if !m.heard && !m.own {
		past := c.past(m.host)
		if past != "" {
			past = "; " + past
		}
		c.note("umpire: worker %s has joined, with %d at a time, isolation %s%s\n", m.name, m.slots, m.isolation, past)
		if m.key == "" && !c.trusts {
			c.trusts = true
			c.note("umpire: %s\n", c.trust)
		}
	}
	c.noteStrain(m, b)
	b.Jobs, b.Back = b.Jobs[:min(len(b.Jobs), maxHeld*m.slots)], b.Back[:min(len(b.Back), maxHeld*m.slots)]
	b.Busy, b.Paused = max(0, min(b.Busy, m.slots)), fleet.Tidy(b.Paused, fleet.MaxWhy)
	m.heard, m.seen = true, now
	o := fleet.Orders{Known: true, Drain: c.drains, End: b.Jobs}
	if c.work != nil {
		o.End = c.work.heard(m, &b, now)
	}
	b.Jobs, b.Back = nil, nil
	m.beat, m.drained = b, c.drains
	switch {
	case m.dropped != "":
		return fleet.Orders{Known: true, Refused: m.dropped} // as it will hear once more
	case b.Leaving:
		if !m.own {
			c.note("umpire: worker %s has left\n", m.name)
		}
		c.part(m, status.Left, "", false, now)
		o.Leave = true
	case c.work != nil:
		c.work.assign(now)
		o.Waiting = waitingFor(c.work, m)
	}
	return o
}

// noteStrain says when a worker pauses, and when it goes on.
func (c *crew) noteStrain(m *member, b fleet.Beat) {
	switch before := m.beat.Waiting > 0; {
	case !before && b.Waiting > 0:
		c.note("umpire: worker %s pauses: its contestants wait for CPUs %.0f %% of their time\n", m.name, 100*min(1, b.Waiting))
	case before && b.Waiting <= 0:
		c.note("umpire: worker %s plays again\n", m.name)
	}
}

// take notes that a slot of a worker waits for a job, or waits no more.
func (c *crew) take(id string, ask fleet.Take, reply string, now time.Time) {
	m := c.members[id]
	if m == nil || !m.isThere || ask.Slot < 0 || ask.Slot >= m.slots {
		return // it will hear that it must say hello
	}
	if old := m.takers[ask.Slot]; old != nil {
		old.end()
		if ask.Over {
			c.out.gives = append(c.out.gives, give{reply: old.reply})
		}
	}
	if ask.Over {
		return
	}
	if j := m.given[ask.Slot]; j != nil && j.id != ask.Last && c.work != nil {
		c.work.missed(j, m, now)
	}
	t := &taker{member: m, slot: ask.Slot, reply: reply, since: now}
	m.takers[ask.Slot] = t
	c.idle = append(c.idle, t)
	if c.work != nil {
		c.work.assign(now)
	}
}

// drop ends a worker's part in the run: it gets no more work, and nothing that it
// gives counts.
func (c *crew) drop(m *member, why string, now time.Time) {
	if m.dropped != "" || m.own {
		return
	}
	m.dropped = fleet.Tidy(why, fleet.MaxWhy)
	if m.host != "" && len(c.droppedFrom[m.host]) < maxDropped {
		c.droppedFrom[m.host] = append(c.droppedFrom[m.host], m.name)
	}
	c.counts.Refused++
	c.note("umpire: worker %s is dropped, and what it was to play is given to others: %s\n", m.name, m.dropped)
	c.part(m, status.Refused, m.dropped, false, now)
}

// exclude drops a worker that has been proven wrong, or whose key was revoked: the records
// that it has given do not count, either.
func (c *crew) exclude(m *member, why string, now time.Time) {
	if m.own || slices.Contains(c.excludes, m.name) {
		return
	}
	c.drop(m, why, now)
	if given := m.credit.matches; given > 0 || c.resumed {
		c.excludes, c.out.excluded = append(c.excludes, m.name), append(c.out.excluded, m.name)
		c.note("umpire: worker %s is excluded, and what it has played is played again: %s\n", m.name, report.Plural(int(given), "match"))
	}
}

// fault notes that a worker failed to play a match that another could.
func (c *crew) fault(m *member, now time.Time) {
	if m.fault++; m.fault >= maxFaults {
		c.drop(m, fmt.Sprintf("it failed to play %d matches that others could", m.fault), now)
	}
}

// mayBegin reports whether a worker is there, and plays or may still begin what has
// been waiting for it for a time.
func (m *member) mayBegin(waited time.Duration) bool {
	return m.isThere && (waited < notStarted || len(m.holds) > 0)
}

// isSuspect reports whether a host's workers are refused; local ones never are, since
// whoever comes through a proxy or a tunnel comes from this machine.
func (c *crew) isSuspect(host string) bool {
	return !fleet.IsLoopback(host) && len(c.droppedFrom[host]) >= maxDropped
}

// past says which workers from a host have been dropped; "" if none.
func (c *crew) past(host string) string {
	if len(c.droppedFrom[host]) == 0 {
		return ""
	}
	return fmt.Sprintf("from its address, %s, %s was dropped before", host, strings.Join(c.droppedFrom[host], ", "))
}
