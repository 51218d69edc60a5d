package cli_test

import (
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"umpire/referee/pattern"
	"umpire/referee/report"
	"umpire/referee/testlevel"
)

// documents returns the Markdown files of the repository, by name.
func documents(t *testing.T) map[string]string {
	t.Helper()
	all := make(map[string]string)
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if err != nil || filepath.Ext(name) != ".md" {
			return err
		}
		text, err := os.ReadFile(name)
		all[name] = string(text)
		return err
	})
	if err != nil || len(all) < 15 {
		t.Fatalf("found %d documents: %v", len(all), err)
	}
	return all
}

// Links in Markdown, and what is no letter, digit, hyphen or space of a heading.
var (
	linked       = pattern.New(`\]\(([^)\s]+)\)`)
	notInAnchors = pattern.New(`[^\p{L}\p{N} _-]`)
)

// TestLinks: every link between documents leads to a file, and to a heading in it
// if it names one.
func TestLinks(t *testing.T) {
	all := documents(t)
	found := 0
	for name, text := range all {
		for _, match := range linked().FindAllStringSubmatch(text, -1) {
			if strings.Contains(match[1], ":") || strings.Contains(match[1], "{{") {
				continue // elsewhere
			}
			found++
			path, anchor, _ := strings.Cut(match[1], "#")
			target := name
			if path != "" {
				target = filepath.Join(filepath.Dir(name), path)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: %v", name, match[1], err)
			}
			if anchor == "" {
				continue
			}
			headings := []string{}
			for line := range strings.Lines(all[target]) {
				if title := strings.TrimLeft(line, "#"); title != line {
					title = notInAnchors().ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
					headings = append(headings, strings.ReplaceAll(title, " ", "-"))
				}
			}
			if !slices.Contains(headings, anchor) {
				t.Errorf("%s links to %s, expected one of the headings %q", name, match[1], headings)
			}
		}
	}
	if found < 20 {
		t.Errorf("found %d links", found)
	}
}

// TestProseWidth: prose is at most 120 columns wide; tables and what is shown as it
// is may be wider. The README is a page or two.
func TestProseWidth(t *testing.T) {
	for name, text := range documents(t) {
		lines := strings.Split(text, "\n")
		if name == "../../README.md" && len(lines) > 151 {
			t.Errorf("%s has %d lines, expected at most 150", name, len(lines)-1)
		}
		if slices.Contains(widerProse, strings.TrimPrefix(name, "../../")) {
			continue
		}
		for i, line := range lines {
			if report.Width(line) > 120 && !strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "    ") {
				t.Errorf("%s:%d: %d columns", name, i+1, report.Width(line))
			}
		}
	}
}

// TestEnvironment: the topic about environment variables names each that the
// program reads or sets, and no others of umpire's.
func TestEnvironment(t *testing.T) {
	named := regexp.MustCompile(`(?:Getenv|LookupEnv)\("([A-Z_]+)"|\W(UMPIRE_[A-Z_]+)`)
	topic := runSafe(t, t.TempDir(), 0, "help", "topic", "environment")
	used := make(map[string]bool)
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || filepath.Base(name) == "topics.go" {
			return err
		}
		if built, err := build.Default.MatchFile(filepath.Dir(name), d.Name()); !built {
			return err // it is of another system
		}
		text, err := os.ReadFile(name)
		for _, match := range named.FindAllStringSubmatch(string(text), -1) {
			variable := match[1] + match[2]
			used[variable] = true
			if !strings.Contains(topic, "`"+variable+"`") {
				t.Errorf("%s knows the variable %s, which the topic does not name", name, variable)
			}
		}
		return err
	})
	if err != nil || len(used) < 10 {
		t.Errorf("found %d variables: %v", len(used), err)
	}
	for _, match := range regexp.MustCompile("`(UMPIRE_[A-Z_]+)`").FindAllStringSubmatch(topic, -1) {
		if !used[match[1]] {
			t.Errorf("the topic names %s, which nothing knows", match[1])
		}
	}
}

// widerProse lists documents with wider lines: lines that are filled in, figures
// and forms.
var widerProse = []string{"referee/cli/new.md", "CONTRIBUTING.md", "referee/record/README.md", "referee/sandbox/README.md", "scripts/bench/README.md"}

// varying matches what differs from run to run, and from machine to machine.
var varying = pattern.New(`[0-9.]+ (ms|s|MiB)\b|isolation \w+| +`)

// TestShownRuns runs the commands whose output the documents show: all that is
// shown is printed, but for times, sizes and the level of isolation, and all that is
// printed is shown, unless a line is …. Tournaments, on all cases, are for thorough runs.
func TestShownRuns(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	t.Parallel()
	shown := regexp.MustCompile(`(?m)^    (?:\$ umpire|go run \.) (.*)\n((?:    .*\n|\n)*)`)
	normal := func(line string) string { return strings.TrimSpace(varying().ReplaceAllString(line, " ")) }
	ran := 0
	for _, name := range []string{"README.md", "referee/tournament/README.md", "referee/scoring/README.md"} {
		text, err := os.ReadFile(filepath.Join("../..", name))
		must(t, err)
		for _, part := range shown.FindAllStringSubmatch(string(text), -1) {
			args := strings.Fields(part[1])
			if args[0] == "test" || args[0] == "match" || args[0] == "tournament" || args[0] == "score" {
				args = append(args, "--time", "5m", "--isolation", "none")
			}
			ran++
			t.Run(args[0], func(t *testing.T) {
				if args[0] == "tournament" {
					testlevel.Needs(t, testlevel.Thorough)
				}
				var printed []string
				for line := range strings.Lines(runSafe(t, t.TempDir(), 0, args...)) {
					printed = append(printed, normal(line))
				}
				var kept []string
				for line := range strings.Lines(part[2]) {
					if line = normal(line); line != "" && line != "…" && !slices.Contains(printed, line) {
						t.Errorf("%s: umpire %s does not print %q", name, part[1], line)
					}
					kept = append(kept, line)
				}
				for _, line := range printed {
					if !slices.Contains(kept, "…") && !slices.Contains(kept, line) {
						t.Errorf("%s: umpire %s prints %q, too, and there is no …", name, part[1], line)
					}
				}
			})
		}
	}
	if ran < 7 {
		t.Errorf("found %d commands with output", ran)
	}
}
