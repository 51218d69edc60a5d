package judging

import (
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"strings"

	"umpire/protocols"
	"umpire/referee/external/problem"
	"umpire/referee/interaction"
)

// Files by which a judge says a score.
const (
	scoreFile      = "score.txt"
	multiplierFile = "score_multiplier.txt"
)

// readScoreFiles returns the score that a judge has written to its folder, for a case of some
// worth; nil if the problem has no scores, or the judge gives none.
func readScoreFiles(folder matchFolder, w *problem.Worth, accepted bool) (*protocols.Score, error) {
	if w == nil || !w.Strict && (w.Fixed || !accepted) {
		return nil, nil
	}
	said, err := readNumber(folder, scoreFile)
	if err != nil {
		return nil, err
	}
	times, err := readNumber(folder, multiplierFile)
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
		return nil, wrong("its %s says %s, expected 0 to 1", multiplierFile, problem.Rounded(times))
	case times != nil:
		said = times.Mul(times, w.Max)
	case said == nil && w.Accept == nil:
		return nil, wrong("it accepts, and writes no %s, which a case without a highest score needs", scoreFile)
	case said == nil:
		said = w.Accept
	}
	if w.Strict && (said.Sign() < 0 || w.Max != nil && said.Cmp(w.Max) > 0) {
		return nil, wrong("its %s says %s, expected 0 to %s", scoreFile, problem.Rounded(said), bound(w.Max))
	}
	return scoreOf(said)
}

// scoreOf is a number that a judge says, as a score.
func scoreOf(said *big.Rat) (*protocols.Score, error) {
	if most := big.NewRat(protocols.MaxScore, 1); said.Cmp(most) > 0 || said.Cmp(new(big.Rat).Neg(most)) < 0 {
		return nil, &interaction.JudgeError{Why: fmt.Sprintf("its score is %s, expected %s", said.FloatString(6), protocols.ScoreRange)}
	}
	return new(problem.Rounded(said)), nil
}

// readPoints returns the score of a run that a judge who uses testlib has accepted: what it
// says after the word points, if it ends with the status for that, and else what the case is
// worth.
func readPoints(stderr []byte, w *problem.Worth, exit int) (*protocols.Score, error) {
	switch {
	case exit != interaction.StatusPoints && w == nil:
		return nil, nil
	case exit != interaction.StatusPoints:
		return scoreOf(w.Accept)
	}
	words := strings.Fields(string(stderr))
	if len(words) < 2 || words[0] != "points" {
		return nil, &interaction.JudgeError{Why: fmt.Sprintf("it ended with exit status %d, and its standard error does not begin with points and a number", exit)}
	}
	said, err := problem.ParseNumber(words[1])
	if err == nil && said.Sign() < 0 {
		err = fmt.Errorf("found %s, expected 0 or more", words[1])
	}
	if err != nil {
		return nil, &interaction.JudgeError{Why: fmt.Sprintf("its points: %v", err)}
	}
	return scoreOf(said)
}

func bound(most *big.Rat) string {
	if most == nil {
		return "any number"
	}
	return problem.Rounded(most).String()
}

// readNumber reads a number from a file of the judge's; nil if there is none.
func readNumber(folder matchFolder, name string) (*big.Rat, error) {
	text, err := folder.read(name, problem.MaxNumber+1)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	bad := &interaction.JudgeError{Why: "its " + name + " is not a file that holds a number"}
	if err != nil || len(text) > problem.MaxNumber {
		return nil, bad
	}
	n, err := problem.ParseNumber(string(text))
	if err != nil {
		bad.Why = fmt.Sprintf("its %s: %v", name, err)
		return nil, bad
	}
	return n, nil
}

// maxPrinted is how much is kept of what a judge prints.
const maxPrinted = 4 << 10

// prefix is the beginning of what a judge prints.
type prefix []byte

func (p *prefix) add(text []byte) { *p = append(*p, text[:min(len(text), maxPrinted-len(*p))]...) }

// line is its first line.
func (p prefix) line() string {
	line, _, _ := strings.Cut(string(p), "\n")
	return line
}

// quoted is that line as errors show it.
func (p prefix) quoted() string {
	if len(p) == 0 {
		return "nothing"
	}
	return protocols.Quote(p.line())
}

// score is the number of 0 or more in its first line; nil: there is none.
func (p prefix) score() *protocols.Score {
	n, err := problem.ParseNumber(p.line())
	if err != nil || n.Sign() < 0 || n.Cmp(big.NewRat(protocols.MaxScore, 1)) > 0 {
		return nil
	}
	if least := big.NewRat(1, 1_000_000); n.Sign() > 0 && n.Cmp(least) < 0 {
		n = least // it accepts
	}
	return new(problem.Rounded(n))
}
