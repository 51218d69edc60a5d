package dispatch

import "time"

// meterTime is over how many seconds a meter measures.
const meterTime = 60

// meter measures how often a second something has happened, lately.
type meter struct {
	since  time.Time      // the first event
	counts [meterTime]int // by second since then, modulo meterTime
	last   int            // second of the newest count
}

// add counts one event.
func (m *meter) add(now time.Time) {
	if m.since.IsZero() {
		m.since = now
	}
	m.advance(now)
	m.counts[m.last%meterTime]++
}

// rate returns the events a second, over meterTime or since the first.
func (m *meter) rate(now time.Time) float64 {
	if m.since.IsZero() {
		return 0
	}
	m.advance(now)
	sum := 0
	for _, n := range m.counts {
		sum += n
	}
	return float64(sum) / max(1, min(meterTime, now.Sub(m.since).Seconds()))
}

// advance forgets the counts that are too old.
func (m *meter) advance(now time.Time) {
	second := int(now.Sub(m.since) / time.Second)
	for n := 0; m.last < second && n < meterTime; n++ {
		m.last++
		m.counts[m.last%meterTime] = 0
	}
	m.last = max(m.last, second)
}

// credit counts a worker's records, as the coordinator has taken them.
type credit struct {
	meter   meter
	matches int64
}

// add counts one record.
func (c *credit) add(now time.Time) {
	c.matches++
	c.meter.add(now)
}
