package catalog_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"umpire/protocols/catalog"
)

// ordinaryWords may be the name or title of a game, although the rest of the
// program uses them in its texts: whether it knows a game by such a name, this
// test can't say. If your game is called by such a word, add it here.
var ordinaryWords = []string{
	"all", "battle", "box", "case", "go", "group", "hex", "life", "line", "lines", "match", "order", "pairs", "race",
	"rounds", "set", "sum", "table", "tables", "total", "war", "words",
}

// TestNoFileNamesAGame keeps games out of the rest of the program: all it
// needs to know about one is a fact in protocols.Game. It looks at the texts of
// string literals.
func TestNoFileNamesAGame(t *testing.T) {
	literals := programTexts(t)
	for _, g := range catalog.Games() {
		var found []string
		for _, word := range []string{g.Name, g.Title} {
			found = append(found, placesOf(word, literals)...)
		}
		slices.Sort(found)
		found = slices.Compact(found)
		if len(found) > 0 {
			t.Errorf("the game %s is named at %s; choose another name or, if it is an ordinary word that the program uses anyway, add it to ordinaryWords",
				g.Name, few(found))
		}
	}
}

// TestPlacesOf checks what counts as naming a game.
func TestPlacesOf(t *testing.T) {
	texts := []literal{{"a.go:1", "play nim, or Nim"}, {"b.go:2", "animal nim-2"}, {"c.go:3", "minimal"}, {"d.go:4", "total"}}
	for word, want := range map[string]string{
		"nim": "[a.go:1 b.go:2]", "nim-2": "[b.go:2]", "Nim (one heap)": "[]", "total": "[]", "Total": "[]", "heap": "[]",
	} {
		if got := fmt.Sprint(placesOf(word, texts)); got != want {
			t.Errorf("%q is named at %s, expected %s", word, got, want)
		}
	}
}

// literal is the text of a string literal and its place, FILE:LINE.
type literal struct{ at, text string }

// programTexts returns the string literals of all Go files that may not name a
// game.
func programTexts(t *testing.T) (out []literal) {
	t.Helper()
	root := os.DirFS("../..")
	files := token.NewFileSet()
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
		tree, err := parser.ParseFile(files, path, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for n := range ast.Preorder(tree) {
			if s, ok := n.(*ast.BasicLit); ok && s.Kind == token.STRING {
				text, _ := strconv.Unquote(s.Value)
				at := files.Position(s.Pos())
				out = append(out, literal{fmt.Sprintf("%s:%d", at.Filename, at.Line), text})
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 1000 {
		t.Fatalf("found %d string literals, expected all of the program's", len(out))
	}
	return out
}

// placesOf returns the places of the literals in which a game's name or title
// stands as a word; none for ordinary words.
func placesOf(name string, literals []literal) (places []string) {
	if slices.Contains(ordinaryWords, strings.ToLower(name)) {
		return nil
	}
	word := regexp.MustCompile(`(?i)(^|\W)` + regexp.QuoteMeta(name) + `($|\W)`)
	for _, l := range literals {
		if word.MatchString(l.text) {
			places = append(places, l.at)
		}
	}
	return places
}

// few lists the first places, and how many more there are.
func few(places []string) string {
	const most = 3
	if more := len(places) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(places[:most], ", "), more)
	}
	return strings.Join(places, ", ")
}

// caseParts stand in case.go of each game.
var caseParts = []string{
	"\ntype Case ", "\nfunc parse(text string) (protocols.Case, error) {", ") Start(seats int) protocols.Match {",
}

// optionalParts stand in a file of their own in each game that has them.
var optionalParts = map[string]string{
	"\nfunc generate(":                         "generate.go",
	") SVG(seat int) string {":                 "svg.go",
	") Choices(seat int) []protocols.Choice {": "svg.go",
	") Values(seat int) (":                     "analysis.go",
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
		if !folder.IsDir() || slices.Contains([]string{"catalog", "protocoltest", "dialogue", "svg"}, name) {
			continue
		}
		games++
		for _, file := range []string{
			name + ".go", "case.go", "match.go", "case_test.go", "match_test.go", "conformance_test.go",
			"../../bots/" + name + "/bots.go", "../../bots/" + name + "/bots_test.go",
		} {
			if _, err := os.Stat(filepath.Join("..", name, file)); err != nil {
				t.Errorf("game %s: %v", name, err)
			}
		}
		checkParts(t, name)
	}
	if games < 5 {
		t.Errorf("found %d games, expected 5 or more", games)
	}
}

// checkParts checks that a game's parts stand where they do in other games.
func checkParts(t *testing.T, game string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", game, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(path)
		for part, file := range optionalParts {
			if name != file && !strings.HasSuffix(name, "_test.go") && strings.Contains(string(text), part) {
				t.Errorf("game %s: %s has %q, expected in %s", game, name, strings.TrimSpace(part), file)
			}
		}
		for _, part := range caseParts {
			if name == "case.go" && !strings.Contains(string(text), part) {
				t.Errorf("game %s: case.go has no %q", game, strings.TrimSpace(part))
			}
		}
	}
}
