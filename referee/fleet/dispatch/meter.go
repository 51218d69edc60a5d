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
	count     int64     // of all events
}

// add counts one event.
func (m *meter) add(now time.Time) {
	if m.since.IsZero() {
		m.since, m.at = now, now
	}
	m.sum = m.left(now) + 1
	m.at = now
	m.count++
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
