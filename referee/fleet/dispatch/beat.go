package dispatch

import (
	"time"

	"umpire/referee/fleet"
)

// Why the user should trust all workers without keys.
const (
	trustToken = "who has the token is trusted, and can come again under another name; for machines of others: umpire fleet keys add NAME"
	trustAll   = "the NATS server lets a worker speak as any other, so all its workers are trusted; permissions that prevent it are in referee/fleet/README.md"
)

// speaks returns the worker that sends a beat, if it may play; otherwise nil, and its orders.
func (c *crew) speaks(id string, b *fleet.Beat, now time.Time) (m *member, o fleet.Orders) {
	m = c.members[id]
	switch {
	case c.ended:
		if m != nil {
			m.isThere, c.present = false, nil
		}
		return nil, fleet.Orders{Known: true, Leave: true}
	case c.replaced[id]:
		return nil, fleet.Orders{Known: true, Refused: fleet.Replaced}
	case m != nil && m.dropped != "":
		if m.told.IsZero() {
			m.told = now
		}
		return nil, fleet.Orders{Known: true, Refused: m.dropped}
	case m == nil || !m.isThere:
		return nil, fleet.Orders{}
	case m.key != "" && m.start != b.Start:
		return nil, fleet.Orders{Known: true, Refused: fleet.Replaced}
	}
	return m, fleet.Orders{}
}

// hear notes what a worker says of itself in a beat, and bounds what it may say.
func (c *crew) hear(m *member, b *fleet.Beat, now time.Time) {
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
