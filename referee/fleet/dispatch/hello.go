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

// Hello answers a worker that introduces itself, of which the server knows where it comes from.
func (d *Dispatcher) Hello(id string, at fleet.Origin, h fleet.Hello, now time.Time) (answer fleet.Welcome) {
	d.wake(now)
	host, key := at.Host, at.Key
	m := cmp.Or(d.withKey(key), d.members[id])
	if d.replaced[id] || d.replaced[joined(id, h.Start)] || m != nil && m.id != id && at.First.Before(m.first) {
		return fleet.Welcome{Refused: fleet.Replaced}
	}
	if m != nil && host == "" {
		host = m.host
	}
	isNewer := m != nil && m.key != "" && (m.id != id || m.start != h.Start)
	why := fleet.Tidy(d.refusal(m, isNewer, key, &h), fleet.MaxWhy)
	switch {
	case m == nil:
		m = &member{id: id, key: key, own: id == d.config.Own, state: status.Left}
		m.takers, m.holds = make(map[int]*taker), make(map[*job]*hold)
		d.remember(m, h.Name)
	case isNewer && why == "":
		d.replace(m, id, now)
		why = m.dropped
	case isNewer && (m.id != id || m.isThere()): // the older stays
		return fleet.Welcome{Refused: why}
	}
	m.first = at.First
	m.host, m.version, m.isolation = host, fleet.Tidy(h.Version, fleet.MaxName), fleet.Tidy(h.Isolation, fleet.MaxName)
	if m.start != h.Start { // it may be on another machine
		m.scale, m.needed = 0, nil
	}
	m.start = h.Start
	m.cpu, m.seen = fleet.Tidy(h.CPU, fleet.MaxCPUName), now
	if why != "" {
		if m.state != status.Refused || m.why != why { // it is said once
			d.counts.Refused++
			d.news(m.key, now, "umpire: worker %s is refused: %s\n", m.name, why)
			m.joined = now
		}
		d.part(m, status.Refused, why, false, now)
		return fleet.Welcome{Refused: why}
	}
	if !m.isThere() {
		m.heard, m.joined, m.beat, d.present = false, now, fleet.Beat{}, nil
	}
	m.state, m.why, m.slots, m.abilities, d.asked = "", "", h.Slots, make(map[string]bool), 0
	for _, key := range h.Abilities {
		m.abilities[key] = true
	}
	return fleet.Welcome{Name: m.name, Joined: m.joined.UnixNano()}
}

// refusal is why a worker may not play; "" if it may. One that is newer may have another key than the
// one before it.
func (d *Dispatcher) refusal(m *member, isNewer bool, key string, h *fleet.Hello) string {
	switch {
	case m != nil && m.dropped != "" && !isNewer:
		return m.dropped
	case key != "" && d.isExcluded(key):
		return fmt.Sprintf("the worker %s has been excluded from this run; add it under another name", key)
	case m != nil && m.dropped != "" && m.dropped != fleet.KeyRemoved:
		return m.dropped
	case key != "" && m == nil && d.called[key]:
		return fmt.Sprintf("another worker of this run is called %s; add it under another name", key)
	case h.Version != d.config.Version:
		return fmt.Sprintf("it is umpire %s, and this run is played with %s", h.Version, d.config.Version)
	case h.Protocol != fleet.Protocol:
		return fmt.Sprintf("it speaks version %d of the workers' protocol, and this run version %d", h.Protocol, fleet.Protocol)
	case d.config.Build.IsOther(h.Binary):
		return fmt.Sprintf("its umpire is not the same file as that of this run, though both are %s for %s", d.config.Version, d.config.Build.System)
	case d.config.Isolation != "" && !referee.Level(h.Isolation).AtLeast(d.config.Isolation):
		return fmt.Sprintf("it isolates at level %s, and this run is played at %s or stronger", h.Isolation, d.config.Isolation)
	case h.Isolation != "" && !slices.Contains(referee.Levels(), referee.Level(h.Isolation)):
		return fmt.Sprintf("found isolation %q, expected none, basic, box or strict", fleet.Tidy(h.Isolation, fleet.MaxName))
	case h.Slots < 1 || h.Slots > fleet.MaxSlots:
		return fmt.Sprintf("found %d matches at a time, expected 1 to %d", h.Slots, fleet.MaxSlots)
	case len(h.Abilities) > fleet.MaxAbilities:
		return fmt.Sprintf("found %d abilities, expected at most %d", len(h.Abilities), fleet.MaxAbilities)
	}
	return ""
}

// replace has a newer worker with a key take the place of the older one, which is refused from
// then on: it may say hello later than the newer.
func (d *Dispatcher) replace(m *member, id string, now time.Time) {
	if len(d.replaced) >= maxSeen {
		clear(d.replaced)
	}
	if m.id == id { // that of a user of an existing server, who has begun anew
		d.replaced[joined(id, m.start)] = true
	} else {
		d.replaced[m.id] = true
	}
	delete(d.members, m.id)
	m.id, d.members[id], m.dropped = id, m, ""
	if m.isThere() {
		d.news(m.key, now, "umpire: worker %s has joined anew, and replaces the one with its key\n", m.name)
		jobs := len(m.holds)
		d.part(m, status.Silent, "", false, now)
		d.excuse(m, jobs, now)
	}
}

// joined names a worker that has begun under an id. It may say that it began as any other.
func joined(id, start string) string { return id + " " + start }

// remember adds a worker, with the name of its key or one that no other has, or had. Of very many,
// it forgets those that have been gone for longest. The records of one that has been forgotten do
// not count, and nobody gets the name of one that is excluded.
func (d *Dispatcher) remember(m *member, name string) {
	m.name = cmp.Or(m.key, name)
	for n, first := 2, m.name; d.called[m.name] || m.key == "" && !m.own && !slices.Contains([]string{"", m.id}, d.config.Past[m.name]); n++ {
		m.name = fmt.Sprintf("%s#%d", first, n) // as no key's is
	}
	d.members[m.id], d.called[m.name] = m, true
	d.order = append(d.order, m)
	i := slices.IndexFunc(d.order, func(old *member) bool { return !old.isThere() && old != m && !old.own })
	if len(d.order) > maxSeen && i >= 0 {
		delete(d.members, d.order[i].id)
		if name := d.order[i].name; !d.isExcluded(name) {
			delete(d.called, name)
		}
		d.order = slices.Delete(d.order, i, i+1)
	}
}

// Hear gives a worker its orders, and bounds what it may say of itself.
func (d *Dispatcher) Hear(id string, b fleet.Beat, now time.Time) fleet.Orders {
	d.wake(now)
	m := d.members[id]
	switch {
	case d.ended:
		if m != nil {
			m.state, d.present = status.Left, nil
		}
		return fleet.Orders{Known: true, Leave: true}
	case m != nil && m.dropped != "":
		return fleet.Orders{Known: true, Refused: m.dropped}
	case m == nil || !m.isThere():
		return fleet.Orders{}
	case m.isOlder(b.Start):
		return fleet.Orders{Known: true, Refused: fleet.Replaced}
	}
	b.Paused = fleet.Tidy(b.Paused, fleet.MaxWhy)
	d.noteNews(m, &b, now)
	b.Jobs, b.Back = b.Jobs[:min(len(b.Jobs), maxHeld*m.slots)], b.Back[:min(len(b.Back), maxHeld*m.slots)]
	b.Busy = max(0, min(b.Busy, m.slots))
	m.heard, m.seen, m.beat = true, now, b
	m.beat.Jobs, m.beat.Back = nil, nil
	o := fleet.Orders{Known: true, Drain: d.drains, End: d.work.heard(m, &b, now)}
	switch {
	case m.dropped != "":
		return fleet.Orders{Known: true, Refused: m.dropped} // as it will hear once more
	case b.Leaving:
		if !m.own {
			d.news(m.key, now, "umpire: worker %s has left\n", m.name)
		}
		jobs := len(m.holds)
		d.part(m, status.Left, "", false, now)
		d.excuse(m, jobs, now)
		o.Leave = true
	default:
		o.Waiting = d.work.waitingFor(m, now)
	}
	return o
}

// noteNews says when a worker has joined, pauses, or goes on.
func (d *Dispatcher) noteNews(m *member, b *fleet.Beat, now time.Time) {
	if !m.heard && !m.own {
		d.news(m.key, now, "umpire: worker %s has joined, with %d at a time, isolation %s\n", m.name, m.slots, m.isolation)
		if m.key == "" && !d.trusts {
			d.trusts = true
			if d.config.TrustsAll {
				d.note("umpire: the NATS server lets a worker speak as any other, so all its workers are trusted; for permissions that prevent it: umpire help topic fleets\n")
			} else {
				d.note("umpire: who has the token is trusted, and can come again under another name; for machines of others: umpire fleet keys add NAME\n")
			}
		}
	}
	switch before := m.beat.Paused; {
	case before == "" && b.Paused != "" && !m.own:
		d.news(m.key, now, "umpire: worker %s pauses: %s\n", m.name, b.Paused)
	case before != "" && b.Paused == "":
		d.asked = 0
		d.news(m.key, now, "umpire: worker %s plays again\n", m.name)
	}
}
