package shell

import (
	"bytes"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"umpire/referee/report"
)

// testShell returns a small command line, and what it prints in so many columns.
func testShell(columns int) (*Shell, *bytes.Buffer) {
	var out bytes.Buffer
	printer := report.NewPrinter(&out)
	printer.Columns = func() int { return columns }
	s := &Shell{
		App: &cli.App{Name: "x", Usage: "tries things", Commands: []*cli.Command{{
			Name: "do this", Aliases: []string{"it"}, Usage: "does this", ArgsUsage: "FILE", Category: "Things",
			Description: "One\ntwo three four five six.\n\nFormats:\n\n- a: the first\n  of all kinds\n- bb: second\n\nLast.",
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "time", Usage: "the time `D` that a bot has"},
				&cli.StringFlag{Name: "far", Usage: "how `FAR`"}, &cli.BoolFlag{Name: "quiet", Usage: "say less"},
			},
			Action: func(*cli.Context) error { return nil },
		}}},
		Version: "1", Out: printer,
		Examples:   map[string][]string{"do this": {"x 'y'"}},
		FlagGroups: []FlagGroup{{Title: "Limits", Flags: []string{"time"}}, {Title: "Outside", Flags: []string{"far"}, Rare: true}},
		Topics:     []Topic{{Name: "why", About: "the reasons", Text: func() string { return "Because.\n" }, Commands: []string{"do this"}}},
	}
	s.Add("Rest")
	return s, &out
}

// TestPage: paragraphs are filled, lists keep their columns, and rare flags are
// only counted.
func TestPage(t *testing.T) {
	s, out := testShell(20)
	const want = `x do this - does
this (also x it)

Usage:
  x do this [FLAGS]
      FILE

One two three four
five six.

Formats:

- a: the first of
  all kinds
- bb: second

Last.

Flags:
  --quiet
      say less

Limits:
  --time D
      the time D
      that a bot has

More:
  --help=all
      explain 1 more
      flag: outside

Examples:
  x 'y'

See also:
  x help topic why
      the reasons
`
	if err := s.Run(t.Context(), []string{"do", "this", "--help"}); err != nil || out.String() != want {
		t.Errorf("%v: found\n%s\nexpected\n%s", err, out, want)
	}
}

// TestHelpAsked: help is found in all the ways in which people ask for it.
func TestHelpAsked(t *testing.T) {
	for line, want := range map[string]string{
		"":                       "COMMAND [FLAGS]",
		"help":                   "COMMAND [FLAGS]",
		"--help":                 "COMMAND [FLAGS]",
		"-h":                     "COMMAND [FLAGS]",
		"help --help do this":    "explain 1 more flag: outside",
		"help do this":           "explain 1 more flag: outside",
		"help do this --all":     "how FAR",
		"do this --help=all":     "how FAR",
		"do this file -h":        "explain 1 more flag: outside",
		"it --time 3 --help":     "explain 1 more flag: outside",
		"do":                     "do this  does this (also x it)",
		"help do":                "do this  does this (also x it)",
		"do --help":              "do this  does this (also x it)",
		"help topic":             "help topic why  the reasons",
		"help topic why":         "Because.",
		"help why":               "Because.",
		"--version":              "x version 1",
		"version":                "x version 1",
		"help topic wyh":         "!did you mean help topic why?",
		"help topic nope":        `!unknown topic "nope"; the topics are why$`,
		"help topics":            "help topic why  the reasons",
		"help topics why":        "Because.",
		"it --quiet=maybe":       `!--quiet: found "maybe", expected true or false$`,
		"help it do":             "explain 1 more flag: outside",
		"do that":                `!unknown command "do that"; did you mean do this?`,
		"do what":                `!unknown command "do what"; the commands are do this$`,
		"version 3":              "!version stands alone",
		"--vresion":              "!did you mean --version?",
		"it --tiem 3":            "!unknown flag --tiem of x do this; did you mean --time?",
		"do this -- --help":      "",
		"do this --time=a --far": "!--far: found nothing after it, expected a value",
	} {
		s, out := testShell(80)
		err := s.Run(t.Context(), strings.Fields(line))
		if wrong, isError := strings.CutPrefix(want, "!"); isError {
			if err == nil || !strings.Contains(err.Error()+"$", wrong) {
				t.Errorf("%q: found error %v, expected %q", line, err, wrong)
			}
		} else if err != nil || !strings.Contains(out.String(), want) || want == "" && out.Len() > 0 {
			t.Errorf("%q: %v: found\n%s\nexpected %q", line, err, out, want)
		}
	}
}

// TestManPage: the manual page has the help of all commands, and nothing in it
// is taken for markup.
func TestManPage(t *testing.T) {
	s, out := testShell(20)
	s.App.Commands[0].Description = ".SH nothing `but` 'text' \\n"
	if err := s.Run(t.Context(), []string{"man"}); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"\n.SH x do this\n", "\n.SS Outside\n", "how FAR", "\n\\&.SH nothing \\(gabut\\(ga 'text' \\en\n", "\n.B\n\\-\\-time D\n", "\nx \\(aqy\\(aq\n"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("the page has no %q: %s", part, out)
		}
	}
}
