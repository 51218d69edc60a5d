//go:build linux

package main

import (
	"cmp"
	"flag"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// How a fleet gives out its work.
const (
	jobTime     = 0.3   // s that a job of short matches takes
	maxJob      = 64    // matches of a job
	minRoom     = 64    // matches under way at least,
	maxRoom     = 65536 // and at most
	jobsPerSlot = 3     // jobs under way for each slot
	mirrored    = 2     // matches of a job at least, for two seats
	trips       = 5     // round trips of a job, as measured: to be fetched, its results stored, to be acknowledged
)

// load describes the matches and the machines that play them. Times are in
// seconds.
type load struct {
	match   float64 // from its start to its end, in a slot
	cpu     float64 // CPU time of it on the worker's machine
	latency float64 // round trip between a worker and the server
	perJob  float64 // CPU time of a job on the worker's machine, and as long
	workers int
	slots   int // of each worker
	cores   int // of each worker
	// Of the coordinator, per match and job: what one goroutine does.
	perMatch, perPublish float64
	shared               int // cores, if all workers and the coordinator are on one machine
}

// bound is a limit of the matches a second, and its name.
type bound struct {
	what string
	rate float64
}

// bounds are all the limits.
func (l load) bounds() []bound {
	size := l.job()
	slots := float64(l.workers * l.slots)
	cycle := size*l.match + trips*l.latency + l.perJob
	room := min(maxRoom, max(minRoom, slots*jobsPerSlot*size))
	onWorker := l.cpu + l.perJob/size
	onCoordinator := l.perMatch + l.perPublish/size
	list := []bound{
		{"slots", slots * size / cycle},
		{"workers' CPUs", float64(l.workers*l.cores) / onWorker},
		{"coordinator", 1 / onCoordinator},
		{"matches under way", room / (cycle + l.latency)},
	}
	if l.shared > 0 {
		list[1] = bound{"CPUs of the machine", float64(l.shared) / (onWorker + onCoordinator)}
	}
	return list
}

// job returns how many matches a job has: both orders of a pair at least.
func (l load) job() float64 { return max(mirrored, min(maxJob, math.Floor(jobTime/l.match))) }

// lowest returns what limits the matches a second most.
func (l load) lowest() bound {
	return slices.MinFunc(l.bounds(), func(a, b bound) int { return cmp.Compare(a.rate, b.rate) })
}

// model prints how many matches a second a fleet plays, for numbers of workers,
// lengths of matches and latencies.
func model(args []string) error {
	flags := flag.NewFlagSet("model", flag.ExitOnError)
	workers := flags.String("workers", "1,2,4,8,16,32,64", "numbers of workers")
	matches := flags.String("match", "2ms,10ms,100ms,1s,10s", "lengths of matches")
	latencies := flags.String("latency", "100us,1ms,10ms,100ms", "round trips between worker and server")
	slots := flags.Int("slots", 2, "jobs of a worker (--jobs)")
	cores := flags.Int("cores", 2, "CPUs of a worker")
	busy := flags.Float64("busy", 1, "CPU time of a match, as a part of its length")
	perJob := flags.Duration("per-job", time.Millisecond, "CPU time of a job on the worker's machine")
	perMatch := flags.Duration("per-match", 700*time.Microsecond, "time of a match on the coordinator")
	perPublish := flags.Duration("per-publish", 500*time.Microsecond, "time of a job on the coordinator")
	shared := flags.Int("shared", 0, "CPUs of the one machine that all share; 0: each worker has its own")
	measured := flags.Float64("measured", 0, "matches a second as measured, to be compared; of one number of workers, length and latency")
	_ = flags.Parse(args)
	l := load{
		slots: *slots, cores: *cores, perJob: perJob.Seconds(), perMatch: perMatch.Seconds(), perPublish: perPublish.Seconds(), shared: *shared,
	}
	fmt.Printf("%8s %8s %8s %6s %10s  %s\n", "match", "latency", "workers", "job", "matches/s", "limited by")
	for match := range strings.SplitSeq(*matches, ",") {
		for latency := range strings.SplitSeq(*latencies, ",") {
			for n := range strings.SplitSeq(*workers, ",") {
				if err := l.set(match, latency, n, *busy); err != nil {
					return err
				}
				least := l.lowest()
				fmt.Printf("%8s %8s %8s %6.0f %10.1f  %s", match, latency, n, l.job(), least.rate, least.what)
				if *measured > 0 {
					fmt.Printf("; measured %.1f: %.2f of it", *measured, *measured/least.rate)
				}
				fmt.Println()
			}
		}
	}
	return nil
}

// set enters a row of the table.
func (l *load) set(match, latency, workers string, busy float64) error {
	length, err := time.ParseDuration(match)
	if err != nil {
		return err
	}
	trip, err := time.ParseDuration(latency)
	if err != nil {
		return err
	}
	if l.workers, err = strconv.Atoi(workers); err != nil {
		return err
	}
	l.match, l.latency, l.cpu = length.Seconds(), trip.Seconds(), length.Seconds()*busy
	return nil
}
