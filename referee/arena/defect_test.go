//go:build linux

package arena

import (
	"slices"
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
	"umpire/referee"
	"umpire/referee/program"
	"umpire/referee/record"
	"umpire/referee/sandbox"
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

// toyRun is a runner of a toy game with a bot that knows one answer, and four
// cases for it, of which three are broken.
func toyRun(t *testing.T) (*Local, []Fixture) {
	game := protocoltest.Sum()
	parse := game.Parse
	game.Parse = func(text string) (protocols.Case, error) {
		text, broken, _ := strings.Cut(text, "#")
		if broken == "parse" {
			panic("no such line")
		}
		c, err := parse(text)
		if broken != "" && err == nil {
			c = brokenCase{c, broken == "start"}
		}
		return c, err
	}
	launcher, err := sandbox.NewNone()
	if err != nil {
		t.Fatal(err)
	}
	bot := Program{Launcher: launcher, Bot: program.Bot{Name: "six", Digest: "6", Path: "/bin/sh", Args: []string{"sh", "-c", "echo 6"}}}
	run := &Local{Games: []protocols.Game{game}, Players: []referee.Player{bot}, Jobs: 2}
	var list []Fixture
	for _, broken := range []string{"#start", "#end", "#parse", ""} {
		list = append(list, Fixture{
			Game: game.Name, Case: record.Case{Name: "x", Text: "3\n1 2 3" + broken}, Limits: record.NewLimits(protocols.Limits{}, ""),
			Seats: []Seat{{Bot: "six", Digest: "6"}}, Repetition: 1,
		})
	}
	return run, list
}

// playOne plays one fixture.
func playOne(t *testing.T, run Runner, f Fixture) (played record.Record) {
	t.Helper()
	err := run.Run(t.Context(), slices.Values([]Fixture{f}), func(_ int, r record.Record) error {
		played = r
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return played
}

// A defect in one match is an error in its record; the others are played.
func TestDefectCostsOneMatch(t *testing.T) {
	run, list := toyRun(t)
	records := make([]record.Record, len(list))
	err := run.Run(t.Context(), slices.Values(list), func(n int, r record.Record) error {
		records[n] = r
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"defect of umpire: no such board\n", "defect of umpire: no such result\n", "defect of umpire: no such line\n"} {
		if !strings.HasPrefix(records[i].Error, want) || records[i].Seats[0].Verdict != "" {
			t.Errorf("record %d: found error %q and verdict %q", i, records[i].Error, records[i].Seats[0].Verdict)
		}
	}
	if r := records[3]; r.Error != "" || r.Seats[0].Verdict != "ok" {
		t.Errorf("the sound match: found error %q, verdict %q", r.Error, r.Seats[0].Verdict)
	}
}
