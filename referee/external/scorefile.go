package external

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"strings"

	"umpire/protocols"
	"umpire/referee/interaction"
)

// Files by which a judge says a score.
const (
	scoreFile      = "score.txt"
	multiplierFile = "score_multiplier.txt"
)

// maxScoreFile is how long such a file may be.
const maxScoreFile = 256

// readScore returns the score of a run that the judge accepts, by what it has written to
// its folder; nil if the problem has no scores.
func (m *relayed) readScore(accepted bool) (*protocols.Score, error) {
	w := m.Case.Worth
	if w == nil {
		return nil, nil
	}
	if !accepted && !w.Strict {
		return nil, nil
	}
	said, err := m.number(scoreFile)
	if err != nil {
		return nil, err
	}
	times, err := m.number(multiplierFile)
	if err != nil {
		return nil, err
	}
	if !w.Multiplier && !w.Strict {
		times = nil // a file like any other
	}
	wrong := func(format string, args ...any) error {
		return &interaction.JudgeError{Why: fmt.Sprintf(format, args...)}
	}
	switch {
	case !accepted && (said != nil || times != nil) && w.Strict:
		return nil, wrong("it rejects, and writes a score")
	case !accepted:
		return nil, nil
	case w.Fixed && (said != nil || times != nil):
		return nil, wrong("it writes a score for a case of a group that is pass-fail")
	case w.Fixed:
		return nil, nil
	case said != nil && times != nil:
		return nil, wrong("it writes both %s and %s", scoreFile, multiplierFile)
	case times != nil && w.Max == nil:
		return nil, wrong("it writes %s for a case that has no highest score", multiplierFile)
	case times != nil && (times.Sign() < 0 || times.Cmp(big.NewRat(1, 1)) > 0):
		return nil, wrong("its %s says %s, expected 0 to 1", multiplierFile, rounded(times))
	case times != nil:
		said = times.Mul(times, w.Max)
	case said == nil && w.Accept == nil:
		return nil, wrong("it accepts, and writes no %s, which a case without a highest score needs", scoreFile)
	case said == nil:
		said = w.Accept
	}
	if w.Strict && (said.Sign() < 0 || w.Max != nil && said.Cmp(w.Max) > 0) {
		return nil, wrong("its %s says %s, expected 0 to %s", scoreFile, rounded(said), bound(w.Max))
	}
	if most := big.NewRat(protocols.MaxScore, 1); said.Cmp(most) > 0 || said.Cmp(new(big.Rat).Neg(most)) < 0 {
		return nil, wrong("its score is %s, expected %s", said.FloatString(6), protocols.ScoreRange)
	}
	score := rounded(said)
	return &score, nil
}

// wrote reports whether the judge has written a file.
func (m *relayed) wrote(name string) bool {
	_, err := os.Lstat(filepath.Join(m.folder, feedbackFolder, name))
	return err == nil
}

func bound(most *big.Rat) string {
	if most == nil {
		return "any number"
	}
	return rounded(most).String()
}

// number reads a number from a file of the judge's; nil if there is none.
func (m *relayed) number(name string) (*big.Rat, error) {
	root, err := os.OpenRoot(filepath.Join(m.folder, feedbackFolder))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	bad := &interaction.JudgeError{Why: "its " + name + " is not a file that holds a number"}
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxScoreFile {
		return nil, bad
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, bad
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxScoreFile))
	if err != nil {
		return nil, bad
	}
	n, err := ParseNumber(string(text))
	if err != nil {
		bad.Why = fmt.Sprintf("its %s: %v", name, err)
		return nil, bad
	}
	return n, nil
}

// ParseNumber reads a finite decimal number, maybe with an exponent.
func ParseNumber(text string) (*big.Rat, error) {
	text = strings.TrimSpace(text)
	_, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	n, ok := new(big.Rat).SetString(text)
	if !ok || len(text) > maxScoreFile || len(strings.TrimLeft(exponent, "+-0")) > 2 || strings.ContainsAny(text, "/_xXpPbBoO") {
		return nil, fmt.Errorf("found %s, expected a number such as 12.5", protocols.Quote(text))
	}
	return n, nil
}

// rounded is the score nearest to a number.
func rounded(n *big.Rat) protocols.Score {
	s, err := protocols.ParseScore(n.FloatString(6))
	if err != nil {
		return protocols.Points(protocols.MaxScore)
	}
	return s
}

// micros are the millionths of a number that is a score.
func micros(n *big.Rat) *big.Int { return rounded(n).Micros() }

// ScoreRat is a score as a number.
func ScoreRat(s protocols.Score) *big.Rat {
	return new(big.Rat).SetFrac(s.Micros(), big.NewInt(1_000_000))
}
