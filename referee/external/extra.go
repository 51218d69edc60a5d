package external

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"umpire/referee"
	"umpire/referee/interaction"
	"umpire/referee/program"
	"umpire/referee/sandbox"
)

// ExtraCase returns a case with an input and an answer that are not in the package, which are
// files by absolute paths. All else is as in the first case of its secret data, or in its last
// case. An answer "" is not known yet: see Relay.Answer.
func (p *Problem) ExtraCase(name, input, answer string) (c ProblemCase, err error) {
	c = p.likeExtra()
	c.Name, c.Input, c.Answer = name, input, answer
	c.Case = interaction.Case{Name: name, Answer: "-"}
	if c.Case.Input, err = hashFile(input); err == nil && answer != "" {
		c.Case.Answer, err = hashFile(answer)
	}
	return c, err
}

// likeExtra returns a case that has what is the same in all cases that are not in the package.
func (p *Problem) likeExtra() ProblemCase {
	c := p.Cases[len(p.Cases)-1]
	if i := slices.IndexFunc(p.Cases, func(c ProblemCase) bool { return strings.HasPrefix(c.Name, "secret/") }); i >= 0 {
		c = p.Cases[i]
	}
	c.Files = ""
	return c
}

func hashFile(name string) (string, error) {
	text, err := os.ReadFile(name)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}

// Model returns the first submission that must be accepted on all cases, and with the highest
// score: its output may be the answer to an input.
func (p *Problem) Model() (Submission, bool) {
	only := func(classes []string) bool {
		return len(classes) > 0 && !slices.ContainsFunc(classes, func(c string) bool { return c != Accepted })
	}
	i := slices.IndexFunc(p.Submissions, func(s Submission) bool { return only(s.Permitted) && only(s.Required) && !s.Score.Below })
	if i < 0 {
		return Submission{}, false
	}
	return p.Submissions[i], true
}

// AnswersAreEmpty reports whether the answers of all cases are empty, so that no judge can have
// read anything in them.
func (p *Problem) AnswersAreEmpty() bool {
	const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" // SHA-256
	return !slices.ContainsFunc(p.Cases, func(c ProblemCase) bool { return c.Case.Answer != empty })
}

// GivesAnswer reports whether the judge is told where the answer is.
func (p *Problem) GivesAnswer() bool {
	return !p.hasJudge() || slices.ContainsFunc(p.Argv, func(word string) bool { return strings.Contains(word, "{ans}") })
}

// Bounds on a generator of inputs.
const (
	generatorTime = 10 * time.Second // CPU time
	maxGenerated  = 64 << 20         // bytes
)

// Generate has a program print an input: a seed and a size are its last arguments. Why says how
// it has failed; "" if it has not.
func (p *Problem) Generate(ctx context.Context, launcher sandbox.Launcher, generator program.Bot, seed, size int) (input []byte, why string, err error) {
	one := aside{
		launcher: launcher, part: generator, args: []string{fmt.Sprint(seed), fmt.Sprint(size)}, memory: p.JudgeMemory, time: generatorTime, most: maxGenerated,
		accepts: func(exit int) bool { return exit == 0 },
	}
	return one.run(ctx)
}

// answer keeps the output of a submission as the answer to its input, in place of judging it.
func (m *relayed) answer(output []byte) (bool, error) {
	if int64(len(output)) > m.Problem.Output {
		return false, errors.New("the answer is too long")
	}
	accept := 0
	if m.Problem.Format.Answer(accept, nil) != interaction.Accept {
		accept = 42
	}
	m.seen.add(referee.Exchange{Ended: true, Exit: accept})
	return true, os.WriteFile(m.Answer, output, 0o644)
}
