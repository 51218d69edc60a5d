package sandbox

import (
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"
)

// BenchmarkStart measures from the call of Start to the end of the program,
// /bin/true, beside a bare spawn.
func BenchmarkStart(b *testing.B) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c := Command{Path: "/bin/true", Args: []string{"true"}, Dir: "/", Stdin: 0, Stdout: 1, Stderr: 2}
	b.Run("bare", func(b *testing.B) {
		measure(b, func() {
			pid, err := syscall.ForkExec(c.Path, c.Args, &syscall.ProcAttr{Files: []uintptr{0, 1, 2}})
			must(b, err)
			_, _ = syscall.Wait4(pid, nil, 0, nil)
		})
	})
	for _, level := range levels() {
		l, err := New(level)
		must(b, err)
		b.Run(string(level), func(b *testing.B) {
			measure(b, func() {
				p, err := l.Start(c)
				must(b, err)
				p.Wait()
			})
		})
	}
}

func measure(b *testing.B, f func()) {
	var times []time.Duration
	for b.Loop() {
		start := time.Now()
		f()
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(times[len(times)*99/100].Microseconds())/1000, "p99-ms")
}
