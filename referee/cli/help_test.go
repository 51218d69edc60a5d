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
		app := a.command()
		names := []string{""}
		for _, c := range app.VisibleCommands() {
			names = append(names, c.Name)
		}
		for _, name := range names {
			out.Reset()
			args := strings.Fields("umpire " + name + " --help")
			if err := a.command().Run(args); err != nil {
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
	app := a.command()
	for name := range examples {
		if name != "" && app.Command(name) == nil {
			t.Errorf("there are examples of an unknown command %q", name)
		}
		for _, line := range a.examples(name) {
			_, line, _ = strings.Cut(line, "umpire ")
			line, _, _ = strings.Cut(strings.NewReplacer("|", ">", ")", ">").Replace(line), ">")
			if _, err := a.flagsFirst(app, strings.Fields(line)); err != nil && !strings.Contains(line, "'") {
				t.Errorf("example %q of %q: %v", line, name, err)
			}
			if command, _, _ := strings.Cut(line, " "); name != "" && command != name {
				t.Errorf("example %q of %q is of another command", line, name)
			}
		}
	}
}

// TestFlagGroups: the headings name only flags that exist, each once.
func TestFlagGroups(t *testing.T) {
	a := newApp(strings.NewReader(""), nil, nil, os.DirFS("../../testdata/cases"))
	exists := make(map[string]bool)
	for _, c := range a.command().Commands {
		for _, f := range c.Flags {
			exists[f.Names()[0]] = true
		}
	}
	for _, group := range flagGroups {
		for _, name := range group.names {
			if !exists[name] {
				t.Errorf("%s: flag %s is unknown, or there twice", group.title, name)
			}
			delete(exists, name)
		}
	}
}
