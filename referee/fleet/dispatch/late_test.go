package dispatch

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"umpire/referee/arena"
	"umpire/referee/fleet"
	"umpire/referee/program"
)

// TestLacking: matches that no worker has the languages of are given up after a time, which does not
// begin before there are any, nor while a worker has them.
func TestLacking(t *testing.T) {
	for _, idle := range []int{0, 20} {
		w := plainWorld(t, 0)
		w.dispatcher.config.Packages = map[string]*program.Package{"6": {Lack: "no compiler", Needs: []program.Ability{{Key: key, Text: key}}}}
		joins(w.dispatcher, "unable", "unable", "", w.now)
		w.lasts(idle, "unable")
		w.schedule.add(w.now, NewMatch(0, limited(1, time.Second)[0]))
		w.lasts(5, "unable")
		w.dispatcher.Hello("able", fleet.Origin{}, fleet.Hello{Protocol: fleet.Protocol, Name: "able", Version: "test", Slots: 1, Abilities: []string{key}}, w.now)
		w.lasts(20, "unable", "able")
		w.dispatcher.Hear("able", fleet.Beat{Leaving: true}, w.now)
		w.lasts(5, "unable")
		if over := w.schedule.TakeOver(); len(over) > 0 {
			t.Errorf("found %+v, expected that the match waits", over)
		}
		w.lasts(5, "unable")
		if over := w.schedule.TakeOver(); len(over) != 1 || !strings.Contains(over[0].Record.Error, "no compiler") {
			t.Errorf("found %+v, expected that the match is given up as there is no compiler", over)
		}
	}
}

// TestStarved: the last job of a Run is given to a second worker when it is late and a slot has
// nothing else to do, and not before.
func TestStarved(t *testing.T) {
	w := plainWorld(t, 1)
	w.schedule.EndEntries(w.now)
	joins(w.dispatcher, "slow", "slow", "", w.now)
	joins(w.dispatcher, "busy", "busy", "", w.now)
	w.gets("slow")
	w.lasts(30, "slow", "busy")
	if w.schedule.waiting > 0 {
		t.Error("a late job waits for a second worker, though no slot does for a job")
	}
	if gives := w.asks("busy"); len(gives) > 0 {
		t.Errorf("found %+v, expected nothing yet", gives)
	}
	w.lasts(1, "slow", "busy")
	if gives := w.dispatcher.Decide(w.now).Gives; len(gives) != 1 || gives[0].Worker != "busy" {
		t.Errorf("found %+v, expected the late job for the slot that waits", gives)
	}
}

// TestSecondsSaid: which late jobs are given to a second worker is said in a line a tick.
func TestSecondsSaid(t *testing.T) {
	for n, want := range map[int]string{
		1: "umpire: the run waits for 1 match: given to worker b0 as well\n", 20: "umpire: the run waits for 20 matches: given to 20 workers as well\n",
	} {
		w := plainWorld(t, n)
		w.schedule.EndEntries(w.now)
		w.dispatcher.Hello("a", fleet.Origin{}, fleet.Hello{Protocol: fleet.Protocol, Name: "a", Version: "test", Slots: n}, w.now)
		for slot := range n {
			w.dispatcher.Take("a", fleet.Take{Slot: slot}, "a", w.now)
		}
		for _, give := range w.dispatcher.Decide(w.now).Gives {
			w.schedule.again(w.schedule.jobs[give.ID], w.now)
		}
		for i := range n {
			joins(w.dispatcher, fmt.Sprint("b", i), fmt.Sprint("b", i), "", w.now)
			w.dispatcher.Take(fmt.Sprint("b", i), fleet.Take{}, "b", w.now)
		}
		w.dispatcher.Decide(w.now)
		w.schedule.Tick(w.now)
		w.schedule.Tick(w.now)
		if notes := w.dispatcher.Decide(w.now).Notes; !slices.Equal(notes, []string{want}) {
			t.Errorf("found %q, expected %q", notes, want)
		}
	}
}

// TestCanPlay: workers can play what can travel, all programs if they have them already, and the
// coordinator's own also the others.
func TestCanPlay(t *testing.T) {
	d, now := aDispatcher("own"), time.Unix(1e9, 0)
	can := func() bool { return d.CanPlay("6") }
	if can() {
		t.Error("a program can be played where no worker is")
	}
	joins(d, "a", "a", "", now)
	if !can() {
		t.Error("a program can't be played that all have")
	}
	if d.config.Packages = map[string]*program.Package{}; can() {
		t.Error("a program can be played that can't travel")
	}
	if joins(d, "own", "own", "", now); !can() {
		t.Error("a program can't be played here")
	}
	n := d.config.needsOf(arena.Fixture{Seats: []arena.Seat{{Digest: "6"}, {Digest: "6"}}})
	if got := n.String(); got != here.Text {
		t.Errorf("found %q", got)
	}
}
