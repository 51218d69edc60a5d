package serve_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"umpire/referee/remote"
)

// cpuTime is the CPU time that the process has used.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
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

// countSteps looks at a match until it has seen so many steps after the start.
func (s *site) countSteps(b *testing.B, match string, number, steps int, started func()) {
	// A few onlookers to an address.
	from := &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(1+number/50))}
	client := http.Client{Transport: &http.Transport{DialContext: (&net.Dialer{LocalAddr: from}).DialContext}}
	defer client.CloseIdleConnections()
	answer, err := client.Get(s.server.URL + "/api/v1/matches/" + match + "/events")
	if err != nil {
		b.Error(err)
		started()
		return
	}
	defer answer.Body.Close()
	in := bufio.NewReaderSize(answer.Body, 64<<10)
	for seen := -1; seen < steps; {
		line, err := in.ReadString('\n')
		if err != nil {
			b.Errorf("after %d steps: %v", seen, err)
			return
		}
		if strings.HasPrefix(line, "id: ") {
			if seen++; seen == 0 {
				started()
			}
		}
	}
}

// playSteps gives so many replies in a match of people, who then wait for its
// end.
func (s *site) playSteps(b *testing.B, m invited, steps int) (people *sync.WaitGroup) {
	replies := make(chan struct{}, steps)
	for range steps {
		replies <- struct{}{}
	}
	close(replies)
	people = &sync.WaitGroup{}
	for i := range m.Seats {
		people.Go(func() {
			method, k, body := "GET", 1, any(nil)
			for {
				a := s.request(method, fmt.Sprintf("/api/v1/seat/turns/%d?wait=30&board", k), m.ticket(i+1), body)
				if a.status != 200 {
					return // the benchmark has ended
				}
				info := parse[remote.TurnInfo](b, a.text)
				k, method, body = info.Turn, "GET", nil
				if info.State == remote.TurnMove {
					_, more := <-replies
					if !more {
						return
					}
					method, body = "PUT", map[string]string{"reply": info.Board.Choices[0].Reply}
				}
			}
		})
	}
	return people
}
