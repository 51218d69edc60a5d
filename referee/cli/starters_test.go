//go:build linux

package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"umpire/bots/examples/starters"
	"umpire/protocols"
	"umpire/protocols/catalog"
	"umpire/referee/cases"
	"umpire/referee/program/build"
	"umpire/referee/testlevel"
)

// TestStarters makes a starter for each game in each language that is installed,
// and does with it what `umpire new` and its README say. By default that is
// one language and one case of each game; thoroughly, each game in every fourth language,
// by turns, games that are parts of another in one, and by hand each game and each
// language once; for a release, all, in all cases.
func TestStarters(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	t.Parallel()
	level := testlevel.Current()
	u := newUser(t)
	table, err := build.LoadLanguages(t.Context(), "")
	must(t, err)
	parts, tried, all := 0, 0, 0
	for i, g := range catalog.Games() {
		list, err := starters.Of(g.Name)
		must(t, err)
		_, _, part := strings.Cut(g.Name, "-")
		if part {
			parts++
		}
		for k, s := range list {
			lang := strings.TrimPrefix(filepath.Ext(s.File), ".")
			all++
			if level < testlevel.Thorough && lang != []string{"py", "c"}[i%2] || level == testlevel.Thorough && (part && k != parts%len(list) || !part && (i+k)%4 != 0) {
				continue
			}
			tried++
			t.Run(g.Name+"/"+lang, func(t *testing.T) {
				t.Parallel()
				if row, _ := table.ForFile(s.File); row.Missing() != "" {
					t.Skipf("%s is not installed", row.Missing())
				}
				dir := u.start(t, g, lang, s.File, level == testlevel.Release)
				if level != testlevel.Thorough || k == i%len(list) {
					u.byHand(t, dir)
				}
			})
		}
	}
	testlevel.Rest(t, tried, all)
}

// user types commands where umpire is installed.
type user struct{ dir string }

func newUser(t *testing.T) user {
	u := user{t.TempDir()}
	link(t, os.Args[0], filepath.Join(u.dir, "umpire"))
	return u
}

// types runs a line of a shell, which must end well, and returns its output. The
// starters' correctness is tested, not the speed of a machine with other tests.
func (u user) types(t *testing.T, dir, line, stdin string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", line)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
	cmd.Env = append(os.Environ(),
		"PATH="+u.dir+string(os.PathListSeparator)+os.Getenv("PATH"), "UMPIRE_CACHE="+filepath.Join(u.dir, "cache"),
		"XDG_CONFIG_HOME="+filepath.Join(u.dir, "config"), // no language table of the tester's own
		"UMPIRE_ISOLATION=none")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", line, err, out, &stderr)
	}
	return string(out)
}

// start goes the way of somebody who starts with a game, and returns the bot's folder.
func (u user) start(t *testing.T, g protocols.Game, lang, file string, allCases bool) string {
	dir := t.TempDir()
	said := u.types(t, dir, "umpire new "+g.Name+" bot --lang "+lang, "")
	_, next, ok := strings.Cut(said, "\nnext: ")
	if !ok {
		t.Fatalf("said no next command:\n%s", said)
	}
	set, err := cases.Load(standardCases(), g.Name, g)
	must(t, err)
	one := " --case " + set.Cases[0].Name
	conditions := " --time 2m --startup 2m --quiet"
	if !allCases {
		conditions += one
	}
	u.types(t, dir, strings.TrimSpace(next)+conditions, "")
	if g.MaxSeats > len(g.PlayedSeats()) { // the other seat, too
		out := u.types(t, dir, "umpire match "+g.Name+" @"+g.DefaultOpponent+" bot/"+file+" --json --time 2m --startup 2m"+one, "")
		if n := strings.Count(out, `"verdict":"ok"`); n != g.MaxSeats {
			t.Errorf("%d of %d seats are ok in\n%s", n, g.MaxSeats, out)
		}
	}
	return filepath.Join(dir, "bot")
}

// byHand runs a starter as its README says. It must answer the lines that the
// README shows, and may not like that no more come.
func (u user) byHand(t *testing.T, dir string) {
	readme, err := os.ReadFile(filepath.Join(dir, "README.md"))
	must(t, err)
	_, section, _ := strings.Cut(string(readme), "\n## Run\n")
	section, _, _ = strings.Cut(section, "\n## ")
	commands, input, typed := strings.Cut(section, "\nThen type ")
	lines := indented(commands)
	if typed {
		lines[len(lines)-1] += " || true"
	}
	if out := u.types(t, dir, strings.Join(lines, " && "), strings.Join(indented(input), "\n")+"\n"); strings.TrimSpace(out) == "" {
		t.Errorf("%q prints nothing", lines)
	}
}

// indented are the lines of a text that Markdown shows as they are.
func indented(text string) (lines []string) {
	for line := range strings.Lines(text) {
		if code, ok := strings.CutPrefix(line, "    "); ok {
			lines = append(lines, strings.TrimRight(code, "\n"))
		}
	}
	return lines
}
