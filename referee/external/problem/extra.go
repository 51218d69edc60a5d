package problem

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"slices"
	"strings"

	"umpire/referee/interaction"
)

// ExtraCase returns a case with an input and an answer that are not in the package, which are
// files by absolute paths. All else is as in the first case of its secret data, or in its last
// case. An answer "" is not known yet, see Answer of judging.Relay, or never.
func (p *Problem) ExtraCase(name, input, answer string) (c Case, err error) {
	c = p.Template()
	c.Name, c.Input, c.Answer = name, input, answer
	c.Case = interaction.Case{Name: name, Answer: "-"}
	if c.Case.Input, err = hashFile(input); err == nil && answer != "" {
		c.Case.Answer, err = hashFile(answer)
	}
	return c, err
}

// WithInput returns the name, in the problem's set, of the case whose input is a file.
func (p *Problem) WithInput(name string) (string, bool) {
	file, err := os.Stat(name)
	if err != nil {
		return "", false
	}
	i := slices.IndexFunc(p.Cases, func(c Case) bool {
		own, err := os.Stat(c.Input)
		return err == nil && os.SameFile(own, file)
	})
	if i < 0 {
		return "", false
	}
	return SetName(p.Cases[i].Name), true
}

// Template returns a case that has what is the same in all cases that are not in the package.
func (p *Problem) Template() Case {
	c := p.Cases[len(p.Cases)-1]
	if i := slices.IndexFunc(p.Cases, func(c Case) bool { return strings.HasPrefix(c.Name, "secret/") }); i >= 0 {
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
	return !slices.ContainsFunc(p.Cases, func(c Case) bool { return c.Case.Answer != empty })
}

// GivesAnswer reports whether the judge is told where the answer is.
func (p *Problem) GivesAnswer() bool {
	return !p.HasJudge() || p.gives("{ans}")
}

// GivesOutput reports whether judges are told where the output is, which they else read from
// their standard input.
func (p *Problem) GivesOutput() bool { return p.gives("{out}") }

func (p *Problem) gives(what string) bool {
	return slices.ContainsFunc(p.Argv, func(word string) bool { return strings.Contains(word, what) })
}
