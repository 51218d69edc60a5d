//go:build !linux

package stall

import (
	"context"
	"time"
)

// thread returns how to read the clocks, and how to sleep. How long a thread has
// waited for a CPU is not known on this system.
func thread(ctx context.Context) (read func() reading, sleep func(time.Duration), end func()) {
	begun := time.Now()
	sleep = func(d time.Duration) {
		select {
		case <-time.After(d):
		case <-ctx.Done():
		}
	}
	return func() reading { now := time.Since(begun); return reading{mono: now, boot: now} }, sleep, func() {}
}
