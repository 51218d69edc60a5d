package sandbox_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/contestant"
	"umpire/referee/program"
	"umpire/referee/record"
	"umpire/referee/sandbox"
)

func init() { sandbox.Play = play }

// cpus are the processors for matches, in an order of this process's own: others play at
// the same time.
var cpus = func() []int {
	list := arena.CPUs()
	rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}()

// play has umpire's own runner play the match, on the processors that a user's gets.
func play(t *testing.T, m sandbox.Match) (p sandbox.Played) {
	t.Helper()
	player := func(name string, c sandbox.Command) arena.Program {
		bot := program.Bot{Name: name, Digest: name, Path: c.Path, Args: c.Args, Env: c.Env, Dir: c.Dir, Read: c.Read}
		return arena.Program{Bot: bot, Launcher: m.Launcher}
	}
	limits := protocols.Limits{Time: m.Limit, Memory: m.Attack.Limits.Memory}
	r := arena.Local{
		Games: []protocols.Game{turns}, Isolation: string(m.Launcher.Level()),
		Players: []referee.Player{attacker{player("attack", m.Attack), m}, player("opponent", m.Opponent)},
		Voided:  func(_ arena.Fixture, why error) { t.Logf("played again: %v", why); p = sandbox.Played{} },
		Watch: func(arena.Fixture) referee.Watcher {
			return referee.Watcher{Event: func(e referee.Event, _ *protocols.Foul, _ protocols.Match) {
				if e.Seat == 1 {
					p.Output = e.Reply
				} else {
					p.Charged += e.Charged
					p.CPU += e.CPU
				}
			}}
		},
	}
	affinity := arena.LoadOf(turns, m.Pondering, 2).Affinity(1, cpus, true)
	r.CPUs, r.Spread = affinity.CPUs, affinity.Spread
	f := arena.Fixture{
		Game: turns.Name, Limits: record.NewLimits(limits, m.Pondering),
		Seats: []arena.Seat{{Bot: "attack", Digest: "attack"}, {Bot: "opponent", Digest: "opponent"}},
	}
	err := r.Run(t.Context(), slices.Values([]arena.Fixture{f}), func(_ int, r record.Record) error {
		p.Error, p.Verdict, p.Opponents = r.Error, r.Seats[0].Verdict, r.Seats[1].Verdict
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// attacker is the player of an attack.
type attacker struct {
	arena.Program
	match sandbox.Match
}

func (a attacker) Sit(ctx context.Context, s referee.Seating) (referee.Contestant, error) {
	sat, err := a.Program.Sit(ctx, s)
	if err != nil || !a.match.Hold && a.match.Patience == 0 {
		return sat, err
	}
	return bounded{sat.(*contestant.Contestant), a.match}, nil
}

// bounded is an attack whose input stays open, or which has less time than its opponent.
type bounded struct {
	*contestant.Contestant
	match sandbox.Match
}

func (b bounded) CloseInput() {
	if !b.match.Hold {
		b.Contestant.CloseInput()
	}
}

func (b bounded) Receive(ctx context.Context, ask referee.Ask) (referee.Reply, error) {
	if b.match.Patience > 0 {
		ask.Limit = b.match.Patience
	}
	return b.Contestant.Receive(ctx, ask)
}

// turns is a game in which seat 2 answers some lines, and seat 1 is asked for all its
// output then.
var turns = protocols.Game{
	Name: "turns", MinSeats: 2, MaxSeats: 2,
	Parse: func(string) (protocols.Case, error) { return turnsCase{}, nil },
}

const opponentsTurns = 5

type turnsCase struct{}

func (turnsCase) String() string              { return "" }
func (turnsCase) Limits(int) protocols.Limits { return protocols.Limits{} }
func (turnsCase) Start(int) protocols.Match   { return new(turnsMatch) }

type turnsMatch struct{ played int }

func (m *turnsMatch) Next() protocols.Step {
	switch {
	case m.played < opponentsTurns:
		return protocols.Step{Send: []protocols.Line{{Seat: 2, Text: "go"}}, Await: []int{2}}
	case m.played == opponentsTurns:
		return protocols.Step{Await: []int{1}, Batch: true}
	}
	return protocols.Step{}
}

func (m *turnsMatch) Reply(int, string) *protocols.Foul { m.played++; return nil }
func (m *turnsMatch) Fail(int, protocols.Failure)       { m.played++ }
func (m *turnsMatch) Result() []protocols.Outcome       { return []protocols.Outcome{{Place: 1}, {Place: 1}} }
func (m *turnsMatch) State() any                        { return struct{}{} }
func (m *turnsMatch) String() string                    { return "" }
