//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"umpire/referee"
	"umpire/referee/procfs"
	"umpire/referee/sandbox"
	"umpire/referee/sandbox/cgroup"
)

// Row (j) plays this many matches with two jobs, in so many parts.
const (
	stormMatches = 20_000
	stormParts   = 20
)

// leftover counts umpire's resources while no match is being played.
type leftover struct {
	processes, descriptors, groups int
	memory                         int64 // resident, bytes
}

// storm measures row (j).
func (b *bench) storm() error {
	l, err := sandbox.New(referee.LevelStrict)
	if err != nil {
		return err
	}
	s := *b
	s.launcher = l
	const part = stormMatches / stormParts
	var costs []cost
	var first, last leftover
	for range stormParts {
		start := begin(s.meter.Read)
		if err := s.tournament(2, part, nil); err != nil {
			return err
		}
		costs = append(costs, start.each(part))
		if last = lookAround(); len(costs) == 1 {
			first = last
		}
	}
	fmt.Printf("(j) %d matches at strict, 2 jobs: after each %d\n", stormMatches, part)
	for _, row := range []struct {
		name string
		c    cost
		l    leftover
	}{{"first", costs[0], first}, {"last", costs[len(costs)-1], last}} {
		fmt.Printf("%-6s %5.0f matches a second, CPU %5.0f µs a match; %d processes, %d descriptors, %d control groups, %d MiB\n", row.name,
			float64(time.Second)/float64(row.c.wall), us(row.c.cpu), row.l.processes, row.l.descriptors, row.l.groups, row.l.memory>>20)
	}
	fmt.Printf("the last's CPU time is %.2f times the first's\n\n", ratio(costs[len(costs)-1].cpu, costs[0].cpu))
	return nil
}

// lookAround counts what umpire has.
func lookAround() (l leftover) {
	self := os.Getpid()
	l.processes = len(procfs.Descendants(self, nil, 1<<16))
	l.descriptors = len(procfs.Names("/proc/self/fd"))
	if mounts, err := cgroup.Mounts(); err == nil {
		found := map[string]bool{}
		for _, m := range mounts {
			for dir := range m.Above() {
				groups, _ := filepath.Glob(dir + "/" + cgroup.Prefix(self) + "[0-9]*")
				for _, g := range groups {
					found[filepath.Base(g)] = true
				}
			}
		}
		l.groups = len(found)
	}
	var buf [4096]byte
	l.memory = procfs.Kibibytes(procfs.Read("/proc/self/status", buf[:]), "VmRSS:")
	return l
}
