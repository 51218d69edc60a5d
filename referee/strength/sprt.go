package strength

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// SPRT is a sequential test of whether the second of two bots is stronger by Elo0 (H0)
// or by Elo1 (H1), by the generalised sequential probability ratio over mirrored pairs
// (Van den Bergh, A practical introduction to the GSPRT; as fishtest tests).
type SPRT struct {
	Elo0, Elo1  float64
	Alpha, Beta float64 // chances of accepting H1 where H0 holds, and H0 where H1 does
	Model       Model   // of Elo0 and Elo1
}

// Model is what differences in Elo are of.
type Model string

const (
	// Normalized Elo is the advantage in standard deviations of a match: the length of
	// a test does not depend on how often matches are drawn.
	Normalized Model = "normalized"
	Logistic   Model = "logistic" // the usual Elo
)

// ParseSPRT reads a test as the command line has it: elo0=0,elo1=5, and, if they are
// not to be 0.05, 0.05 and normalized, alpha=A,beta=B,model=M.
func ParseSPRT(text string) (SPRT, error) {
	s := SPRT{Alpha: 0.05, Beta: 0.05, Model: Normalized}
	numbers := map[string]*float64{"elo0": &s.Elo0, "elo1": &s.Elo1, "alpha": &s.Alpha, "beta": &s.Beta}
	seen := make(map[string]bool)
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(part, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		into, isNumber := numbers[name]
		n, err := strconv.ParseFloat(value, 64)
		switch {
		case seen[name]:
			return s, fmt.Errorf("found %s twice", name)
		case name == "model" && (value == string(Normalized) || value == string(Logistic)):
			s.Model = Model(value)
		case name == "model":
			return s, fmt.Errorf("model: found %q, expected normalized or logistic", value)
		case !isNumber:
			return s, fmt.Errorf("found %q, expected elo0=N,elo1=N and, if need be, alpha=P, beta=P or model=normalized|logistic", part)
		case err != nil || math.IsNaN(n) || math.Abs(n) > 1000:
			return s, fmt.Errorf("%s: found %q, expected a number from -1000 to 1000", name, value)
		default:
			*into = n
		}
		seen[name] = true
	}
	switch {
	case !seen["elo0"] || !seen["elo1"]:
		return s, fmt.Errorf("found %q, expected elo0=N and elo1=N", text)
	case s.Elo0 >= s.Elo1:
		return s, fmt.Errorf("found elo0=%v and elo1=%v, expected elo0 to be less", s.Elo0, s.Elo1)
	case min(s.Alpha, s.Beta) <= 0 || max(s.Alpha, s.Beta) >= 0.5:
		return s, fmt.Errorf("found alpha=%v and beta=%v, expected both between 0 and 0.5", s.Alpha, s.Beta)
	}
	return s, nil
}

// Bounds are the logarithms of the likelihood ratio at which H0 and H1 are accepted.
func (s SPRT) Bounds() (lower, upper float64) {
	return math.Log(s.Beta / (1 - s.Alpha)), math.Log((1 - s.Beta) / s.Alpha)
}

// LLR is the logarithm of how much more likely the second bot's pairs are if H1 holds
// than if H0 does.
func (s SPRT) LLR(p Pentanomial) float64 {
	if p.Pairs() == 0 {
		return 0
	}
	found := p.outcomes()
	if s.Model == Logistic {
		return p.likelihood(found.withMean(expectedShare(s.Elo0)), found.withMean(expectedShare(s.Elo1)))
	}
	return p.likelihood(found.withAdvantage(advantage(s.Elo0)), found.withAdvantage(advantage(s.Elo1)))
}

// expectedShare is the share of the points that a difference in Elo makes.
func expectedShare(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// advantage is normalized Elo in standard deviations of a pair. A pair has two matches,
// and its mean half their variance.
func advantage(elo float64) float64 { return elo / (800 / math.Ln10) * math.Sqrt2 }

// Decision is what a sequential test has found, or why a round robin ends that goes on
// where its order is least certain.
type Decision string

const (
	NotDecided Decision = ""          // not yet decided
	AcceptH0   Decision = "H0"        // the second is not stronger by Elo1
	AcceptH1   Decision = "H1"        // it is stronger by more than Elo0
	Undecided  Decision = "undecided" // no more pairs can be played
	Decided    Decision = "decided"   // the goal of a round robin is reached
	TimeUp     Decision = "time"      // its time is over
)

// TestState is how far a sequential test is.
type TestState struct {
	Test  SPRT
	Pairs Pentanomial // the second bot's, up to the decision
	Cases int         // on which these were played
	// Decision is NotDecided while the test goes on, and Undecided if all pairs have
	// been played, or if the bots play the same again on all cases.
	Decision Decision
	Repeats  bool      // the reason for Undecided: the bots play the same again
	Path     []float64 // the LLR after each of the pairs played
}

// String is the state in fishtest's words.
func (s TestState) String() string {
	lower, upper := s.Test.Bounds()
	return fmt.Sprintf("LLR %.2f (%.2f, %.2f)", s.Test.LLR(s.Pairs), lower, upper)
}

// Decide returns what an LLR decides.
func (s SPRT) Decide(llr float64) Decision {
	lower, upper := s.Bounds()
	switch {
	case llr >= upper:
		return AcceptH1
	case llr <= lower:
		return AcceptH0
	}
	return NotDecided
}
