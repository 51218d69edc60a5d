//go:build linux

package main

import (
	"fmt"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"umpire/referee"
	"umpire/referee/procfs"
	"umpire/referee/sandbox"
)

// batch is how many contestants, or matches, are measured at once.
const batch = 100

// contestantCost is the cost of one contestant, from the decision to start it
// until nothing of it is left.
type contestantCost struct {
	start, end cost // end is all after Start has returned, removal included
	kernel     time.Duration
}

func (c contestantCost) total() cost {
	return cost{wall: c.start.wall + c.end.wall, cpu: c.start.cpu + c.end.cpu}
}

// levelCosts are a level's measurements, one for each round.
type levelCosts struct {
	bench
	alone         []contestantCost
	match, match2 []cost // of one match, with one job and with two
	paused        []time.Duration
}

// Between two starts of paused there is as much time as real matches take.
const (
	pause       = 25 * time.Millisecond
	pausedBatch = 40
)

// levels measures row (h): the levels that the machine has.
func (b *bench) levels() error {
	var all []*levelCosts
	for _, level := range referee.Levels() {
		l, err := sandbox.New(level)
		if err != nil {
			fmt.Printf("(h) %s: %v\n", level, err)
			continue
		}
		lc := &levelCosts{bench: *b}
		lc.launcher = l
		all = append(all, lc)
	}
	var bare []contestantCost
	for range b.rounds {
		c, err := b.bare()
		if err != nil {
			return err
		}
		bare = append(bare, c)
		for _, l := range all {
			if err := l.round(); err != nil {
				return fmt.Errorf("level %s: %w", l.launcher.Level(), err)
			}
		}
	}
	printLevels(bare, all)
	return nil
}

// round measures each figure of a level once.
func (l *levelCosts) round() error {
	c, err := l.oneByOne()
	if err != nil {
		return err
	}
	l.alone = append(l.alone, c)
	if err := l.startsAfterPauses(); err != nil {
		return err
	}
	for jobs, to := range map[int]*[]cost{1: &l.match, 2: &l.match2} {
		start := begin(l.meter.Read)
		if err := l.tournament(jobs, batch, nil); err != nil {
			return err
		}
		*to = append(*to, start.each(batch))
	}
	return nil
}

// bare measures ForkExec and Wait4.
func (b *bench) bare() (c contestantCost, err error) {
	kernel, start := kernelThreads(), begin(b.meter.Read)
	for range batch {
		if err := spawn(b.pair, "echo"); err != nil {
			return c, err
		}
	}
	c.start = start.each(batch)
	c.kernel = (kernelThreads() - kernel) / batch
	return c, nil
}

// oneByOne measures contestants of which only one runs at a time.
func (b *bench) oneByOne() (c contestantCost, err error) {
	kernel := kernelThreads()
	var starts, ends []cost
	for range batch {
		starting := begin(b.meter.Read)
		p, err := b.start()
		if err != nil {
			return c, err
		}
		starts = append(starts, starting.each(1))
		ending := begin(b.meter.Read)
		if err := end(p); err != nil {
			return c, err
		}
		ends = append(ends, ending.each(1))
	}
	c.start, c.end = mean(starts), mean(ends)
	c.kernel = (kernelThreads() - kernel) / batch
	return c, nil
}

// startsAfterPauses measures starts as they are where matches take their time.
func (l *levelCosts) startsAfterPauses() error {
	for range pausedBatch {
		time.Sleep(pause)
		start := time.Now()
		p, err := l.start()
		if err != nil {
			return err
		}
		l.paused = append(l.paused, time.Since(start))
		if err := end(p); err != nil {
			return err
		}
	}
	return nil
}

// start starts a contestant that ends at once.
func (b *bench) start() (sandbox.Process, error) {
	null, err := unix.Open("/dev/null", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(null)
	command := b.bot("echo").Command(b.launcher.Level(), limits, nil)
	command.Dir, command.Stdin, command.Stdout, command.Stderr = "/", null, null, null
	return b.launcher.Start(command)
}

func end(p sandbox.Process) error {
	if exit := p.Wait(); exit.Status != 0 || exit.Err != nil {
		return fmt.Errorf("contestant failed: %+v", exit)
	}
	return nil
}

func mean(costs []cost) (sum cost) {
	for _, c := range costs {
		sum.wall += c.wall
		sum.cpu += c.cpu
	}
	n := time.Duration(len(costs))
	return cost{sum.wall / n, sum.cpu / n}
}

// printLevels prints medians, and medians of each round's ratio to its baseline.
func printLevels(bare []contestantCost, all []*levelCosts) {
	total := contestantCost.total
	base := median(over(bare, total))
	fmt.Printf("(h) a contestant alone, µs; CPU is that of umpire, its helpers and the program, kernel what\n")
	fmt.Printf("    the kernel's own threads used meanwhile, for the machine's other programs too\n")
	fmt.Printf("%7s %23s %17s %17s %7s %14s\n", "", "total: wall     CPU", "start: wall  CPU", "end: wall    CPU", "kernel", "CPU, spawns")
	fmt.Printf("%-8s %14.0f %7.0f %44s\n", "bare", us(base.wall), us(base.cpu), fmt.Sprintf("%.0f", us(kernelMedian(bare))))
	for _, l := range all {
		t := median(over(l.alone, total))
		s := median(over(l.alone, func(c contestantCost) cost { return c.start }))
		e := median(over(l.alone, func(c contestantCost) cost { return c.end }))
		var ratios []float64
		for i, c := range l.alone {
			ratios = append(ratios, ratio(c.total().cpu, bare[i].total().cpu))
		}
		fmt.Printf("%-8s %14.0f %7.0f %9.0f %7.0f %9.0f %7.0f %7.0f %14.2f\n", l.launcher.Level(), us(t.wall), us(t.cpu),
			us(s.wall), us(s.cpu), us(e.wall), us(e.cpu), us(kernelMedian(l.alone)), middle(ratios))
	}
	fmt.Printf("\n(h) a start after a pause of %v, ms\n%8s %8s %8s\n", pause, "", "p50", "p99")
	for _, l := range all {
		slices.Sort(l.paused)
		at := func(percent int) float64 { return us(l.paused[len(l.paused)*percent/100]) / 1000 }
		fmt.Printf("%-8s %8.2f %8.2f\n", l.launcher.Level(), at(50), at(99))
	}
	fmt.Printf("\n(h) matches of 8 plies\n%8s %22s %22s %22s %16s\n", "", "a second, 1 job 2 jobs", "of none's, 1 job 2 jobs", "CPU a match, µs", "2 contestants")
	for _, l := range all {
		none := all[0]
		one, two := median(l.match), median(l.match2)
		fmt.Printf("%-8s %15.0f %6.0f %14.0f %% %4.0f %% %22.0f %16.0f\n", l.launcher.Level(), 1/one.wall.Seconds(), 1/two.wall.Seconds(),
			100*roundRatio(none.match, l.match), 100*roundRatio(none.match2, l.match2), us(one.cpu), 2*us(median(over(l.alone, total)).cpu))
	}
	fmt.Println()
}

// over applies f to each.
func over[T any](list []T, f func(T) cost) (costs []cost) {
	for _, v := range list {
		costs = append(costs, f(v))
	}
	return costs
}

func kernelMedian(list []contestantCost) time.Duration {
	return median(over(list, func(c contestantCost) cost { return cost{cpu: c.kernel} })).cpu
}

// roundRatio is the median of the ratios of wall times, round by round.
func roundRatio(a, b []cost) float64 {
	var ratios []float64
	for i := range a {
		ratios = append(ratios, ratio(a[i].wall, b[i].wall))
	}
	return middle(ratios)
}

// kernelThreads is the CPU time of the kernel's own threads, which take down
// what a contestant had when it is gone: namespaces, groups, mounts.
func kernelThreads() (total time.Duration) {
	pids, _ := procfs.Processes()
	for _, pid := range pids {
		if procfs.Parent(pid) != 2 {
			continue
		}
		var buf [128]byte
		total += time.Duration(procfs.Number(procfs.Read(procfs.Dir(pid)+"/schedstat", buf[:])))
	}
	return total
}
