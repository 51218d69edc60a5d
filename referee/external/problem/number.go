package problem

import (
	"fmt"
	"math/big"
	"strings"

	"umpire/protocols"
)

// MaxNumber is how many bytes a number may have that ParseNumber reads.
const MaxNumber = 256

// ParseNumber reads a finite decimal number, maybe with an exponent.
func ParseNumber(text string) (*big.Rat, error) {
	text = strings.TrimSpace(text)
	_, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	n, ok := new(big.Rat).SetString(text)
	if !ok || len(text) > MaxNumber || len(strings.TrimLeft(exponent, "+-0")) > 2 || strings.ContainsAny(text, "/_xXpPbBoO") {
		return nil, fmt.Errorf("found %s, expected a number such as 12.5", protocols.Quote(text))
	}
	return n, nil
}

// Rounded is the score nearest to a number.
func Rounded(n *big.Rat) protocols.Score {
	s, err := protocols.ParseScore(n.FloatString(6))
	if err != nil {
		return protocols.Points(protocols.MaxScore)
	}
	return s
}

// ScoreRat is a score as a number.
func ScoreRat(s protocols.Score) *big.Rat {
	return new(big.Rat).SetFrac(s.Micros(), big.NewInt(1_000_000))
}
