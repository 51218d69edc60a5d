//go:build linux

package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/external"
	"umpire/referee/program"
	"umpire/referee/record"
	"umpire/referee/sandbox"
	"umpire/referee/talk"
)

//go:embed programs/judge.c
var judgeSource []byte

// judge compiles the judge of the game ping; many says that one process plays several
// matches.
func (b *bench) judge(launcher sandbox.Launcher, many bool) (external.Judge, error) {
	path := filepath.Join(filepath.Dir(b.pair), "judge")
	if _, err := os.Stat(path); err != nil {
		if err := os.WriteFile(path+".c", judgeSource, 0o644); err != nil {
			return external.Judge{}, err
		}
		if out, err := exec.Command("cc", "-O2", "-o", path, path+".c").CombinedOutput(); err != nil {
			return external.Judge{}, fmt.Errorf("compile judge.c: %w\n%s", err, out)
		}
	}
	f := &external.Folder{Manifest: external.Manifest{
		Name: pingGame.Name, Facts: talk.Facts{MinSeats: 1, MaxSeats: 2, MaxReplies: 2 * plies}, JudgeTime: 10 * time.Second, ManyMatches: many,
	}}
	return external.Judge{Folder: f, Launcher: launcher, Bot: program.Bot{Name: "judge", Path: path, Args: []string{"judge"}}}, nil
}

// judged measures row (l).
func (b *bench) judged() error {
	var unit, built, turn []cost
	matches := map[string][]cost{}
	for range b.rounds {
		u, err := b.unit()
		if err != nil {
			return err
		}
		t, _, err := b.play(2, false)
		if err != nil {
			return err
		}
		j, _, err := b.play(2, true)
		if err != nil {
			return err
		}
		unit, built, turn = append(unit, u...), append(built, t...), append(turn, j...)
		for name, judges := range map[string]func() (func() arena.Judges, error){
			"built in": func() (func() arena.Judges, error) { return nil, nil },
			"one":      func() (func() arena.Judges, error) { j, err := b.judge(b.launcher, false); return j.Judges, err },
			"many":     func() (func() arena.Judges, error) { j, err := b.judge(b.launcher, true); return j.Judges, err },
		} {
			const n = 300
			judge, err := judges()
			if err != nil {
				return err
			}
			took, err := b.judgedMatches(judge, n)
			if err != nil {
				return err
			}
			matches[name] = append(matches[name], cost{wall: took / n})
		}
	}
	u, t, j := median(unit), median(built), median(turn)
	fmt.Printf("(l) a ply through a judge                 %6.2f µs, CPU %6.2f µs: %.2f U, CPU %.2f U, the judge's part %.2f U (goal 2.50)\n",
		us(j.wall), us(j.cpu), ratio(j.wall, u.wall), ratio(j.cpu, u.cpu), ratio(j.cpu-t.cpu, u.cpu))
	for _, name := range []string{"built in", "one", "many"} {
		fmt.Printf("(l) matches of 8 plies, %-8s          %6.0f a second\n", name, 1/median(matches[name]).wall.Seconds())
	}
	fmt.Println()
	return nil
}

// judgedMatches plays matches of 8 plies with one job, and returns how long they took.
func (b *bench) judgedMatches(judges func() arena.Judges, n int) (time.Duration, error) {
	m := b.match(2, 8, b.launcher)
	game := pingGame
	if judges != nil {
		game = talk.Facts{MinSeats: 1, MaxSeats: 2}.Game(pingGame.Name)
	}
	r := arena.Local{Games: []protocols.Game{game}, Players: m.Players[:1], Jobs: 1, CPUs: arena.CPUs(), Judges: judges}
	id := m.Players[0].Identity()
	seat := arena.Seat{Bot: id.Name, Digest: id.Digest}
	fixtures := slices.Repeat([]arena.Fixture{{
		Game: game.Name, Case: record.Case{Text: strconv.Itoa(8)}, Limits: record.NewLimits(m.Limits, ""), Seats: []arena.Seat{seat, seat},
	}}, n)
	start := time.Now()
	err := r.Run(context.Background(), slices.Values(fixtures), func(_ int, rec record.Record) error {
		if rec.Error != "" || rec.Seats[0].Verdict != string(referee.OK) {
			return fmt.Errorf("match went wrong: %+v", rec)
		}
		return nil
	})
	return time.Since(start), err
}
