// Train fits the weights with which the strong player of Solitärschack
// evaluates positions. It plays matches of a group with the weights so far,
// fits new ones to their outcomes, and begins again; the first round knows
// nothing.
//
//	go run ./bots/solitarschack/train -group 6
//
// It takes some 20 minutes of one CPU for groups 5 and 6, less for the others.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"

	rules "umpire/protocols/solitarschack/board"
	"umpire/protocols/solitarschack/planner"
)

// settings are the arguments of a run.
type settings struct {
	group  string
	types  []rules.Piece
	rounds int
	games  int // games of the last round; the earlier ones have fewer
	width  int
	jobs   int
	seed   uint64
}

func main() {
	log.SetFlags(0)
	var s settings
	flag.StringVar(&s.group, "group", "6", "the group to train for: 3, 4, 5 or 6")
	flag.IntVar(&s.rounds, "rounds", 5, "how often to play and fit")
	flag.IntVar(&s.games, "games", 8000, "matches of the last round")
	flag.IntVar(&s.width, "width", 40, "how many plans the player keeps in training")
	flag.IntVar(&s.jobs, "jobs", 1, "matches to play in parallel")
	flag.Uint64Var(&s.seed, "seed", 1, "what everything random follows from")
	more := flag.Bool("continue", false, "start from the weights there are")
	dir := flag.String("o", "protocols/solitarschack/planner/weights", "folder for the weights")
	flag.Parse()
	if s.seed >= 1<<32 { // playAll keeps the round in the other half
		log.Fatalf("train: -seed: found %d, expected less than 2^32", s.seed)
	}
	w := new(planner.Weights)
	if *more {
		var err error
		if w, err = planner.Load(s.group); err != nil {
			log.Fatal("train: ", err)
		}
	}
	if err := train(s, w, *dir); err != nil {
		log.Fatal("train: ", err)
	}
}

// train writes the weights after every round.
func train(s settings, w *planner.Weights, dir string) error {
	if s.types = planner.Types(s.group); s.types == nil {
		return fmt.Errorf("unknown group %q, expected 3, 4, 5 or 6", s.group)
	}
	for round := 1; round <= s.rounds; round++ {
		games := s.games * round / s.rounds
		samples, mean := playAll(s, w, uint64(round), games)
		w = fit(samples)
		fmt.Printf("group %s, round %d: %d matches, mean score %.1f, %d positions, error %.2f\n",
			s.group, round, games, mean, len(samples), rootMeanSquare(samples, w))
		if err := os.WriteFile(filepath.Join(dir, s.group+".bin"), w.Encode(), 0o666); err != nil {
			return err
		}
	}
	return nil
}
