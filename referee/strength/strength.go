// Package strength estimates how strong contestants are from how their matches ended:
// ratings in Elo with their intervals and what these say of ranks, differences of two
// from mirrored pairs of matches, sequential tests, and bounds that hold at any number
// of looks. Bots are numbers here, and matches counts: it knows no records.
package strength

import (
	"math"
	"strconv"
)

// Rating is an estimate with its 95 % interval, which is nil where a single
// observation says nothing about it.
type Rating struct {
	Value float64  `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

// NewRating returns value ± half, rounded to multiples of 1/to.
func NewRating(value, half, to float64) *Rating {
	low, high := Round(value-half, to), Round(value+half, to)
	return &Rating{Round(value, to), &low, &high}
}

// Negated is the same estimate with its sign turned.
func (r Rating) Negated() *Rating { return &Rating{0 - r.Value, negated(r.High), negated(r.Low)} }

// negated turns the sign of one end of an interval.
func negated(end *float64) *float64 {
	if end == nil {
		return nil
	}
	other := 0 - *end
	return &other
}

// Round rounds to multiples of 1/to. It returns no negative zero, which would be
// printed as -0.
func Round(x, to float64) float64 { return math.Round(x*to)/to + 0 }

// TwoDigits rounds a probability to two significant digits, so that the order of sums
// does not show.
func TwoDigits(p float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(p, 'g', 2, 64), 64)
	return rounded
}

// Pair is two bots that meet, by their numbers, from 0.
type Pair struct{ A, B int }

// Met is what two bots have reached against each other: mirrored matches are one
// observation.
type Met struct {
	Observations int
	Quarters     int64 // the first one's points in the observations, in quarters
}
