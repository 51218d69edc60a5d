package session

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"umpire/protocols"
	"umpire/referee/cases"
	"umpire/referee/external/problem"
	"umpire/referee/interaction"
	"umpire/referee/program/build"
)

// CaseSource reads cases: the standard ones, and others from this machine.
func (u *Umpire) CaseSource(ctx context.Context) cases.Source {
	read := func(name string) ([]byte, error) { return build.ReadFile(ctx, name) }
	return cases.Source{Standard: u.StandardCases(), ReadFile: read, Open: func(name string) (fs.FS, []byte, error) {
		info, err := os.Stat(name)
		if err != nil {
			return nil, nil, err
		}
		if info.IsDir() {
			return inputs{os.DirFS(name)}, nil, nil
		}
		text, err := read(name)
		return nil, text, err
	}}
}

// Choose returns the cases of a game that are chosen. That of a problem package may also be a
// file NAME.in with its answer in NAME.ans beside it, any file if its judge gets no answers, or
// the file of one of its inputs.
func (u *Umpire) Choose(ctx context.Context, g protocols.Game, c cases.Choice) (cases.Set, error) {
	source := u.CaseSource(ctx)
	if p := u.Problem(g); p != nil {
		if own, ok := p.WithInput(c.One); ok && c.From == "" {
			c.One = own
		}
		read := source.ReadFile
		source.ReadFile = func(name string) ([]byte, error) {
			text, err := read(name)
			switch {
			case err != nil:
				return nil, err
			case filepath.Ext(name) == ".in" || !p.GivesAnswer():
				return extraCase(p, name)
			}
			if _, err = interaction.ParseCase(string(text)); err != nil {
				err = fmt.Errorf("%s: expected an input, NAME.in, with its answer in NAME.ans beside it", fromHere(name))
			}
			return text, err
		}
	}
	return source.Choose(g, c)
}

// extraCase makes the case of an input and its answer, which are not in a package, known to it,
// and returns its text.
func extraCase(p *problem.Problem, input string) ([]byte, error) {
	input, err := filepath.Abs(input)
	if err != nil {
		return nil, err
	}
	stem := strings.TrimSuffix(input, filepath.Ext(input))
	answer := stem + ".ans"
	if _, err := os.Stat(answer); err != nil {
		if p.GivesAnswer() {
			return nil, fmt.Errorf("%s: found no %s.ans beside it, expected the answer, which may be empty", fromHere(input), filepath.Base(stem))
		}
		answer = ""
	}
	one, err := p.ExtraCase(strings.Join(strings.Fields(filepath.Base(stem)), "-"), input, answer)
	p.Extra = append(p.Extra, one)
	return []byte(one.Case.String()), err
}

// inputs is a folder whose files are checked to be regular and not too large to be
// read whole.
type inputs struct{ folder fs.FS }

func (i inputs) Open(name string) (fs.File, error) {
	info, err := fs.Stat(i.folder, name)
	if err == nil && !info.IsDir() && (!info.Mode().IsRegular() || info.Size() > build.MaxInput) {
		err = fmt.Errorf("%s: expected a regular file of at most %d MiB", name, build.MaxInput>>20)
	}
	if err != nil {
		return nil, err
	}
	return i.folder.Open(name)
}
