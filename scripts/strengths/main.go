// Command strengths checks what the standings say of bots, by tournaments of bots of known
// strengths that it draws. It prints tables.
//
//	go run ./scripts/strengths
//	go run ./scripts/strengths -tournaments 1000 -spread 600
//	go run ./scripts/strengths -until
//	go run ./scripts/strengths -compare
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	tournaments := flag.Int("tournaments", 200, "tournaments of each `kind`")
	spread := flag.Float64("spread", 300, "difference of the strongest and the weakest bot, in `Elo`")
	seed := flag.Uint64("seed", 1, "`number` that the draws follow from")
	adaptive := flag.Bool("until", false, "check tournaments that go on where the order is least certain, instead of ratings of several seats")
	two := flag.Bool("compare", false, "check what is said of two bots instead")
	flag.Parse()
	if flag.NArg() > 0 || *tournaments < 1 {
		fmt.Fprintln(os.Stderr, "strengths: expected no arguments, and one tournament or more")
		os.Exit(2)
	}
	switch {
	case *adaptive:
		orders(*tournaments, *spread, *seed)
		equals(5**tournaments, *seed)
	case *two:
		compared(*tournaments, *seed)
	default:
		ratings(*tournaments, *spread, *seed)
	}
}
