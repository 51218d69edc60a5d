package cms

import (
	"fmt"
	"math/big"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"umpire/referee/external/problem"
	"umpire/referee/interaction"
)

// genFile says by its lines how inputs are made, and by its comments what they are worth.
const genFile = "gen/GEN"

// maxCases bounds what a file may ask for.
const maxCases = 10_000

// subtask is a group of cases that lie one after the other.
type subtask struct {
	points *big.Rat
	cases  int
	line   int
}

// readGen returns the subtasks of gen/GEN, none if it has none, and how many cases it makes;
// negative: there is no such file.
func (f *folder) readGen() (list []subtask, cases int, err error) {
	if f.Files[genFile] == "" {
		return nil, -1, nil
	}
	text, err := f.Text(genFile)
	if err != nil {
		return nil, 0, err
	}
	for n, line := range strings.Split(string(text), "\n") {
		test, comment, _ := strings.Cut(line, "#")
		test, comment = strings.TrimSpace(test), strings.TrimSpace(comment)
		points, opens := strings.CutPrefix(comment, "ST:")
		copies := strings.HasPrefix(comment, "COPY:")
		switch {
		case test != "" && (opens || copies), opens && copies:
			return nil, 0, f.Mistake(genFile, n+1, "found a case and a command in one line, expected each in its own")
		case opens:
			worth, err := problem.ParseNumber(points)
			if err != nil || worth.Sign() < 0 || worth.Cmp(big.NewRat(1e6, 1)) > 0 {
				return nil, 0, f.Mistake(genFile, n+1, "#ST: found %q, expected points, such as 30", strings.TrimSpace(points))
			}
			if len(list) == 0 && cases > 0 {
				return nil, 0, f.Mistake(genFile, n+1, "found cases before the first #ST:, expected none")
			}
			list = append(list, subtask{points: worth, line: n + 1})
		case test != "" || copies:
			if cases++; len(list) > 0 {
				list[len(list)-1].cases++
			}
		}
	}
	for _, one := range list {
		if one.cases == 0 {
			return nil, 0, f.Mistake(genFile, one.line, "#ST: found no cases in this subtask, expected lines below it")
		}
	}
	return list, cases, nil
}

// findCases finds the inputs, and what they are worth.
func (f *folder) findCases() error {
	subtasks, count, err := f.readGen()
	if err != nil {
		return err
	}
	switch said := f.values.Inputs; {
	case said != nil && count >= 0 && *said != count:
		return f.wrong("n_input", "n_input: found %d, and %s makes %d cases", *said, genFile, count)
	case said != nil:
		count = *said
	case count < 0:
		for count = 0; f.Files[inputName(count)] != ""; count++ {
		}
	}
	switch {
	case count < 1 && (f.Dirs["gen"] || f.Files[genFile] != ""):
		return f.Mistake(Marker, 0, "found no cases, expected %s and others: generate them first, by what is in gen/", inputName(0))
	case count < 1 || count > maxCases:
		return f.wrong("n_input", "found %d cases, expected 1 to %d: files %s and others, and their number as n_input", count, maxCases, inputName(0))
	}
	largest := int64(0)
	for i := range count {
		name := inputName(i)
		if f.Files[name] == "" {
			hint := ""
			if f.Dirs["gen"] {
				hint = ": generate them first, by what is in gen/"
			}
			return f.Mistake(name, 0, "found no such file, of %d cases%s", count, hint)
		}
		if info, err := os.Stat(f.Path(name)); err == nil {
			largest = max(largest, info.Size())
		}
		f.Cases = append(f.Cases, problem.Case{Input: f.Path(name), Case: interaction.Case{Input: f.Files[name], Answer: "-"}, Worth: &problem.Worth{}})
	}
	f.JudgeOutput += largest // the input is in the same folder
	if more := inputName(count); f.Files[more] != "" {
		f.Warn("%s: not used: there are %d cases", more, count)
	}
	if f.grade(subtasks); f.Grading.Max == nil {
		return f.wrong("total_value", "total_value: found %v, expected a number above 0", *f.values.Total)
	}
	return nil
}

func inputName(i int) string { return "input/input" + strconv.Itoa(i) + ".txt" }

// grade names the cases, and makes the groups of the subtasks or, without these, one sum.
func (f *folder) grade(subtasks []subtask) {
	root := &problem.Group{Score: problem.Sum}
	f.Grading = root
	if len(subtasks) == 0 {
		total := big.NewRat(100, 1)
		if n := f.values.Total; n != nil {
			if !(*n > 0) || *n > 1e6 {
				return
			}
			total.SetString(strconv.FormatFloat(*n, 'f', -1, 64))
		}
		root.Max, root.Times = total, new(big.Rat).Quo(total, big.NewRat(int64(len(f.Cases)), 1))
		for i := range f.Cases {
			root.Items = append(root.Items, problem.Item{Case: f.called(i, "input")})
		}
		return
	}
	root.Max = new(big.Rat)
	next, digits := 0, len(strconv.Itoa(len(subtasks)))
	for n, one := range subtasks {
		name := fmt.Sprintf("subtask%0*d", digits, n+1)
		g := &problem.Group{Name: name, Score: problem.Min, Max: one.points, Times: one.points}
		for range one.cases {
			g.Items = append(g.Items, problem.Item{Case: f.called(next, name)})
			next++
		}
		root.Items = append(root.Items, problem.Item{Group: g})
		root.Max.Add(root.Max, one.points)
	}
	if root.Max.Cmp(big.NewRat(100, 1)) != 0 {
		f.Warn("%s: the subtasks give %s points in all; CMS expects 100", genFile, root.Max.RatString())
	}
}

// called names a case of a group, by its number as CMS does.
func (f *folder) called(i int, group string) string {
	c := &f.Cases[i]
	c.Name = fmt.Sprintf("%s/%03d", group, i)
	c.Case.Name = c.Name
	return c.Name
}

// models begin the names of solutions that must get the full score.
var models = []string{"soluzione", "solution"}

// sources are the suffixes of files of sol/ that are submissions.
var sources = []string{".c", ".cpp", ".cc", ".cxx", ".py", ".java", ".pas", ".rs", ".go", ".kt", ".cs", ".hs", ".js", ".ml", ".rb"}

// findSubmissions finds the solutions. The format says nothing of what they get, but that
// the model solution gets all.
func (f *folder) findSubmissions() error {
	for _, name := range f.In("sol") {
		base, ext := path.Base(name), path.Ext(name)
		stem := strings.TrimSuffix(base, ext)
		if f.Files[name] == "" || isHeader(base) || slices.Contains([]string{stub, "grader", "template"}, stem) || !slices.Contains(sources, ext) {
			continue
		}
		s := problem.Submission{Name: base}
		if slices.Contains(models, stem) {
			s.Permitted, s.Required = []string{problem.Accepted}, []string{problem.Accepted}
			s.Score = problem.ScoreRange{Low: f.Grading.Max, High: f.Grading.Max}
		}
		f.Submissions = append(f.Submissions, s)
	}
	return nil
}
