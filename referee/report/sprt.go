package report

import (
	"fmt"
	"math"

	"umpire/referee/strength"
)

// SPRT is how a sequential test went.
type SPRT struct {
	LLR      float64              `json:"llr"`
	Lower    float64              `json:"lower"` // at which H0 is accepted
	Upper    float64              `json:"upper"` // at which H1 is
	Elo0     float64              `json:"elo0"`
	Elo1     float64              `json:"elo1"`
	Model    strength.Model       `json:"model"`
	Pairs    int                  `json:"pairs"`
	Cases    int                  `json:"cases"` // on which the pairs were played
	Ptnml    strength.Pentanomial `json:"ptnml"`
	Decision strength.Decision    `json:"decision"` // H0, H1, undecided; "" while it goes on
	Repeats  bool                 `json:"repeats,omitempty"`

	bot, to string
	path    []float64 // the LLR after each pair
}

// NewSPRT shows the sequential test of a bot against another, to.
func NewSPRT(s strength.TestState, bot, to string) *SPRT {
	lower, upper := s.Test.Bounds()
	return &SPRT{
		LLR: math.Round(s.Test.LLR(s.Pairs)*1000) / 1000, Lower: lower, Upper: upper, Elo0: s.Test.Elo0, Elo1: s.Test.Elo1, Model: s.Test.Model,
		Pairs: s.Pairs.Pairs(), Cases: s.Cases, Ptnml: s.Pairs, Decision: s.Decision, Repeats: s.Repeats, bot: bot, to: to, path: s.Path,
	}
}

// Of reports whether it is the test of a bot against another, to; nil is of none.
func (s *SPRT) Of(bot, to string) bool { return s != nil && s.bot == bot && s.to == to }

// refuted says that H0 is accepted; "" if it is not.
func (s *SPRT) refuted() string {
	if s.Decision != strength.AcceptH0 {
		return ""
	}
	return fmt.Sprintf("%s is not stronger than %s by %s Elo", s.bot, s.to, Number(s.Elo1))
}

// lines says how the test went, in fishtest's words, and what they mean.
func (s *SPRT) lines() []string {
	list := []string{
		fmt.Sprintf("LLR: %.2f (%.2f, %.2f) [%s, %s] %s Elo", s.LLR, s.Lower, s.Upper, Number(s.Elo0), Number(s.Elo1), s.Model),
		fmt.Sprintf("Pairs: %d, Ptnml(0-2): %s, pairs ratio %s", s.Pairs, ptnml(s.Ptnml), pairsRatio(s.Ptnml)),
		s.decided(),
	}
	return append(list, onFewCases(s.Pairs, s.Cases)...)
}

// decided says what the test has decided.
func (s *SPRT) decided() string {
	switch s.Decision {
	case strength.AcceptH1:
		return fmt.Sprintf("SPRT: H1 is accepted: %s is stronger than %s by more than %s Elo. The estimate of a test that stops early is biased upwards.",
			s.bot, s.to, Number(s.Elo0))
	case strength.AcceptH0:
		return "SPRT: H0 is accepted: " + s.refuted() + "."
	case strength.Undecided:
		why := "all pairs have been played"
		if s.Repeats {
			why = "the bots play the same again on all cases; other cases (-n, --cases) give more pairs"
		}
		return "SPRT: undecided: " + why + "."
	}
	return "SPRT: not yet decided."
}

// onFewCases says of pairs on fewer cases what they leave open.
func onFewCases(pairs, cases int) []string {
	if pairs <= cases {
		return nil
	}
	return []string{fmt.Sprintf("%s on only %s: this says nothing about other cases.", Plural(pairs, "pair"), Plural(cases, "case"))}
}

// pairsRatio is how many pairs were won for each that was lost.
func pairsRatio(p strength.Pentanomial) string {
	won, lost := p[3]+p[4], p[0]+p[1]
	switch {
	case lost > 0:
		return fmt.Sprintf("%.2f", float64(won)/float64(lost))
	case won > 0:
		return "∞"
	}
	return "-"
}

func ptnml(p strength.Pentanomial) string {
	return fmt.Sprintf("%d, %d, %d, %d, %d", p[0], p[1], p[2], p[3], p[4])
}
