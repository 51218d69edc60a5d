//go:build linux

package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"iter"
	"math"
	"path/filepath"
	"slices"

	"umpire/protocols"
	"umpire/protocols/catalog"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/cases"
	"umpire/referee/record"
	"umpire/referee/tournament"
)

// drawn is an arena.Runner that plays nothing: it draws each result by the
// strengths of the bots, in Elo, and from the match's id, so that it is always
// the same.
type drawn struct {
	strength map[string]float64 // by the bot's name
	noise    string             // makes other results of the same matches
}

// Run implements arena.Runner.
func (d drawn) Run(ctx context.Context, fixtures iter.Seq[arena.Fixture], done func(n int, r record.Record) error) error {
	n := 0
	for f := range fixtures {
		if err := ctx.Err(); err != nil {
			return err
		}
		r := f.Record()
		d.decide(&r)
		if err := done(n, r); err != nil {
			return err
		}
		n++
	}
	return nil
}

// decide enters the result of a match into its record.
func (d drawn) decide(r *record.Record) {
	sum := sha256.Sum256([]byte(d.noise + r.ID))
	chance := expected(d.strength[r.Seats[0].Bot] - d.strength[r.Seats[1].Bot])
	winner := 1
	if float64(binary.BigEndian.Uint64(sum[:]))/math.MaxUint64 < chance {
		winner = 0
	}
	for i := range r.Seats {
		r.Seats[i].Verdict, r.Seats[i].Place = "ok", 2
		if i == winner {
			r.Seats[i].Place, r.Seats[i].Score = 1, protocols.Points(1)
		}
	}
}

// expected returns the chance to win against a bot that is so many points of Elo
// weaker.
func expected(difference float64) float64 { return 1 / (1 + math.Pow(10, -difference/400)) }

// bots are so many, each with its own name and digest.
func bots(n int) []referee.Identity {
	list := make([]referee.Identity, n)
	for i := range list {
		name := fmt.Sprintf("bot%05d", i)
		sum := sha256.Sum256([]byte(name))
		list[i] = referee.Identity{Name: name, Label: "./" + name, Digest: hex.EncodeToString(sum[:])}
	}
	return list
}

// enough returns how many bots have so many matches, in both orders on each case.
func enough(matches, cases int) int {
	n := 2
	for n*(n-1)*cases < matches {
		n++
	}
	return n
}

// game is the first one for two.
func game() (protocols.Game, error) {
	games := catalog.Games()
	i := slices.IndexFunc(games, func(g protocols.Game) bool { return g.MinSeats == 2 && g.MaxSeats == 2 })
	if i < 0 {
		return protocols.Game{}, fmt.Errorf("no game is for two")
	}
	return games[i], nil
}

// contest makes a run of drawn matches on generated cases, with its results in a
// folder.
func contest(dir string, plan tournament.Plan, list []referee.Identity, n int, runner arena.Runner) (*tournament.Run, *record.Writer, error) {
	g, err := game()
	if err != nil {
		return nil, nil, err
	}
	info := tournament.Info{Game: g.Name, Format: plan.Format, Seats: 2}
	config := tournament.Config{Game: g.Name, Format: plan.Format, Seats: &plan.Seats, Isolation: "none"}
	var texts []string
	var fixtures []arena.Fixture
	for i := range n {
		c, err := cases.Generate(g, "", 1, i+1)
		if err != nil {
			return nil, nil, err
		}
		f := arena.Fixture{Game: g.Name, Case: c.Record(), Limits: record.NewLimits(c.Limits(2), ""), Isolation: "none"}
		fixtures, texts, info.Cases = append(fixtures, f), append(texts, f.Case.Text), append(info.Cases, c.Name)
	}
	for _, b := range list {
		info.Bots = append(info.Bots, tournament.InfoBot{Name: b.Name, Label: b.Label, Digest: b.Digest})
		config.Bots = append(config.Bots, tournament.Entrant{Name: b.Name, Command: b.Label})
	}
	plan.Plays, plan.Rank = tournament.Plays(texts, 0, 1), g.Rank
	if plan.Rounds > 0 {
		config.Rounds = &plan.Rounds
	}
	if err := plan.Check(); err != nil {
		return nil, nil, err
	}
	w, err := record.Append(filepath.Join(dir, record.ResultsFile))
	if err == nil {
		err = tournament.Describe(dir, config, nil, info)
	}
	if err != nil {
		return nil, nil, err
	}
	run := tournament.NewRun(plan, list, fixtures)
	run.Runner, run.Store = runner, w.WriteLine
	return run, w, nil
}
