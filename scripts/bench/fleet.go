//go:build linux

package main

import (
	"bytes"
	"context"
	"crypto/rand"
	_ "embed"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"umpire/protocols/catalog"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/record"
)

//go:embed programs/instant.c
var instantSource []byte

// Row (k) plays tournaments of this many matches of the first game. The first ones are not
// measured: the workers get ready meanwhile.
const (
	fleetMatches = 4000
	fleetReady   = fleetMatches * 2 / 5
	fleetEnd     = fleetMatches - 100
)

// tournamentTime bounds how long a tournament takes.
const tournamentTime = 2 * time.Minute

// fleetWays are the ways to play a tournament that row (k) compares with the
// first one.
var fleetWays = []struct {
	name    string
	flags   []string
	workers int
}{
	{"--jobs 2", []string{"--jobs", "2"}, 0},
	{"--jobs 2 --listen", []string{"--jobs", "2", "--listen", "127.0.0.1:0"}, 0},
	{"--jobs 0 --listen, two workers --jobs 1", []string{"--jobs", "0"}, 2},
}

// fleet measures row (k).
func (b *bench) fleet() error {
	if cpus := len(arena.CPUs()); cpus < 2 {
		return fmt.Errorf("row (k): found %d CPU, expected 2", cpus)
	}
	dir, err := os.MkdirTemp("", "umpire-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	umpire := b.umpire
	if umpire == "" {
		umpire = filepath.Join(dir, "umpire")
		if out, err := exec.Command("go", "build", "-o", umpire, "umpire").CombinedOutput(); err != nil {
			return fmt.Errorf("build umpire: %w\n%s", err, out)
		}
	}
	bots, err := instantBots(dir)
	if err != nil {
		return err
	}
	for _, level := range []string{string(referee.LevelNone), "auto"} {
		t := fleetTournament{bench: b, umpire: umpire, dir: dir, bots: bots, level: level}
		costs := make([][]cost, len(fleetWays))
		var bare []cost // of the two spawns of a match
		for range b.rounds {
			start := begin(b.meter.Read)
			for range 10 * batch {
				if err := spawn(bots[0]); err != nil {
					return err
				}
			}
			bare = append(bare, start.each(5*batch))
			for way := range fleetWays {
				c, err := t.play(way)
				if err != nil {
					return fmt.Errorf("%s, isolation %s: %w", fleetWays[way].name, level, err)
				}
				costs[way] = append(costs[way], c)
			}
		}
		local := median(costs[0])
		fmt.Printf("(k) isolation %-5s two bare spawns take %.0f %% of the CPU time of a match with --jobs 2\n", level, 100*ratio(median(bare).cpu, local.cpu))
		for way, list := range costs {
			c := median(list)
			fmt.Printf("(k) isolation %-5s %-40s %5.0f matches a second, CPU %5.0f µs a match: %3.0f %%, by CPU time %3.0f %% (goal 80)\n", level, fleetWays[way].name,
				1/c.wall.Seconds(), us(c.cpu), 100*ratio(local.wall, c.wall), 100*ratio(local.cpu, c.cpu))
		}
	}
	return startUp(umpire)
}

// instantBots compiles two bots that do nothing, with digests of their own.
func instantBots(dir string) (bots []string, err error) {
	for n := range 2 {
		bot := filepath.Join(dir, fmt.Sprintf("instant-%d", n+1))
		if err := compile(bot, instantSource, "-static", fmt.Sprintf("-Wl,--defsym=bot=%d", n)); err != nil {
			return nil, err
		}
		bots = append(bots, bot)
	}
	return bots, nil
}

// startUp prints how long the program takes to start, and its size.
func startUp(umpire string) error {
	var costs []cost
	for range 50 {
		start := begin(processCPU)
		if err := exec.Command(umpire, "version").Run(); err != nil {
			return err
		}
		costs = append(costs, start.each(1))
	}
	info, err := os.Stat(umpire)
	if err != nil {
		return err
	}
	fmt.Printf("(k) start and end of umpire version %5.1f ms; the program has %.1f MB\n\n", median(costs).wall.Seconds()*1e3, float64(info.Size())/1e6)
	return nil
}

// fleetTournament plays a tournament of instant matches in several ways.
type fleetTournament struct {
	*bench
	umpire, dir string
	bots        []string
	level       string // of isolation
}

// play plays it once, and returns what a match costs when all play.
func (t *fleetTournament) play(way int) (c cost, err error) {
	run := filepath.Join(t.dir, "run")
	if err := os.RemoveAll(run); err != nil {
		return c, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), tournamentTime)
	defer cancel()
	flags := slices.Concat([]string{"tournament", catalog.Games()[0].Name}, t.bots, []string{"-n", strconv.Itoa(fleetMatches / 2), "--isolation", t.level, "-o", run, "--quiet"}, fleetWays[way].flags)
	var joining []string
	if fleetWays[way].workers > 0 {
		address, err := freeAddress()
		if err != nil {
			return c, err
		}
		token := filepath.Join(t.dir, "token")
		if err := os.WriteFile(token, []byte(rand.Text()+"\n"), 0o600); err != nil {
			return c, err
		}
		flags = append(flags, "--listen", address, "--token-file", token)
		joining = []string{"worker", "--join", "http://" + address, "--token-file", token, "--jobs", "1", "--isolation", t.level, "--no-pause"}
	}
	group, ctx := errgroup.WithContext(ctx)
	start := func(cpus []int, waits chan struct{}, args ...string) (ready chan struct{}) {
		stderr := &listener{text: []byte("no server at"), heard: make(chan struct{})}
		group.Go(func() error {
			select {
			case <-waits:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
			arena.Pin(cpus) // and with it what it starts
			command := exec.CommandContext(ctx, t.umpire, args...)
			command.Stderr = stderr
			if err := command.Run(); err != nil {
				return fmt.Errorf("umpire %s: %w\n%s", args[0], err, stderr.said.Bytes())
			}
			return nil
		})
		return stderr.heard
	}
	// Workers look at first which languages they have, which takes a while.
	ready := make(chan struct{})
	close(ready) // the first waits for nothing
	for n := range fleetWays[way].workers {
		ready = start(arena.CPUs()[n:n+1], ready, joining...)
	}
	start(nil, ready, flags...)
	group.Go(func() error {
		var err error
		c, err = t.watch(ctx, filepath.Join(run, record.ResultsFile))
		return err
	})
	return c, group.Wait()
}

// listener keeps what a program says, and notices a text in it.
type listener struct {
	said  bytes.Buffer
	text  []byte
	heard chan struct{} // closed when it has been said
}

func (l *listener) Write(said []byte) (int, error) {
	before := bytes.Contains(l.said.Bytes(), l.text)
	n, err := l.said.Write(said)
	if !before && bytes.Contains(l.said.Bytes(), l.text) {
		close(l.heard)
	}
	return n, err
}

// watch follows the results of a tournament, and returns what a match costs
// from the first ones to the last ones.
func (t *fleetTournament) watch(ctx context.Context, results string) (c cost, err error) {
	var f *os.File
	defer func() { f.Close() }()
	var start reading
	buf := make([]byte, 1<<20)
	for matches, first := 0, 0; ; time.Sleep(5 * time.Millisecond) {
		if ctx.Err() != nil {
			return c, context.Cause(ctx)
		}
		if f == nil {
			f, _ = os.Open(results)
			continue
		}
		n, err := f.Read(buf)
		if err != nil && err != io.EOF {
			return c, err
		}
		matches += bytes.Count(buf[:n], []byte{'\n'})
		switch {
		case first == 0 && matches >= fleetReady:
			first, start = matches, begin(t.meter.Read)
		case matches >= fleetEnd:
			return start.each(matches - first), nil
		}
	}
}

// freeAddress returns an address of this machine at which nobody listens.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}
