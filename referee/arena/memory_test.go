package arena_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"umpire/referee/arena"
	"umpire/referee/sandbox"
)

// TestMemory: a match that may take more than half of what is left keeps another like it
// waiting, but no small one, and one that fits nowhere is played alone. It is told once.
func TestMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		big := sandbox.MemoryLeft()/4*3 + 1
		var told []int64
		m := arena.Memory{Short: func(need, _ int64) { told = append(told, need) }}
		if !m.TryTake(2*big) || m.TryTake(1) {
			t.Error("expected a match that does not fit to be played, but nothing beside it")
		}
		m.Give(2 * big)
		if !m.TryTake(big) || !m.TryTake(1) || m.TryTake(big) {
			t.Error("expected a big and a small match to fit, but not two big ones")
		}
		began := false
		go func() { began = m.Take(t.Context(), big) == nil }()
		synctest.Wait()
		m.Give(1)
		synctest.Wait()
		if began {
			t.Error("a big match began beside another")
		}
		m.Give(big)
		synctest.Wait()
		if !began {
			t.Error("the big match did not begin when the other was over")
		}
		stopped, stop := context.WithCancelCause(t.Context())
		why := errors.New("stopped")
		stop(why)
		if err := m.Take(stopped, big); err != why {
			t.Errorf("found %v, expected %v", err, why)
		}
		if len(told) != 1 || told[0] != 2*big {
			t.Errorf("told of matches that may take %d bytes, expected one of %d", told, 2*big)
		}
	})
}
