package catalog_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"umpire/protocols/catalog"
)

// TestNoFileNamesAGame keeps games out of the rest of the program: all it
// needs to know about one is a fact in protocols.Game.
func TestNoFileNamesAGame(t *testing.T) {
	var names []string
	for _, g := range catalog.Games() {
		names = append(names, regexp.QuoteMeta(g.Name), regexp.QuoteMeta(g.Title))
	}
	game := regexp.MustCompile(`(?i)\b(` + strings.Join(names, "|") + `)\b`)
	root := os.DirFS("../..")
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (path == "protocols" || path == "bots" || path == "testdata" || path == ".git") {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := fs.ReadFile(root, path)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(text), "\n") {
			if found := game.FindString(line); found != "" {
				t.Errorf("%s:%d names the game %s", path, i+1, found)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestGamesHaveTheSameFiles keeps the games in one dialect: a reader finds the
// same parts in the same files of each.
func TestGamesHaveTheSameFiles(t *testing.T) {
	folders, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	games := 0
	for _, folder := range folders {
		name := folder.Name()
		if !folder.IsDir() || name == "catalog" || name == "protocoltest" || name == "svg" {
			continue
		}
		games++
		for _, file := range []string{
			name + ".go", "case.go", "generate.go", "match.go", "picture.go", "svg.go",
			"case_test.go", "match_test.go", "conformance_test.go",
			"../../bots/" + name + "/bots.go", "../../bots/" + name + "/bots_test.go",
		} {
			if _, err := os.Stat(filepath.Join("..", name, file)); err != nil {
				t.Errorf("game %s: %v", name, err)
			}
		}
		text, err := os.ReadFile(filepath.Join("..", name, "case.go"))
		if err != nil {
			continue
		}
		for _, part := range []string{"\ntype Case ", "\nfunc parse(text string) (protocols.Case, error) {", ") Start(seats int) protocols.Match {"} {
			if !strings.Contains(string(text), part) {
				t.Errorf("game %s: case.go has no %q", name, strings.TrimSpace(part))
			}
		}
	}
	if games < 5 {
		t.Errorf("found %d games, expected 5 or more", games)
	}
}
