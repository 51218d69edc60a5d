package starters_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"umpire/bots/examples/starters"
	"umpire/protocols/catalog"
)

// TestStartersAreAlike checks that a game with starters has one in each language,
// and that all are built alike: what a contestant learns in one serves in the
// others. A new game may come without.
func TestStartersAreAlike(t *testing.T) {
	want := []string{".c", ".cpp", ".cs", ".go", ".java", ".js", ".py", ".rs"}
	games := 0
	for _, g := range catalog.Games() {
		list, err := starters.Of(g.Name)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) == 0 {
			continue
		}
		games++
		var suffixes []string
		for _, s := range list {
			suffixes = append(suffixes, filepath.Ext(s.File))
			source := string(s.Source)
			for _, part := range []string{
				"A starter for ", "The protocol", "umpire games " + g.Name,
				"  read ", "  write ", "Debug output goes to standard error",
			} {
				if !strings.Contains(source, part) && !strings.Contains(source, strings.ToLower(part[:1])+part[1:]) {
					t.Errorf("%s/%s has no %q", g.Name, s.File, part)
				}
			}
			if n := strings.Count(source, "YOUR "); n != 1 {
				t.Errorf("%s/%s says %d times what is the contestant's, want once", g.Name, s.File, n)
			}
			if strings.Contains(source, "go:build") || strings.Contains(source, "\n@") {
				t.Errorf("%s/%s holds a line for the build of this module or the choice of parts", g.Name, s.File)
			}
		}
		if slices.Sort(suffixes); !slices.Equal(suffixes, want) {
			t.Errorf("%s has starters %v, want %v", g.Name, suffixes, want)
		}
	}
	if games < 10 {
		t.Errorf("%d games have starters, want 10 or more", games)
	}
}

// TestSharedSources checks the marks of the sources that several games share: the
// folder's name has all the games, and each mark some of them.
func TestSharedSources(t *testing.T) {
	sources, err := filepath.Glob("*/*.parts")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range sources {
		games := strings.Split(filepath.Dir(path), "+")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			only, isMark := strings.CutPrefix(line, "@only ")
			marked := strings.Fields(only)
			if !isMark {
				if strings.HasPrefix(strings.TrimSpace(line), "@") && line != "@all" {
					t.Errorf("%s:%d: %q is no mark", path, i+1, line)
				}
				continue
			}
			if len(marked) == 0 || len(marked) >= len(games) || slices.ContainsFunc(marked, func(g string) bool { return !slices.Contains(games, g) }) {
				t.Errorf("%s:%d: found games %q, expected some of %q, not all", path, i+1, marked, games)
			}
		}
		if !strings.HasSuffix(string(text), "\n") {
			t.Errorf("%s does not end with a newline", path)
		}
	}
	if len(sources) == 0 {
		t.Error("found no shared source")
	}
}

func TestParts(t *testing.T) {
	const source = "all GAME\n@only nim hex\nnim and hex\n@only go\n\tonly GAME\n@all\n @all the same\n"
	for game, want := range map[string]string{
		"nim": "all nim\nnim and hex\n @all the same\n",
		"go":  "all go\n\tonly go\n @all the same\n",
	} {
		if got := string(starters.PartsOf(game, []byte(source))); got != want {
			t.Errorf("%s gets %q, want %q", game, got, want)
		}
	}
}

func TestGameWithoutStarters(t *testing.T) {
	if list, err := starters.Of("chess"); len(list) != 0 || err != nil {
		t.Errorf("found %v, %v, want none", list, err)
	}
}
