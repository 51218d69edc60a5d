package dispatch

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"umpire/referee"
	"umpire/referee/fleet"
	"umpire/referee/fleet/status"
)

// hello answers a worker that introduces itself. Key is the name of its key; "" if it has
// the token.
func (c *crew) hello(id, host, key string, h fleet.Hello, now time.Time) (answer fleet.Welcome) {
	if c.replaced[id] || c.replaced[joined(id, h.Start)] {
		return fleet.Welcome{Refused: fleet.Replaced}
	}
	m := cmp.Or(c.keyed[key], c.members[id])
	if m != nil && host == "" {
		host = m.host
	}
	why := c.refusal(m, key, &h)
	isNewer := m != nil && m.key != "" && (m.id != id || m.start != h.Start)
	switch {
	case m == nil:
		m = &member{id: id, key: key, own: id == c.config.Own, state: status.Left}
		m.takers, m.holds, m.given = make(map[int]*taker), make(map[*job]*hold), make(map[int]*job)
		c.remember(m, h.Name)
	case isNewer && why == "":
		c.replace(m, id, now)
	case isNewer && (m.id != id || m.isThere()): // the older stays
		return fleet.Welcome{Refused: why}
	}
	m.host, m.version, m.isolation = host, fleet.Tidy(h.Version, fleet.MaxName), fleet.Tidy(h.Isolation, fleet.MaxName)
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
	if !m.isThere() {
		m.heard, m.joined, m.beat, c.present = false, now, fleet.Beat{}, nil
	}
	m.state, m.why, m.slots, m.abilities = "", "", h.Slots, make(map[string]bool)
	for _, key := range h.Abilities {
		m.abilities[key] = true
	}
	return fleet.Welcome{Name: m.name, Joined: m.joined.UnixNano()}
}

// refusal is why a worker may not play; "" if it may.
func (c *crew) refusal(m *member, key string, h *fleet.Hello) string {
	switch err := h.Check(); {
	case m != nil && m.dropped != "":
		return m.dropped
	case key != "" && m == nil && c.called[key]:
		return "the worker with its name has been excluded from this run, or another has it"
	case h.Version != c.config.Version:
		return fmt.Sprintf("it is umpire %s, and this run is played with %s", h.Version, c.config.Version)
	case h.Protocol != fleet.Protocol:
		return fmt.Sprintf("it speaks version %d of the workers' protocol, and this run version %d", h.Protocol, fleet.Protocol)
	case c.config.Build.IsOther(h.Binary):
		return fmt.Sprintf("its umpire is not the same file as that of this run, though both are %s for %s", c.config.Version, c.config.Build.System)
	case c.config.Isolation != "" && !referee.Level(h.Isolation).AtLeast(c.config.Isolation):
		return fmt.Sprintf("it isolates at level %s, and this run is played at %s or stronger", h.Isolation, c.config.Isolation)
	case err != nil:
		return err.Error()
	}
	return ""
}

// replace has a newer worker with a key take the place of the older one, which is refused from
// then on: it may say hello later than the newer.
func (c *crew) replace(m *member, id string, now time.Time) {
	if len(c.replaced) >= maxSeen {
		clear(c.replaced)
	}
	if m.id == id { // that of a user of an existing server, who has begun anew
		c.replaced[joined(id, m.start)] = true
	} else {
		c.replaced[m.id] = true
	}
	delete(c.members, m.id)
	m.id, c.members[id] = id, m
	if m.isThere() {
		c.note("umpire: worker %s has joined anew, and replaces the one with its key\n", m.name)
		c.part(m, status.Silent, "", false, now)
	}
}

// joined names a worker that has begun under an id. It may say that it began as any other.
func joined(id, start string) string { return id + " " + start }

// isAnothers reports whether the name of a worker without a key is that of a key, or was that
// of another worker.
func (c *crew) isAnothers(m *member) bool {
	return c.config.HasKey != nil && c.config.HasKey(m.name) || !slices.Contains([]string{"", m.id}, c.config.Past[m.name])
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
	for n := 2; c.called[m.name] || m.key == "" && !m.own && c.isAnothers(m); n++ {
		m.name = fmt.Sprintf("%s-%d", name, n)
	}
	c.members[m.id], c.called[m.name] = m, true
	c.order = append(c.order, m)
	excess := len(c.order) - maxSeen
	c.order = slices.DeleteFunc(c.order, func(old *member) bool {
		if excess <= 0 || old.isThere() || old == m || old.own {
			return false
		}
		excess--
		delete(c.members, old.id)
		delete(c.called, old.name)
		delete(c.keyed, old.key)
		return true
	})
}

// speaks returns the worker that sends a beat, if it may play; otherwise nil, and its orders.
func (c *crew) speaks(id string, b *fleet.Beat, now time.Time) (m *member, o fleet.Orders) {
	m = c.members[id]
	switch {
	case c.ended:
		if m != nil {
			m.state, c.present = status.Left, nil
		}
		return nil, fleet.Orders{Known: true, Leave: true}
	case m != nil && m.dropped != "":
		if m.told.IsZero() {
			m.told = now
		}
		return nil, fleet.Orders{Known: true, Refused: m.dropped}
	case m == nil || !m.isThere():
		return nil, fleet.Orders{}
	case m.key != "" && m.start != b.Start:
		return nil, fleet.Orders{Known: true, Refused: fleet.Replaced}
	}
	return m, fleet.Orders{}
}

// hear notes what a worker says of itself in a beat, and bounds what it may say.
func (c *crew) hear(m *member, b *fleet.Beat, now time.Time) {
	if !m.heard && !m.own {
		c.note("umpire: worker %s has joined, with %d at a time, isolation %s\n", m.name, m.slots, m.isolation)
		if m.key == "" && !c.trusts {
			c.trusts = true
			if c.config.TrustsAll {
				c.note("umpire: the NATS server lets a worker speak as any other, so all its workers are trusted; permissions that prevent it are in referee/fleet/README.md\n")
			} else {
				c.note("umpire: who has the token is trusted, and can come again under another name; for machines of others: umpire fleet keys add NAME\n")
			}
		}
	}
	c.noteStrain(m, b)
	b.Jobs, b.Back = b.Jobs[:min(len(b.Jobs), maxHeld*m.slots)], b.Back[:min(len(b.Back), maxHeld*m.slots)]
	b.Busy, b.Paused = max(0, min(b.Busy, m.slots)), fleet.Tidy(b.Paused, fleet.MaxWhy)
	m.heard, m.seen = true, now
}

// noteStrain says when a worker pauses, and when it goes on.
func (c *crew) noteStrain(m *member, b *fleet.Beat) {
	switch before := m.beat.Waiting > 0; {
	case !before && b.Waiting > 0:
		c.note("umpire: worker %s pauses: its contestants wait for CPUs %.0f %% of their time\n", m.name, 100*min(1, b.Waiting))
	case before && b.Waiting <= 0:
		c.note("umpire: worker %s plays again\n", m.name)
	}
}
