//go:build linux

package main

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"umpire/referee/arena"
	"umpire/referee/external"
	"umpire/referee/program"
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
		if err := compile(path, judgeSource); err != nil {
			return external.Judge{}, err
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
	ways := []string{"built in", "one", "many"}
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
		for _, name := range ways {
			const n = 300
			var judges func() arena.Judges
			if name != ways[0] {
				j, err := b.judge(b.launcher, name == "many")
				if err != nil {
					return err
				}
				judges = j.Judges
			}
			start := begin(processCPU)
			if err := b.tournament(1, n, judges); err != nil {
				return err
			}
			matches[name] = append(matches[name], start.each(n))
		}
	}
	u, t, j := median(unit), median(built), median(turn)
	fmt.Printf("(l) a ply through a judge                 %6.2f µs, CPU %6.2f µs: %.2f U, CPU %.2f U, the judge's part %.2f U (goal 2.50)\n",
		us(j.wall), us(j.cpu), ratio(j.wall, u.wall), ratio(j.cpu, u.cpu), ratio(j.cpu-t.cpu, u.cpu))
	for _, name := range ways {
		fmt.Printf("(l) matches of 8 plies, %-8s          %6.0f a second\n", name, 1/median(matches[name]).wall.Seconds())
	}
	fmt.Println()
	return nil
}
