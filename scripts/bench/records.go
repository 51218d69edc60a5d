//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"umpire/protocols"
	"umpire/referee/record"
	"umpire/referee/standings"
)

// manyRecords is the size of the file of rows (f) and (g); results are scaled to
// a million.
const manyRecords = 200_000

// records measures rows (f) and (g).
func (b *bench) records() error {
	dir, err := os.MkdirTemp("", "umpire-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, record.ResultsFile)
	if err := writeRecords(path); err != nil {
		return err
	}
	plain, err := b.tally(path)
	if err != nil {
		return err
	}
	ranked, err := b.rank(path)
	if err != nil {
		return err
	}
	found, err := lookup(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if path, err = record.CompressFile(context.Background(), path); err != nil {
		return err
	}
	packed, err := os.Stat(path)
	if err != nil {
		return err
	}
	compressed, err := b.tally(path)
	if err != nil {
		return err
	}
	const million = 1_000_000 / manyRecords
	fmt.Printf("(f) a million records (%.2f GB) for standings   %5.2f s of CPU (goal 9)\n", million*float64(info.Size())/1e9, million*plain.Seconds())
	fmt.Printf("(f) of it, adding up and ranking                %5.2f s of CPU (goal 2)\n", million*ranked.Seconds())
	fmt.Printf("(f) the same compressed, to 1/%.1f              %5.2f s of CPU\n", ratio(time.Duration(info.Size()), time.Duration(packed.Size())), million*compressed.Seconds())
	fmt.Printf("(g) one of them by its id                       %5.2f s of CPU\n\n", million*found.Seconds())
	return nil
}

// rank returns the CPU time of tally without that of reading.
func (b *bench) rank(path string) (time.Duration, error) {
	var list []*record.Summary
	if err := summaries(path, func(s *record.Summary) { list = append(list, s.Clone()) }); err != nil {
		return 0, err
	}
	var costs []cost
	for range b.rounds {
		runtime.GC()
		start := begin(processCPU)
		t := standings.NewTally(protocols.ByWins)
		for _, s := range list {
			t.Add(s)
		}
		t.Standings(nil)
		costs = append(costs, start.each(1))
	}
	return median(costs).cpu, nil
}

// summaries calls a function with the records of a file.
func summaries(path string, each func(*record.Summary)) error {
	in, err := record.Open(path)
	if err != nil {
		return err
	}
	_, err = record.Summaries(path, in, runtime.GOMAXPROCS(0), func(s *record.Summary) error {
		each(s)
		return nil
	})
	return errors.Join(err, in.Close())
}

// tally returns the CPU time that the records of a file take until the bots are ranked.
func (b *bench) tally(path string) (time.Duration, error) {
	var costs []cost
	for range b.rounds {
		start := begin(processCPU)
		t := standings.NewTally(protocols.ByWins)
		if err := summaries(path, func(s *record.Summary) { t.Add(s) }); err != nil {
			return 0, err
		}
		t.Standings(nil)
		if t.Matches != manyRecords {
			return 0, fmt.Errorf("found %d matches, expected %d", t.Matches, manyRecords)
		}
		costs = append(costs, start.each(1))
	}
	return median(costs).cpu, nil
}

// lookup returns the CPU time that a search for the id of one record takes.
func lookup(path string) (time.Duration, error) {
	var costs []cost
	for n := range 5 {
		start := begin(processCPU)
		in, err := record.Open(path)
		if err != nil {
			return 0, err
		}
		search := record.Search{Name: matchID(n * manyRecords / 5), Where: path}
		for line, lerr := range record.WithID(record.Lines(path, in), search.Name) {
			err = errors.Join(err, lerr)
			search.Add(line)
		}
		lines, serr := search.Lines()
		if err = errors.Join(err, serr, in.Close()); err != nil {
			return 0, err
		}
		if len(lines) != 1 {
			return 0, fmt.Errorf("found %d records with id %s", len(lines), search.Name)
		}
		costs = append(costs, start.each(1))
	}
	return median(costs).cpu, nil
}

// processCPU returns the CPU time of this process.
func processCPU() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func matchID(n int) string { return fmt.Sprintf("%016x", uint64(n)*0x9e3779b97f4a7c15) }

// writeRecords writes records of matches of two seats and eight replies, with
// times as short matches have them.
func writeRecords(path string) error {
	w, err := record.Append(path)
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(1, 2))
	for n := range manyRecords {
		if err := w.Write(someRecord(n, random)); err != nil {
			return errors.Join(err, w.Close())
		}
	}
	return w.Close()
}

func someRecord(n int, random *rand.Rand) record.Record {
	pair := n / 2 // of matches that differ in the order of seats
	us := func(most int64) int64 { return random.Int64N(1 + random.Int64N(most)) }
	r := record.Record{
		V: record.Version, ID: matchID(n), Game: "ping", Umpire: "0.1.0", Started: time.Unix(int64(n/100), 0).UTC().Format("2006-01-02T15:04:05.000Z"),
		WallUS: us(20_000), Isolation: "none", Repetition: 1 + pair/25/19,
		Case:   record.Case{Name: fmt.Sprintf("official/%02d", pair%25), Group: "official", Points: 4, Text: fmt.Sprintf("4 4 4 %d 2 2 2", pair%25)},
		Limits: record.NewLimits(protocols.Limits{Time: time.Second, Memory: 256 << 20}, ""),
	}
	for seat := range 2 {
		bot := pair/25%19 + (n+seat)%2*20
		r.Seats = append(r.Seats, record.Seat{
			Bot: fmt.Sprintf("bot-%d", bot), Digest: fmt.Sprintf("%032x", uint64(bot)*0x9e3779b97f4a7c15), Verdict: "ok", Score: protocols.Points(random.IntN(21)), Place: 1 + (n+seat)%2,
			WallUS: us(5000), CPUUS: us(5000), ChargedUS: us(5000), PeakBytes: 8_400_000 + 4096*us(10), Replies: 4,
		})
	}
	for i := range 8 {
		reply := fmt.Sprint(1 + random.IntN(7))
		r.Events = append(r.Events, record.Event{Seat: 1 + i%2, Reply: &reply, WallUS: us(300), CPUUS: us(100), WaitUS: us(3)})
	}
	return r
}
