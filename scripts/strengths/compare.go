package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"umpire/referee/report"
	"umpire/referee/standings"
)

// compared prints what `umpire compare` says of pairs of bots whose difference is known,
// and of how many such comparisons it says who is stronger, or the opposite.
func compared(tournaments int, seed uint64) {
	fmt.Println("| true difference, Elo | mirrored pairs | what compare says of one | new is stronger | weaker | can't be told apart |")
	fmt.Println("|---|---|---|---|---|---|")
	rng := rand.New(rand.NewPCG(seed, 10))
	for _, kind := range []struct {
		elo   float64
		pairs int
	}{
		{0, 25}, {0, 100}, {0, 1000}, {10, 100}, {10, 1000}, {10, 4000}, {40, 100}, {40, 400}, {150, 25}, {300, 25},
	} {
		sentence := ""
		said := make(map[report.Outcome]float64)
		for n := range 5 * tournaments {
			f := newField([]float64{kind.elo, 0}, rng)
			for range kind.pairs {
				f.play(0, 1)
			}
			s := report.NewStrength("", standings.HeadToHead{Bot: "new", Opponent: "old", Ptnml: f.pairs[0][1]})
			if said[s.Verdict]++; n == 0 {
				var out strings.Builder
				s.Print(report.NewPrinter(&out))
				sentence, _, _ = strings.Cut(out.String(), "\n")
			}
		}
		share := func(o report.Outcome) string { return fmt.Sprintf("%.1f %%", 20*said[o]/float64(tournaments)) }
		fmt.Printf("| %+.0f | %d | %s | %s | %s | %s |\n", kind.elo, kind.pairs, sentence, share(report.Stronger), share(report.Weaker), share(report.Unclear))
	}
}
