package arena

import (
	"context"
	"sync"

	"umpire/referee/sandbox"
)

// Memory shares the memory that the machine, or the group around umpire, has left among
// matches that run concurrently: a match begins when the limits of its programs fit
// beside those of all others, or alone. Its methods may be called by several goroutines;
// nil is memory without end.
type Memory struct {
	// Short, if not nil, is told of the first match that has to wait, or that does not
	// fit alone: what its programs may take, and what was left for all, in bytes.
	Short func(need, left int64)

	mu      sync.Mutex
	left    int64 // when the first of the matches began
	taken   int64
	matches int
	told    bool
	freed   chan struct{} // closed and replaced when a match has ended
}

// TryTake takes a match's memory, in bytes, and reports whether there is as much.
func (m *Memory) TryTake(need int64) bool {
	if m == nil {
		return true
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.tryTake(need)
}

func (m *Memory) tryTake(need int64) bool {
	if m.matches == 0 {
		m.left = sandbox.MemoryLeft()
	}
	fits := m.taken+need <= m.left
	if !fits && !m.told && m.Short != nil {
		m.told = true
		m.Short(need, m.left)
	}
	if !fits && m.matches > 0 {
		return false
	}
	m.matches++
	m.taken += need
	return true
}

// Take waits until TryTake succeeds. An error is that of ctx.
func (m *Memory) Take(ctx context.Context, need int64) error {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for !m.tryTake(need) {
		if m.freed == nil {
			m.freed = make(chan struct{})
		}
		freed := m.freed
		m.mu.Unlock()
		select {
		case <-freed:
		case <-ctx.Done():
		}
		m.mu.Lock()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// Give gives back what a match has taken.
func (m *Memory) Give(need int64) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.matches--
	m.taken -= need
	if m.freed != nil {
		close(m.freed)
		m.freed = nil
	}
}

// memory is how much memory the programs of a match may take, in bytes. Remote players
// take none here.
func (m Match) memory() (need int64) {
	for _, p := range m.Players {
		if p.Identity().Kind == "" {
			need += m.Limits.Memory
		}
	}
	return need
}
