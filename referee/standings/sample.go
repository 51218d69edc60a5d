package standings

import (
	"cmp"
	"hash/maphash"
	"math"
	"slices"

	"umpire/protocols"
	"umpire/referee/record"
)

// Sample is what a bot has reached by case, by its seat and by who sat in the others.
// Samples of two versions of a bot are compared where they share all three, so that
// the versions need not have met.
type Sample struct {
	Bot    Bot
	seen   map[uint64]bool
	trials map[uint64]trial
	names  map[uint64]string // of the cases, by trial.where
}

// NewSample makes an empty sample.
func NewSample(b Bot) *Sample {
	return &Sample{b, make(map[uint64]bool), make(map[uint64]trial), make(map[uint64]string)}
}

// sampleSeed makes the hashes of all samples comparable.
var sampleSeed = maphash.MakeSeed()

// Add counts a match of the bot, unless it was counted before. Of a match in which it
// has several seats nothing counts.
func (s *Sample) Add(b *record.Summary) {
	own := -1
	for i, seat := range b.Seats {
		if BotOf(seat) == s.Bot {
			if own >= 0 {
				return
			}
			own = i
		}
	}
	if own < 0 || b.Failed || b.Key != 0 && s.seen[b.Key] {
		return
	}
	s.seen[b.Key] = true
	var hash maphash.Hash
	hash.SetSeed(sampleSeed)
	maphash.WriteComparable(&hash, b.Deal())
	maphash.WriteComparable(&hash, own)
	for i, seat := range b.Seats {
		if i != own {
			maphash.WriteComparable(&hash, Bot{Name: seat.Bot, Digest: seat.Digest})
		}
	}
	key := hash.Sum64()
	s.trials[key] = s.trials[key].plus(b, own)
	s.names[b.Deal()] = b.Case
}

// CaseDifference is how much more a bot has reached on a case than another.
type CaseDifference struct {
	Case       string  `json:"case"`
	Difference float64 `json:"difference"` // per match
}

// CompareSamples compares a bot with another, to, by the game's rank: nil if they share
// nothing. The cases are listed by how much they decide, the most first.
func CompareSamples(bot, to *Sample, rank protocols.Rank) (*Paired, []CaseDifference) {
	by := rule(rank)[0]
	var cases []CaseDifference
	var all []float64
	for where, d := range differences(bot.trials, to.trials, by) {
		cases, all = append(cases, CaseDifference{bot.names[where], d}), append(all, d)
	}
	SortByWeight(cases)
	return NewPaired(bot.Bot.Name, to.Bot.Name, by, all), cases
}

// SortByWeight sorts cases by how much they decide, the most first.
func SortByWeight(cases []CaseDifference) {
	slices.SortFunc(cases, func(a, b CaseDifference) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Difference), math.Abs(a.Difference)), cmp.Compare(a.Case, b.Case))
	})
}
