// Package lone makes a problem of a folder of cases and a judge that lies elsewhere. It runs
// nothing, and knows neither matches nor commands.
package lone

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"umpire/referee/external/problem"
	"umpire/referee/external/tree"
	"umpire/referee/interaction"
	"umpire/referee/pattern"
	"umpire/referee/program/build"
	"umpire/referee/suggest"
)

// Judge is a judge as the user names it.
type Judge struct {
	Command string // a source file or a command line, maybe with arguments in which {in}, {out}, {ans} and {feedback} stand for files
	Format  string // of FormatNames
}

// formats are those that a judge may have, with the arguments that it gets where the command
// says none.
var formats = []struct {
	name interaction.Format
	argv []string
}{
	{interaction.Kattis, []string{"{in}", "{ans}", "{feedback}/"}},
	{interaction.Testlib, []string{"{in}", "{out}", "{ans}"}},
	{interaction.CodeJam, nil},
}

// Load makes a problem of a folder of cases, or of one case: each is a file NAME.in, with
// NAME.ans beside it if the judge reads an answer.
func Load(ctx context.Context, cases string, judge Judge) (*problem.Problem, error) {
	format := slices.Index(FormatNames(), judge.Format)
	if format < 0 {
		return nil, fmt.Errorf("--judge-format: found %q, expected %s", judge.Format, strings.Join(FormatNames(), ", "))
	}
	command, own, err := split(judge.Command)
	if err != nil {
		return nil, fmt.Errorf("--judge: %w", err)
	}
	if !slices.ContainsFunc(own, isPlaceholder) {
		own = append(own, formats[format].argv...)
	}
	dir, only, err := folderOf(cases)
	if err != nil {
		return nil, err
	}
	files, err := tree.Read(ctx, dir, nil)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	p := problem.New(files.Path("."), formats[format].name)
	p.Title, p.Interactive, p.Command, p.Argv, p.LimitFrom = p.Name, true, command, own, "--time sets another"
	if err := findCases(files, p, only); err != nil {
		return nil, err
	}
	if p.Digest, err = digest(ctx, p, judge); err != nil {
		return nil, err
	}
	p.Describe(fmt.Sprintf("cases with a judge of their own, format %s", judge.Format), nil)
	return p, nil
}

// FormatNames are the formats that a judge may have.
func FormatNames() (list []string) {
	for _, f := range formats {
		list = append(list, string(f.name))
	}
	return list
}

// placeholders are words that stand for files.
var placeholders = []string{"{in}", "{out}", "{ans}", "{feedback}"}

// braced matches a word, or the value of a flag, that consists of a name in braces, one of which may be missing.
var braced = pattern.New(`^(?:-[^=]*=)?(\{([A-Za-z_]{2,})(?:\}/?|/)?)$`)

// otherNames are names that other tools have for such files.
var otherNames = []string{"input", "infile", "output", "outfile", "answer", "sol", "solution", "expected"}

// checkBraces refuses misspelt placeholders: the judge would take them for names of files, and
// the submission would pay for that. What resembles one that the words also have is the judge's own.
func checkBraces(words []string) error {
	for _, word := range words {
		found := braced().FindStringSubmatch(word)
		if found == nil || isPlaceholder(word) || isProgram(word) {
			continue
		}
		near := suggest.Nearest("{"+found[2]+"}", placeholders)
		switch {
		case slices.Contains(otherNames, found[2]):
			return fmt.Errorf("found %s, expected one of %s", found[1], strings.Join(placeholders, " "))
		case near != "" && !strings.Contains(strings.Join(words, " "), near):
			return fmt.Errorf("found %s, expected one of %s, or %s as well", found[1], strings.Join(placeholders, " "), near)
		}
	}
	return nil
}

func isPlaceholder(word string) bool {
	return slices.ContainsFunc(placeholders, func(p string) bool { return strings.Contains(word, p) })
}

// split splits a command into the program, and its own arguments: where it begins with a
// source file, all that follows that; else what begins with the first placeholder.
func split(command string) (program string, argv []string, err error) {
	words, err := build.SplitWords(command)
	if err != nil {
		return "", nil, err
	}
	if isProgram(command) {
		return command, nil, nil
	}
	if err := checkBraces(words); err != nil {
		return "", nil, err
	}
	if isProgram(words[0]) {
		return words[0], words[1:], nil
	}
	at := len(command)
	for _, p := range placeholders {
		if i := strings.Index(command, p); i >= 0 {
			at = min(at, strings.LastIndexAny(command[:i], " \t")+1)
		}
	}
	if at < len(command) {
		argv, err = build.SplitWords(command[at:])
	}
	return strings.TrimSpace(command[:at]), argv, err
}

// isProgram reports whether a word is the path of a file or a folder.
func isProgram(word string) bool {
	info, err := os.Stat(word)
	return err == nil && (info.Mode().IsRegular() || info.IsDir())
}

// folderOf returns the folder that holds the cases, and the name of the case if only one is
// meant.
func folderOf(cases string) (dir, only string, err error) {
	info, err := os.Stat(cases)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", "", fmt.Errorf("%s: found no such folder or file, expected cases: a folder with files NAME.in, or one of these", cases)
	case err != nil:
		return "", "", err
	case info.IsDir():
		return cases, "", nil
	case filepath.Ext(cases) != ".in":
		return "", "", fmt.Errorf("%s: is no case, expected a file NAME.in, or a folder of such files", cases)
	}
	return filepath.Dir(cases), filepath.Base(cases), nil
}

// findCases finds the cases in a folder and in those in it.
func findCases(files *tree.Tree, p *problem.Problem, only string) error {
	for _, name := range slices.Sorted(maps.Keys(files.Files)) {
		if path.Ext(name) != ".in" || only != "" && name != only {
			continue
		}
		stem := strings.TrimSuffix(name, ".in")
		answer := stem + ".ans"
		if strings.ContainsAny(stem, " \t\n") {
			return files.Mistake(name, 0, "found a space in the name of a case, expected letters, digits, -, _ and .")
		}
		c := problem.Case{Name: stem, Input: files.Path(name), Case: interaction.Case{Input: files.Files[name], Answer: "-"}}
		if path.Dir(name) == "." {
			c.Name = "cases/" + stem
		}
		switch sum := files.Files[answer]; {
		case sum != "":
			c.Answer, c.Case.Answer = files.Path(answer), sum
		case p.GivesAnswer():
			return files.Mistake(name, 0, "found no %s beside it, expected the answer, which may be empty, for {ans} of the judge", path.Base(answer))
		}
		c.Case.Name = c.Name
		p.Cases = append(p.Cases, c)
	}
	if len(p.Cases) == 0 {
		return files.Mistake("", 0, "found no cases, expected files NAME.in")
	}
	return nil
}

// digest covers the cases, the command, and the files that it names.
func digest(ctx context.Context, p *problem.Problem, judge Judge) (string, error) {
	parts := []string{judge.Format, judge.Command}
	for _, c := range p.Cases {
		parts = append(parts, c.Case.String())
	}
	words, err := build.SplitWords(judge.Command)
	if err != nil {
		return "", err
	}
	for _, word := range append(words, judge.Command) {
		if !isProgram(word) {
			continue
		}
		_, _, sum, err := build.ReadFiles(ctx, word, nil)
		if err != nil {
			return "", fmt.Errorf("--judge: %s: %w", word, err)
		}
		parts = append(parts, sum)
	}
	return build.Digest(parts...), nil
}
