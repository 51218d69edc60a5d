//go:build linux

package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"umpire/protocols"
	"umpire/protocols/catalog"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/fleet/broker"
	"umpire/referee/fleet/coordinator"
	"umpire/referee/fleet/dispatch"
	"umpire/referee/fleet/worker"
	"umpire/referee/procfs"
	"umpire/referee/tournament"
)

// instant is a bot inside umpire's process whose first reply, a foul, ends the
// match: what is measured is the fleet.
type instant struct{ identity referee.Identity }

func (i instant) Identity() referee.Identity                                       { return i.identity }
func (i instant) Sit(context.Context, referee.Seating) (referee.Contestant, error) { return i, nil }
func (instant) Send(string)                                                        {}
func (instant) CloseInput()                                                        {}
func (instant) Stop() referee.Usage                                                { return referee.Usage{} }
func (instant) Receive(context.Context, referee.Ask) (referee.Reply, error) {
	return referee.Reply{Text: "none"}, nil
}

const noVersion = "scale" // umpire's, in the records

// fleetRun plays a round robin on workers, each a process of its own, over the
// embedded NATS server, and shows what grows with the matches.
func fleetRun(args []string) error {
	flags := flag.NewFlagSet("fleet", flag.ExitOnError)
	matches := flags.Int("matches", 1_000_000, "how many matches there are at least")
	plays := flags.Int("cases", 10, "cases of a pair, each played in both orders")
	workers := flags.Int("workers", 1, "processes that play")
	slots := flags.Int("slots", 2, "matches that each plays at a time")
	join := flags.String("join", "", "be a worker of the run at `URL`, whose secret is in UMPIRE_SCALE_TOKEN")
	of := flags.String("of", "", "with -join: of umpire's own run in folder `DIR`")
	_ = flags.Parse(args)
	n := enough(*matches, *plays)
	switch {
	case *of != "":
		return workFor(*of, *join, *slots)
	case *join != "":
		return scaleWorker(*join, noVersion, string(referee.LevelNone), *slots, bots(n))
	}
	return coordinate(nil, func(c *coordinator.Coordinator, dir string, join joining) error {
		started, err := join.start(*workers, "fleet", args)
		if err != nil {
			return err
		}
		run, w, err := contest(dir, tournament.Plan{Format: tournament.RoundRobin, Bots: n, Seats: 2}, bots(n), *plays, c)
		if err != nil {
			return err
		}
		look := growth{dir: filepath.Join(dir, "fleet"), worker: started[0], last: time.Now()}
		run.Done = look.done
		err = errors.Join(run.Play(context.Background()), w.Close())
		look.print()
		return err
	})
}

// joining is how workers reach a coordinator.
type joining struct{ url, token string }

// coordinate calls a function with a coordinator that listens, and its folder.
func coordinate(note func(string, ...any), run func(c *coordinator.Coordinator, dir string, join joining) error) error {
	dir, err := os.MkdirTemp("", "umpire-scale-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	g, err := game()
	if err != nil {
		return err
	}
	server, err := broker.Start(filepath.Join(dir, "fleet"), "", nil, nil)
	if err != nil {
		return err
	}
	defer server.Close()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go func() { _ = http.Serve(l, server.Handler()) }()
	defer l.Close()
	c, err := coordinator.Open(context.Background(), coordinator.Config{
		Server: server, Dispatch: dispatch.Config{Version: noVersion}, Games: []protocols.Game{g}, Note: note,
	})
	if err != nil {
		return err
	}
	defer c.Close(true)
	return run(c, dir, joining{"http://" + l.Addr().String(), server.Token})
}

// start starts workers by a command of this program, which end with this process, and
// returns the id of each.
func (j joining) start(n int, command string, args []string) (ids []int, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	for range n {
		cmd := exec.Command(self, append([]string{command, "-join", j.url}, args...)...)
		cmd.Env, cmd.Stderr = append(os.Environ(), "UMPIRE_SCALE_TOKEN="+j.token), os.Stderr
		cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		if err := cmd.Start(); err != nil {
			return nil, err
		}
		go func() { _ = cmd.Wait() }()
		ids = append(ids, cmd.Process.Pid)
	}
	return ids, nil
}

// workFor is a worker of a run of umpire's in a folder, in place of whose bots
// it has instant ones.
func workFor(dir, url string, slots int) error {
	past, err := tournament.ReadPast(dir)
	if err != nil {
		return err
	}
	var list []referee.Identity
	for _, b := range past.Info.Bots {
		list = append(list, referee.Identity{Name: b.Name, Digest: b.Digest})
	}
	last := past.Info.Runs[len(past.Info.Runs)-1]
	return scaleWorker(url, last.Umpire, last.Isolation, slots, list)
}

// scaleWorker is a worker whose players are all in its process.
func scaleWorker(url, version, isolation string, slots int, list []referee.Identity) error {
	w := worker.Worker{URL: url, Token: os.Getenv("UMPIRE_SCALE_TOKEN"), NoPause: true, Patience: time.Minute}
	w.Local = arena.Local{Games: catalog.Games(), Isolation: isolation, Umpire: version, Jobs: slots}
	for _, one := range list {
		w.Local.Players = append(w.Local.Players, instant{one})
	}
	return w.Run(context.Background(), context.Background())
}

// growth shows what the processes of a fleet take as the matches are played.
type growth struct {
	dir    string    // of the server
	worker int       // its process
	last   time.Time // when a line was shown, or the first match began
	n      int
}

// growthEvery is after how many matches a line is shown.
const growthEvery = 100_000

func (g *growth) done() {
	if g.n++; g.n%growthEvery == 0 {
		g.print()
	}
}

func (g *growth) print() {
	now := time.Now()
	part := cmp.Or(g.n%growthEvery, growthEvery)
	fmt.Printf("%8d matches, %5.0f a second; resident: coordinator %4d MB, worker %3d MB; stored by the server: %4.1f MB\n",
		g.n, float64(part)/now.Sub(g.last).Seconds(), resident("self"), resident(fmt.Sprint(g.worker)), float64(size(g.dir))/1e6)
	g.last = now
}

// resident returns the memory of a process in megabytes.
func resident(pid string) int64 {
	var buf [4096]byte
	return procfs.Kibibytes(procfs.Read("/proc/"+pid+"/status", buf[:]), "VmRSS:") / 1e6
}

// size adds up the files of a folder, some of which may just be removed.
func size(dir string) (sum int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if info, err := d.Info(); err == nil && !d.IsDir() {
			sum += info.Size()
		}
		return nil
	})
	return sum
}
