package dispatch

import (
	"math"
	"time"
)

// meterTime is after how many seconds an event counts e times less.
const meterTime = 30

// meter measures how often a second something happens, lately.
type meter struct {
	since, at time.Time // of the first event; of sum
	sum       float64   // of the events, as they count
}

// add counts one event.
func (m *meter) add(now time.Time) {
	if m.since.IsZero() {
		m.since, m.at = now, now
	}
	m.sum = m.left(now) + 1
	m.at = now
}

// left returns sum with what has faded since at taken off.
func (m *meter) left(now time.Time) float64 {
	return m.sum * math.Exp(-now.Sub(m.at).Seconds()/meterTime)
}

// rate returns the events a second.
func (m *meter) rate(now time.Time) float64 {
	if m.since.IsZero() {
		return 0
	}
	counted := 1 - math.Exp(-max(1, now.Sub(m.since).Seconds())/meterTime)
	return m.left(now) / meterTime / counted
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
