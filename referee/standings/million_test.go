//go:build linux

package standings

import (
	"math/rand/v2"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"umpire/protocols"
	"umpire/referee/record"
)

// cpuTime is that of this process so far.
func cpuTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// BenchmarkMillion ranks a million matches of 20 bots, as if their records had been read:
// tables drawn at random, each in all rotations of its seats, as schedules have them. Run
// it with -benchtime 1x.
func BenchmarkMillion(b *testing.B) {
	for _, seats := range []int{4, 2} {
		b.Run(strconv.Itoa(seats)+" seats", func(b *testing.B) {
			var m record.Summary // of each match in turn, as when records are read
			var names [20]string
			for n := range names {
				names[n] = "bot" + strconv.Itoa(n)
			}
			type match struct {
				key, play    uint64
				bots, places [4]byte
			}
			rng := rand.New(rand.NewPCG(1, 2))
			list := make([]match, 1_000_000)
			var bots []int
			for n := range list {
				list[n].key, list[n].play = rng.Uint64(), rng.Uint64()
				if n%seats == 0 {
					bots = rng.Perm(20)
				}
				for seat, place := range rng.Perm(seats) {
					list[n].bots[seat], list[n].places[seat] = byte(bots[(seat+n)%seats]), byte(place)
				}
			}
			m.Seats = make([]record.SummarySeat, seats)
			runtime.GC()
			b.ResetTimer()
			start := cpuTime()
			for b.Loop() {
				t := NewTally(protocols.ByPlaces)
				for n := range list {
					one := &list[n]
					m.Key, m.Play, m.PairingKey, m.Repetition = one.key, one.play, uint64(n/seats%1000), 1+n/seats/1000
					for seat := range m.Seats {
						bot, place := names[one.bots[seat]], int(one.places[seat])
						m.Seats[seat] = record.SummarySeat{
							Bot: bot, Digest: bot, Verdict: "ok", Place: 1 + place, Score: protocols.Points(seats - place),
							Replies: 20, WallUS: 10_000, SlowestUS: 900,
						}
					}
					t.Add(&m)
				}
				t.Standings(nil)
			}
			b.ReportMetric((cpuTime()-start).Seconds()/float64(b.N), "cpu-s/op")
		})
	}
}
