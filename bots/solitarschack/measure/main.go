// Solitarschack measures a built-in player of Solitärschack: its mean score and
// the standard error over generated boards, group by group. It plays in
// process, one match at a time, without clocks or limits of its own.
//
//	go run ./bots/solitarschack/measure -boards 30 -bot strong
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"strings"
	"time"

	"umpire/bots"
	players "umpire/bots/solitarschack"
	"umpire/protocols"
	"umpire/protocols/solitarschack"
)

func main() {
	log.SetFlags(0)
	name := flag.String("bot", "strong", "the built-in player to measure")
	boards := flag.Int("boards", 30, "boards of each group")
	first := flag.Uint64("seed", 1, "seed of the first board")
	groups := flag.String("groups", "123456", "the groups to play, a digit each")
	flag.Parse()
	if err := measure(*name, *boards, *first, *groups); err != nil {
		log.Fatal("solitarschack: ", err)
	}
}

func measure(name string, boards int, first uint64, groups string) error {
	bot, err := find(name)
	if err != nil {
		return err
	}
	game := solitarschack.Game()
	fmt.Printf("%s: %s; budget %v\n", bot.Name, bot.About, limit(game))
	fmt.Println("group    mean ± s.e.    min  max   slowest match")
	for _, group := range strings.Split(groups, "") {
		var s sample
		for i := range boards {
			c, err := game.Generate(group, first+uint64(i))
			if err != nil {
				return err
			}
			start := time.Now()
			score, err := play(c, bot)
			if err != nil {
				return fmt.Errorf("group %s, seed %d: %w", group, first+uint64(i), err)
			}
			s.add(score, time.Since(start))
		}
		fmt.Printf("%-5s %7.1f ± %-6.1f %5d %4d   %.2f s\n", group, s.mean(), s.stderr(), s.min, s.max, s.slowest.Seconds())
	}
	return nil
}

func find(name string) (bots.Bot, error) {
	var names []string
	for _, b := range players.Bots() {
		if b.Name == name {
			return b, nil
		}
		names = append(names, b.Name)
	}
	return bots.Bot{}, fmt.Errorf("no player is called %q, expected one of %s", name, strings.Join(names, ", "))
}

// limit is a match's budget, the same for all cases.
func limit(game protocols.Game) time.Duration {
	c, err := game.Generate(game.Groups[0], 1)
	if err != nil {
		return 0
	}
	return c.Limits(1).Time
}

// sample holds the scores of a group.
type sample struct {
	n, min, max int
	sum, square float64
	slowest     time.Duration
}

func (s *sample) add(score int, took time.Duration) {
	if s.n == 0 {
		s.min, s.max = score, score
	}
	s.n++
	s.min, s.max = min(s.min, score), max(s.max, score)
	s.sum += float64(score)
	s.square += float64(score) * float64(score)
	s.slowest = max(s.slowest, took)
}

func (s *sample) mean() float64 { return s.sum / float64(s.n) }

// stderr is the standard error of the mean.
func (s *sample) stderr() float64 {
	if s.n < 2 {
		return 0
	}
	variance := (s.square - s.sum*s.mean()) / float64(s.n-1)
	return math.Sqrt(max(variance, 0) / float64(s.n))
}

// play plays one match and returns its score.
func play(c protocols.Case, bot bots.Bot) (int, error) {
	in, toBot := io.Pipe()
	fromBot, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- bots.Run(bot, bots.NewTable(bot.Game, 1, 1, in, out))
		in.Close()
		out.Close()
	}()
	m := c.Start(1)
	err := drive(m, toBot, fromBot)
	toBot.Close()
	if berr := <-ended; err == nil {
		err = berr
	}
	return int(m.Result()[0].Score.Float()), err
}
