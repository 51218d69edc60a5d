//go:build unix

package serve_test

import (
	"fmt"
	"sync"
	"syscall"
	"testing"
	"time"
)

// cpuTime is the CPU time that the process has used.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	must(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkOnlookers measures what steps of a match cost in CPU time, with the
// clients that play and read, for several numbers of onlookers.
func BenchmarkOnlookers(b *testing.B) {
	for _, n := range []int{1, 50, 200} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := open(b, b.TempDir(), nil)
			m := s.invite("mensch", "human:eve", "human:guest", "human:guest", "human:guest")
			var ready, all sync.WaitGroup
			ready.Add(n)
			for i := range n {
				all.Go(func() { s.countSteps(b, m.ID, i, b.N, ready.Done) })
			}
			ready.Wait()
			began := cpuTime(b)
			b.ResetTimer()
			people := s.playSteps(b, m, b.N)
			all.Wait()
			b.ReportMetric(float64(cpuTime(b)-began)/1e3/float64(b.N)/float64(n), "µs-CPU/onlooker-step")
			s.close()
			people.Wait()
		})
	}
}
