package cli_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestOnlyPrintersPrint: commands and views print through a report.Printer, which
// makes text fit for a terminal. What has access to the streams themselves is
// listed here.
func TestOnlyPrintersPrint(t *testing.T) {
	allowed := map[string][]string{
		"os.Stdout": {"cli.go", "replay.go"}, "os.Stderr": {"cli.go"}, // at the start, in Main; a terminal to step on
		".stdout": {"analyse.go", "bot.go", "cli.go", "commands.go", "compress.go", "export.go", "html.go", "play.go", "replay.go"}, // a bot's lines; compressed results; files for programs; pages
		".stderr": {"cli.go", "commands.go"},
		// The printer itself, and tables, which a Printer prints or which are exported.
		"fmt.Fprintf": {"explain.go", "export.go", "page.go", "stderr.go", "print.go", "safe.go", "help.go", "tap.go"}, "io.WriteString": {"status.go", "export.go", "exported.go", "github.go", "junit.go", "page.go", "print.go", "replay.go", "safe.go", "tabletext.go"},
	}
	banned := []string{"fmt.Print", "fmt.Printf", "fmt.Println", "fmt.Fprint", "fmt.Fprintln"}
	var files []string
	for _, pattern := range []string{"*.go", "shell/*.go", "../report/*.go"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) < 5 {
			t.Fatalf("%s: found %v, %v", pattern, found, err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		must(t, err)
		ast.Inspect(tree, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			names := []string{"." + s.Sel.Name}
			if x, ok := s.X.(*ast.Ident); ok {
				names = append(names, x.Name+"."+s.Sel.Name)
			}
			for _, name := range names {
				if in, known := allowed[name]; slices.Contains(banned, name) || known && !slices.Contains(in, filepath.Base(file)) {
					t.Errorf("%s uses %s, expected it to print through a report.Printer", file, name)
				}
			}
			return true
		})
	}
}
