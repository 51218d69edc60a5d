package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"umpire/referee/report"
)

// TestHelp: the help of every command fits terminals of several widths as far
// as single words allow, has examples that are understood, and says defaults
// once.
func TestHelp(t *testing.T) {
	for _, columns := range []int{40, 60, 80, 120} {
		var out bytes.Buffer
		a := newApp(strings.NewReader(""), &out, &out, os.DirFS("../../testdata/cases"))
		a.out.Columns = func() int { return columns }
		names := []string{""}
		for _, c := range a.shell().App.Commands {
			if !c.Hidden {
				names = append(names, c.Name)
			}
		}
		for _, name := range names {
			out.Reset()
			if err := a.run(t.Context(), append(strings.Fields(name), "--help=all")); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(out.String()) {
				line = strings.TrimSuffix(line, "\n")
				if n := report.Width(line); n > columns && strings.Contains(strings.TrimLeft(line, " -"), " ") && !strings.HasPrefix(line, "  -") {
					t.Errorf("umpire %s --help: in %d columns: %d columns: %q", name, columns, n, line)
				}
				if strings.Count(line, "default") > 1 {
					t.Errorf("umpire %s --help: a default is said twice: %q", name, line)
				}
			}
			if len(examples[name]) == 0 || !strings.Contains(out.String(), "\nExamples:\n  ") {
				t.Errorf("umpire %s --help has no examples", name)
			}
		}
	}
}

// TestExamples: the examples of the help are command lines that umpire
// understands.
func TestExamples(t *testing.T) {
	a := newApp(strings.NewReader(""), nil, nil, os.DirFS("../../testdata/cases"))
	s := a.shell()
	for name, lines := range s.Examples {
		for _, line := range lines {
			_, line, _ = strings.Cut(line, "umpire ")
			line, _, _ = strings.Cut(strings.NewReplacer("|", ">", ")", ">").Replace(line), ">")
			if _, err := s.Sort(strings.Fields(line)); err != nil && !strings.Contains(line, "'") {
				t.Errorf("example %q of %q: %v", line, name, err)
			}
			if name != "" && !strings.HasPrefix(line+" ", name+" ") {
				t.Errorf("example %q of %q is of another command", line, name)
			}
		}
	}
}

// TestFlagGroups: the headings name only flags that exist, each once.
func TestFlagGroups(t *testing.T) {
	a := newApp(strings.NewReader(""), nil, nil, os.DirFS("../../testdata/cases"))
	exists := make(map[string]bool)
	for _, c := range a.shell().App.Commands {
		for _, f := range c.Flags {
			exists[f.Names()[0]] = true
		}
	}
	for _, group := range flagGroups {
		for _, name := range group.Flags {
			if !exists[name] {
				t.Errorf("%s: flag %s is unknown, or there twice", group.Title, name)
			}
			delete(exists, name)
		}
	}
}
