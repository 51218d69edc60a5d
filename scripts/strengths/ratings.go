package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"umpire/protocols"
	"umpire/referee/record"
	"umpire/referee/standings"
	"umpire/referee/tournament"
)

// ratings checks the ratings of matches of several seats.
func ratings(tournaments int, spread float64, seed uint64) {
	fmt.Println("| bots | seats | cases | matches of a case | mean error, Elo | intervals that hold the strength | the rank | best, said and true |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	for _, k := range []kind{
		{4, 3, 10, false}, {4, 3, 100, false}, {4, 4, 25, false}, {4, 4, 25, true}, {4, 4, 200, false}, {4, 4, 200, true},
		{8, 4, 10, false}, {8, 4, 10, true}, {13, 4, 10, false}, {13, 4, 100, true},
	} {
		k.measure(tournaments, spread, rand.New(rand.NewPCG(seed, uint64(k.bots*k.cases))))
	}
}

// kind is a kind of tournaments.
type kind struct {
	bots, seats, cases int
	alike              bool // all seatings of the same bots on a case end in the same way
}

// measure prints a row.
func (k kind) measure(tournaments int, spread float64, rng *rand.Rand) {
	strength := make([]float64, k.bots) // in Elo
	for i := range strength {
		strength[i] = spread/2 - spread*float64(i)/float64(k.bots-1)
	}
	squares, held, ranked, said, right := 0.0, 0, 0, 0.0, 0
	for range tournaments {
		rows := k.play(strength, rng).Standings(nil)
		best, most := "", 0.0
		for _, row := range rows.Ranked() {
			n, _ := strconv.Atoi(row.Bot)
			want := 1500 + strength[n]
			squares += (row.Rating.Value - want) * (row.Rating.Value - want)
			if *row.Rating.Low <= want && want <= *row.Rating.High {
				held++
			}
			if c := row.Certainty; c.Ranks[0] <= n+1 && n+1 <= c.Ranks[1] {
				ranked++
			}
			if row.Certainty.Best > most {
				best, most = row.Bot, row.Certainty.Best
			}
		}
		if said += most; best == "0" {
			right++
		}
	}
	all := float64(tournaments * k.bots)
	matches := "drawn"
	if k.alike {
		matches = "alike"
	}
	fmt.Printf("| %d | %d | %d | %s | %.0f | %.1f %% | %.1f %% | %.0f %%, %.0f %% |\n", k.bots, k.seats, k.cases, matches,
		math.Sqrt(squares/all), 100*float64(held)/all, 100*float64(ranked)/all, 100*said/float64(tournaments), 100*float64(right)/float64(tournaments))
}

// play draws a round robin.
func (k kind) play(strength []float64, rng *rand.Rand) *standings.Tally {
	t := standings.NewTally(protocols.ByPlaces)
	tables, _ := tournament.Tables(k.bots, k.seats)
	for n := range k.cases {
		luck := rng.Uint64()
		for table := range tables {
			m := record.Summary{PairingKey: uint64(n)}
			from := rng
			if k.alike {
				sum := uint64(0) // alike for the same bots
				for _, b := range table {
					sum |= 1 << b
				}
				from = rand.New(rand.NewPCG(luck, sum))
			}
			for seat, place := range places(table, strength, from) {
				m.Seats = append(m.Seats, record.SummarySeat{Bot: strconv.Itoa(table[seat]), Verdict: "ok", Place: place, Score: protocols.Points(k.seats - place)})
			}
			t.Add(&m)
		}
	}
	return t
}

// places draws those of a match: the one in front first, with a probability
// proportional to its odds, then the next of the others.
func places(table []int, strength []float64, rng *rand.Rand) []int {
	placed := make([]int, len(table))
	time := make([]float64, len(table)) // until each is there: exponential, at the rate of its odds
	for _, bot := range slices.Sorted(slices.Values(table)) {
		for seat, b := range table {
			if b == bot {
				time[seat] = rng.ExpFloat64() / math.Pow(10, strength[bot]/400)
			}
		}
	}
	for seat := range table {
		placed[seat] = 1
		for other := range table {
			if time[other] < time[seat] {
				placed[seat]++
			}
		}
	}
	return placed
}
