//go:build linux

package tournament

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
	"umpire/referee/cases"
	"umpire/referee/contestant"
	"umpire/referee/contestant/sandbox"
	"umpire/referee/record"
)

// brokenCase is a case whose matches can't be started, or not be ended.
type brokenCase struct {
	protocols.Case
	inStart bool
}

func (c brokenCase) Start(seats int) protocols.Match {
	if c.inStart {
		panic("no such board")
	}
	return brokenMatch{c.Case.Start(seats)}
}

type brokenMatch struct{ protocols.Match }

func (brokenMatch) Result() []protocols.Outcome { panic("no such result") }

// toyRun is a runner of a toy game with a bot that knows one answer, and three
// cases for it.
func toyRun(t *testing.T) (Runner, []Fixture) {
	game := protocoltest.Sum()
	launcher, err := sandbox.NewNone()
	if err != nil {
		t.Fatal(err)
	}
	bot := contestant.Bot{Name: "six", Path: "/bin/sh", Args: []string{"sh", "-c", "echo 6"}}
	run := Runner{Game: game, Launcher: launcher, Jobs: 2, Limits: func(protocols.Case, int) protocols.Limits { return protocols.Limits{} }}
	var list []Fixture
	for range 3 {
		c, err := game.Parse("3\n1 2 3")
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, Fixture{Case: cases.Case{Name: "x", Case: c}, Bots: []contestant.Bot{bot}, Repetition: 1})
	}
	return run, list
}

// A defect in one match is an error in its record; the others are played.
func TestDefectCostsOneMatch(t *testing.T) {
	run, list := toyRun(t)
	list[0].Case.Case = brokenCase{list[0].Case.Case, true}
	list[1].Case.Case = brokenCase{list[1].Case.Case, false}
	records := make([]record.Record, len(list))
	err := run.Run(t.Context(), slices.Values(list), func(n int, r record.Record) error {
		records[n] = r
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"defect of umpire: no such board\n", "defect of umpire: no such result\n"} {
		if !strings.HasPrefix(records[i].Error, want) || records[i].Seats[0].Verdict != "" {
			t.Errorf("record %d: found error %q and verdict %q", i, records[i].Error, records[i].Seats[0].Verdict)
		}
	}
	if r := records[2]; r.Error != "" || r.Seats[0].Verdict != "ok" {
		t.Errorf("the sound match: found error %q, verdict %q", r.Error, r.Seats[0].Verdict)
	}
}

// A defect in what is done with records, or in the schedule, ends the run with
// an error, and no job waits for another.
func TestDefectAroundMatches(t *testing.T) {
	run, list := toyRun(t)
	err := run.Run(t.Context(), slices.Values(list), func(int, record.Record) error { panic("no such column") })
	if err == nil || !strings.HasPrefix(err.Error(), "defect of umpire: no such column\n") {
		t.Errorf("found %v", err)
	}
	err = run.Run(t.Context(), func(func(Fixture) bool) { panic("no such round") }, func(int, record.Record) error {
		return errors.New("nothing was to be played")
	})
	if err == nil || !strings.HasPrefix(err.Error(), "defect of umpire: no such round\n") {
		t.Errorf("found %v", err)
	}
}
