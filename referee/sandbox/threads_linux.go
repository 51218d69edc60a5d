package sandbox

import (
	"bytes"
	"os"
	"strconv"
	"sync"
	"time"

	"umpire/referee/procfs"
)

// threadCount counts the threads of umpire's user, at most once a second.
type threadCount struct {
	mu   sync.Mutex
	at   time.Time
	last int
}

func (t *threadCount) count() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	if now := time.Now(); now.Sub(t.at) > time.Second {
		t.at, t.last = now, countThreads()
	}
	return t.last
}

// countThreads counts the threads of umpire's user now.
func countThreads() int {
	uid := []byte("\nUid:\t" + strconv.Itoa(os.Getuid()) + "\t")
	total := 0
	pids, _ := procfs.Processes()
	for _, pid := range pids {
		var buf [4096]byte
		if status := procfs.Read(procfs.Dir(pid)+"/status", buf[:]); bytes.Contains(status, uid) {
			total += int(procfs.Field(status, "Threads:"))
		}
	}
	return total
}
