//go:build linux

package contestant_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/program"
	"umpire/referee/testlevel"
)

// slow begins the names of the behaviours that are honest but slow.
const slow = "slow_"

// delay is how long the honest and slow think, in milliseconds: several looks
// at a contestant fall into it.
const delay = "150"

// honest makes the bots that are not to be called idle: the slow ones in C, some
// of them behind a shell or between pipes, and some in Python.
func (a *arena) honest(t *testing.T) []program.Bot {
	t.Helper()
	var bots []program.Bot
	for _, b := range a.behaviours(t) {
		if strings.HasPrefix(b, slow) {
			bots = append(bots, a.native(b, delay))
		}
	}
	for name, script := range map[string]string{
		"behind a shell": `"$0" slow_sleep ` + delay + `; exit`,
		"between pipes":  `cat | "$0" slow_sleep ` + delay + ` | cat`,
		"in a shell":     `while read -r line; do sleep 0.` + delay + `; echo done; done`,
		"shell children": `while read -r line; do (sleep 0.` + delay + `; echo done) & wait; done`,
	} {
		bots = append(bots, program.Bot{Name: name, Path: "/bin/sh", Args: []string{"sh", "-c", script, a.path}})
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Log("python3 is not installed: without its bots")
		return bots
	}
	sources, err := filepath.Glob("testdata/slow_*.py")
	if err != nil || len(sources) == 0 {
		t.Fatalf("found no slow bots in Python: %v", err)
	}
	for _, s := range sources {
		bots = append(bots, program.Bot{Name: s, Path: python, Args: []string{"python3", s, delay}})
	}
	return bots
}

// TestSlowIsNotIdle asks slow but honest contestants, all at once, while all
// processors are busy. The environment variable IDLE_ASKS says how often each
// is asked; a long run is 200 or more.
func TestSlowIsNotIdle(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	a := newArena(t)
	defer a.nothingLeft(t)()
	asks := testlevel.Times(2, 2, 6, 20)
	if n, err := strconv.Atoi(os.Getenv("IDLE_ASKS")); err == nil {
		asks = n
	}
	bots := a.honest(t)
	unload := a.load(t)
	defer unload()
	var group sync.WaitGroup
	var mu sync.Mutex
	answered := 0
	for i, bot := range bots {
		group.Go(func() {
			n, err := a.ask(t, bot, asks, fmt.Sprintf("HONEST=%d", i))
			if err != nil {
				t.Errorf("%s: %v", bot.Name, err)
			}
			mu.Lock()
			defer mu.Unlock()
			answered += n
		})
	}
	group.Wait()
	t.Logf("%d contestants gave %d replies, and none was called idle", len(bots), answered)
}

// ask starts a bot, asks it so many times, and returns how often it replied as
// it should.
func (a *arena) ask(t *testing.T, bot program.Bot, asks int, mark string) (n int, err error) {
	t.Helper()
	defer locked()()
	c, err := a.started(bot, 1, mark)
	if err != nil {
		return 0, err
	}
	defer func() {
		c.Stop()
		if n := left(mark); n > 0 {
			t.Errorf("%s: left %d processes behind", bot.Name, n)
		}
	}()
	for n < asks {
		c.Send("go on")
		reply, err := c.Receive(t.Context(), referee.Ask{Told: true, Limit: 10 * time.Minute})
		if err == nil && reply.Text != "done" {
			err = fmt.Errorf("replied %q", reply.Text)
		}
		if err != nil {
			return n, fmt.Errorf("ask %d: %w", n+1, err)
		}
		n++
	}
	return n, nil
}

// TestIdleIsFound logs how soon contestants that wait for ever are found. How
// long that takes depends on what else the machine does, so it is not tested.
func TestIdleIsFound(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	a := newArena(t)
	defer a.nothingLeft(t)()
	bots := []program.Bot{
		a.native("forgets_to_flush", "1"), a.native("reads_for_ever"), a.native("polls_for_ever"), a.native("stops_itself"),
		{Name: "behind a shell", Path: "/bin/sh", Args: []string{"sh", "-c", `"$0" reads_for_ever; exit`, a.path}},
	}
	if _, err := exec.LookPath("python3"); err == nil {
		bots = append(bots, source("unflushed.py")(t, a))
	}
	for _, bot := range bots {
		t.Run(bot.Name, func(t *testing.T) {
			var took []time.Duration
			for range 3 {
				d, err := a.untilIdle(t, bot)
				if err != nil {
					t.Fatal(err)
				}
				took = append(took, d)
			}
			slices.Sort(took)
			t.Logf("found after %v (median), %v (worst of %d)", took[len(took)/2], took[len(took)-1], len(took))
		})
	}
}

func (a *arena) untilIdle(t *testing.T, bot program.Bot) (time.Duration, error) {
	t.Helper()
	defer locked()()
	c, err := a.started(bot, 1, "IDLE=1")
	if err != nil {
		return 0, err
	}
	defer c.Stop()
	since := time.Now()
	c.Send("go on")
	_, err = c.Receive(t.Context(), referee.Ask{Told: true, Limit: 10 * time.Minute})
	if failure, ok := err.(*protocols.Failure); !ok || failure.Kind != protocols.KindIdle {
		return 0, fmt.Errorf("got %v, want idle", err)
	}
	return time.Since(since), nil
}
