package starters_test

import (
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
			if strings.Contains(source, "go:build") {
				t.Errorf("%s/%s is kept from being built", g.Name, s.File)
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

func TestGameWithoutStarters(t *testing.T) {
	if list, err := starters.Of("chess"); len(list) != 0 || err != nil {
		t.Errorf("found %v, %v, want none", list, err)
	}
}
