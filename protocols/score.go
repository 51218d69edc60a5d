package protocols

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Score is what a seat earned in a match, in the game's own unit, or a sum of such
// scores: an exact decimal number with at most six decimals. A match's is from
// -MaxScore to MaxScore; sums can't overflow within nine thousand million matches.
// The zero Score is 0; equal scores are ==. Its text, in JSON too, has no zeros at
// the end: 7, -0.5.
type Score struct {
	whole  int64 // rounded down
	micros int64 // millionths in addition, from 0 to 999,999
}

// MaxScore is the highest score of a match, in points.
const MaxScore = 1_000_000_000

// ScoreRange says what ParseScore takes.
const ScoreRange = "a number from -1000000000 to 1000000000 with at most 6 decimals"

const (
	one      = 1_000_000 // in millionths
	decimals = 6
)

// Points is the score of n points.
func Points(n int) Score { return Score{whole: int64(n)} }

// ParseScore reads the score of a match as a decimal number: a minus sign for a
// negative one, digits, and after a point one to six more.
func ParseScore(text string) (Score, error) {
	whole, part, pointed := strings.Cut(text, ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	micros, partErr := strconv.ParseUint((part + "000000")[:decimals], 10, 64)
	s := Score{n, int64(micros)}
	if strings.HasPrefix(whole, "-") {
		s = Score{n, -int64(micros)}.carried()
	}
	switch most := Points(MaxScore); {
	case err != nil || partErr != nil, strings.HasPrefix(whole, "+"), pointed && (part == "" || len(part) > decimals),
		s.Compare(most) > 0 || s.Compare(Score{}.Minus(most)) < 0:
		return Score{}, fmt.Errorf("found %s, expected %s", Quote(text), ScoreRange)
	}
	return s, nil
}

// Plus returns s + t.
func (s Score) Plus(t Score) Score { return Score{s.whole + t.whole, s.micros + t.micros}.carried() }

// Minus returns s - t.
func (s Score) Minus(t Score) Score { return Score{s.whole - t.whole, s.micros - t.micros}.carried() }

// Times returns s·n/d. It is exact if d divides n.
func (s Score) Times(n, d int64) Score {
	if n == d {
		return s
	}
	return Score{s.whole * n / d, s.micros * n / d}.carried()
}

// carried returns s with its millionths in their range.
func (s Score) carried() Score {
	if s.micros >= 0 && s.micros < one { // nearly always
		return s
	}
	carry := s.micros / one
	if s.micros%one < 0 {
		carry--
	}
	return Score{s.whole + carry, s.micros - carry*one}
}

// Equal reports whether s == t.
func (s Score) Equal(t Score) bool { return s == t }

// Compare returns a negative number if s is less than t, 0 if they are equal, and
// a positive one if s is more.
func (s Score) Compare(t Score) int {
	return cmp.Or(cmp.Compare(s.whole, t.whole), cmp.Compare(s.micros, t.micros))
}

// Micros is the score in millionths.
func (s Score) Micros() *big.Int {
	n := new(big.Int).Mul(big.NewInt(s.whole), big.NewInt(one))
	return n.Add(n, big.NewInt(s.micros))
}

// Micros64 is the score in millionths; ok is false if an int64 does not hold it.
func (s Score) Micros64() (n int64, ok bool) {
	const most = math.MaxInt64/one - 1
	return s.whole*one + s.micros, s.whole >= -most && s.whole <= most
}

// Float is the number nearest to s.
func (s Score) Float() float64 { return s.Over(1) }

// Over is the number nearest to s/n.
func (s Score) Over(n int64) float64 {
	if s.micros == 0 {
		return float64(s.whole) / float64(n)
	}
	return Quotient(s.Micros(), n)
}

// Quotient is the number nearest to that many millionths divided by n.
func Quotient(micros *big.Int, n int64) float64 {
	by := new(big.Int).Mul(big.NewInt(n), big.NewInt(one))
	f, _ := new(big.Rat).SetFrac(micros, by).Float64()
	return f
}

// String is the score as a decimal number.
func (s Score) String() string { return string(s.append(nil)) }

// GoString is String, for messages in which texts are quoted.
func (s Score) GoString() string { return s.String() }

func (s Score) append(b []byte) []byte {
	if s.whole < 0 {
		b = append(b, '-')
		s = Score{}.Minus(s)
	}
	b = strconv.AppendInt(b, s.whole, 10)
	if s.micros > 0 {
		b = append(b, strings.TrimRight(fmt.Sprintf(".%06d", s.micros), "0")...)
	}
	return b
}

// MarshalJSON writes the score as a number.
func (s Score) MarshalJSON() ([]byte, error) { return s.append(nil), nil }

// UnmarshalJSON reads a number that ParseScore takes; null leaves the score as it
// is.
func (s *Score) UnmarshalJSON(text []byte) (err error) {
	if string(text) != "null" {
		*s, err = ParseScore(string(text))
	}
	return err
}
