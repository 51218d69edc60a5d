package referee_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mayImport says which of the repository's packages each package may import,
// tests aside. What stands above a line of rooms knows nothing of what stands
// below. A name that ends in / means everything below it.
var mayImport = map[string][]string{
	"protocols/": {"protocols/"},
	"bots/":      {"protocols/", "bots/"},

	// The pure half: no process, socket or clock.
	"referee":             {"protocols"},
	"referee/suggest":     {},
	"referee/paths":       {},
	"referee/pattern":     {},
	"referee/filelock":    {},
	"referee/yamlfile":    {"referee/suggest"},
	"referee/userfile":    {"referee/filelock"},
	"referee/picture":     {"protocols", "referee/pattern"},
	"referee/talk":        {"protocols", "referee", "referee/picture"},
	"referee/interaction": {"protocols", "referee"},
	"referee/record":      {"protocols", "referee", "referee/filelock", "referee/talk", "referee/interaction"},
	"referee/cases":       {"protocols", "referee/record", "referee/settings", "referee/suggest", "referee/yamlfile"},
	"referee/scoring":     {"protocols", "referee", "referee/record", "referee/cases", "referee/strength"},
	"referee/strength":    {},
	"referee/standings":   {"protocols", "referee", "referee/record", "referee/strength"},
	"referee/settings":    {"protocols", "referee", "referee/pattern"},
	"referee/analysis":    {"protocols", "referee", "referee/record"},
	"referee/report":      {"protocols", "referee", "referee/record", "referee/interaction", "referee/cases", "referee/scoring", "referee/standings", "referee/strength", "referee/analysis", "referee/fleet/status", "referee/pattern"},

	"referee/fleet":         {"referee", "referee/pattern"},
	"referee/fleet/status":  {},
	"referee/fleet/recheck": {"referee", "referee/record", "referee/talk"},

	"referee/report/html/page":    {"protocols", "protocols/svg", "referee/report", "referee/pattern"},
	"referee/report/html/replay":  {"protocols", "protocols/svg", "referee", "referee/record", "referee/analysis", "referee/report", "referee/report/html/page", "referee/pattern"},
	"referee/report/html/collect": {"protocols", "referee", "referee/record", "referee/cases", "referee/scoring", "referee/standings", "referee/strength", "referee/analysis", "referee/report", "referee/report/html/page", "referee/pattern"},
	"referee/report/html":         {"protocols", "protocols/svg", "referee", "referee/record", "referee/scoring", "referee/standings", "referee/strength", "referee/analysis", "referee/report", "referee/report/html/page", "referee/report/html/replay", "referee/report/html/collect"},

	"referee/report/browser":      {"protocols", "referee/record", "referee/report/html", "referee/report/html/page"},
	"referee/report/browser/wasm": {"protocols/catalog", "referee/report/browser"},

	// Processes and machines.
	"referee/report/browser/compile": {"referee/report/browser"},
	"referee/procfs":                 {},
	"referee/sandbox/rmtree":         {},
	"referee/sandbox/seccomp":        {},
	"referee/sandbox/cgroup":         {"referee/procfs"},
	"referee/sandbox/scope":          {},
	"referee/sandbox/watch":          {"referee/procfs", "referee/sandbox/rmtree", "referee/sandbox/seccomp"},
	"referee/sandbox/launch":         {"referee/procfs", "referee/sandbox/cgroup", "referee/sandbox/rmtree"},
	"referee/sandbox":                {"referee", "referee/procfs", "referee/sandbox/"},
	"referee/program/build":          {"referee/filelock", "referee/procfs", "referee/sandbox/rmtree", "referee/pattern", "referee/yamlfile"},
	"referee/program":                {"referee", "referee/record", "referee/suggest", "referee/paths", "referee/pattern", "referee/program/build", "referee/sandbox"},
	"referee/stall":                  {"referee/procfs"},
	"referee/keys":                   {"referee/pattern", "referee/userfile"},
	"referee/contestant":             {"protocols", "referee", "referee/paths", "referee/procfs", "referee/sandbox"},
	"referee/arena":                  {"protocols", "referee", "referee/record", "referee/program", "referee/contestant", "referee/sandbox"},
	"referee/arena/arenatest":        {"protocols", "protocols/protocoltest", "referee", "referee/record", "referee/arena"},
	"referee/remote":                 {"protocols", "referee", "referee/record", "referee/arena", "referee/keys"},
	"referee/remote/archive":         {"protocols", "referee", "referee/record", "referee/remote"},
	"referee/remote/house":           {"protocols", "referee", "referee/record", "referee/cases", "referee/settings", "referee/program", "referee/arena", "referee/keys", "referee/remote", "referee/remote/archive", "referee/session"},
	"referee/remote/soap":            {"referee/remote"},
	"referee/remote/serve":           {"protocols", "referee", "referee/record", "referee/standings", "referee/report", "referee/report/html", "referee/report/html/replay", "referee/program", "referee/keys", "referee/remote", "referee/remote/archive", "referee/remote/house", "referee/remote/soap", "referee/fleet/status", "referee/pattern"},
	"referee/remote/client":          {"protocols", "referee", "referee/remote"},
	"referee/tournament": {
		"protocols", "referee", "referee/record", "referee/cases", "referee/standings", "referee/strength", "referee/settings", "referee/report", "referee/procfs", "referee/program", "referee/arena", "referee/suggest", "referee/pattern", "referee/userfile", "referee/yamlfile",
	},
	"referee/fleet/worker":   {"referee", "referee/record", "referee/program", "referee/arena", "referee/fleet", "referee/fleet/status"},
	"referee/fleet/broker":   {"referee/keys", "referee/fleet", "referee/filelock"},
	"referee/fleet/dispatch": {"referee", "referee/record", "referee/report", "referee/program", "referee/arena", "referee/fleet", "referee/fleet/status", "referee/fleet/recheck"},
	"referee/fleet/coordinator": {
		"protocols", "referee", "referee/record", "referee/program", "referee/arena", "referee/fleet", "referee/fleet/status", "referee/fleet/recheck", "referee/fleet/dispatch", "referee/fleet/broker", "referee/fleet/worker", "referee/userfile",
	},
	"referee/external": {
		"protocols", "referee", "referee/talk", "referee/record", "referee/settings", "referee/suggest", "referee/program", "referee/program/build",
		"referee/sandbox", "referee/contestant", "referee/arena", "referee/pattern", "referee/scoring", "referee/yamlfile",
	},
	"referee/external/conformance": {
		"protocols", "protocols/dialogue", "referee", "referee/talk", "referee/picture", "referee/record", "referee/cases", "referee/report", "referee/arena", "referee/external",
	},
	"referee/external/kits/":   {},
	"referee/external/tree":    {"referee/yamlfile"},
	"referee/external/problem": {"protocols", "referee", "referee/talk", "referee/interaction", "referee/record", "referee/program", "referee/program/build"},
	"referee/external/judging": {
		"protocols", "referee", "referee/interaction", "referee/paths", "referee/program", "referee/sandbox", "referee/contestant", "referee/external/problem",
	},
	"referee/external/kattis":  {"protocols", "referee/interaction", "referee/external/problem", "referee/external/tree", "referee/pattern", "referee/yamlfile"},
	"referee/external/cms":     {"referee/interaction", "referee/contestant", "referee/external/problem", "referee/external/tree", "referee/yamlfile"},
	"referee/external/polygon": {"referee/interaction", "referee/external/problem", "referee/external/tree", "referee/pattern"},
	"referee/external/lone":    {"referee/interaction", "referee/external/problem", "referee/external/tree", "referee/program/build", "referee/pattern", "referee/suggest"},
	"referee/session": {
		"protocols", "referee", "referee/external", "referee/external/conformance", "referee/external/cms", "referee/external/kattis", "referee/external/polygon", "referee/external/lone", "referee/external/tree", "referee/external/problem", "referee/external/judging", "referee/interaction", "referee/record", "referee/cases", "referee/scoring", "referee/standings", "referee/strength", "referee/settings", "referee/report", "referee/report/html", "referee/report/browser", "referee/report/browser/compile",
		"referee/suggest", "referee/program", "referee/program/build", "referee/sandbox", "referee/sandbox/rmtree", "referee/contestant", "referee/procfs", "referee/stall", "referee/arena",
		"referee/keys", "referee/remote", "referee/fleet", "referee/fleet/broker", "referee/fleet/coordinator", "referee/fleet/recheck", "referee/fleet/status", "referee/tournament", "referee/pattern", "referee/userfile", "referee/yamlfile",
	},
	// What a terminal shows around the commands; it knows nothing of these.
	"referee/cli/shell": {"protocols", "referee", "referee/report", "referee/suggest", "referee/pattern"},
	"referee/cli":       {"protocols/", "bots/", "referee", "referee/"},

	// For tests alone.
	"referee/testlevel":               {},
	"referee/sandbox/scope/scopetest": {},
	"referee/sandbox/sandboxtest":     {"referee", "referee/sandbox", "referee/testlevel"},
	"referee/report/html/browsertest": {"referee/testlevel"},
	"referee/report/html/pagetest":    {"protocols", "protocols/catalog", "referee", "referee/record", "referee/report/html/browsertest", "referee/talk"},

	"":         {"referee/cli", "referee/sandbox"},
	"scripts/": {"protocols/", "referee", "referee/"},
}

// pure lists the packages that know no process, socket or machine.
var pure = []string{"protocols/", "referee", "referee/record", "referee/cases", "referee/scoring", "referee/standings", "referee/strength", "referee/settings", "referee/analysis", "referee/fleet", "referee/fleet/status", "referee/fleet/recheck", "referee/report", "referee/report/html", "referee/report/html/page", "referee/report/html/replay", "referee/report/html/collect", "referee/report/browser", "referee/report/browser/wasm", "referee/suggest", "referee/paths", "referee/pattern", "referee/yamlfile", "referee/picture", "referee/talk", "referee/interaction"}

// impure are packages of the standard library, and others, that the pure half
// has no use for.
var impure = []string{"net", "net/http", "os/exec", "os/signal", "os/user", "plugin"}

// covers reports whether a list of packages holds one.
func covers(list []string, dir string) bool {
	return slices.ContainsFunc(list, func(name string) bool {
		below, isTree := strings.CutSuffix(name, "/")
		return dir == name || isTree && (dir == below || strings.HasPrefix(dir, name))
	})
}

// room finds what a package may import; ok is false if nothing says so.
func room(dir string) (allowed []string, ok bool) {
	if allowed, ok = mayImport[dir]; ok {
		return allowed, true
	}
	for name, list := range mayImport {
		if strings.HasSuffix(name, "/") && covers([]string{name}, dir) {
			return list, true
		}
	}
	return nil, false
}

// sources calls f for each Go file of the repository that is no test, for all
// systems.
func sources(t *testing.T, f func(name, dir string)) {
	t.Helper()
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() != ".." && strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case !d.IsDir() && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			rel, err := filepath.Rel("..", name)
			if err != nil {
				return err
			}
			dir := path.Dir(filepath.ToSlash(rel))
			f(name, strings.TrimPrefix(dir, "."))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestImports: every package imports only what its room may know.
func TestImports(t *testing.T) {
	seen := 0
	sources(t, func(name, dir string) {
		seen++
		allowed, ok := room(dir)
		if !ok {
			t.Errorf("%s: no rule says what package %s may import", name, dir)
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			own, isOurs := strings.CutPrefix(imported, "umpire/")
			switch {
			case isOurs && own != dir && !covers(allowed, own):
				t.Errorf("%s: package %s may not import %s", name, dir, own)
			case covers(pure, dir) && slices.Contains(impure, imported):
				t.Errorf("%s: package %s belongs to the pure half and may not import %s", name, dir, imported)
			}
		}
	})
	if seen < 100 {
		t.Errorf("found only %d files", seen)
	}
}

// TestTournamentIsOneCommand: the commands that play without a tournament know
// nothing of one, so that it can change without them.
func TestTournamentIsOneCommand(t *testing.T) {
	users := 0
	sources(t, func(name, dir string) {
		if dir != "referee/cli" && dir != "referee/session" {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(file.Imports, func(s *ast.ImportSpec) bool { return s.Path.Value == `"umpire/referee/tournament"` }) {
			return
		}
		users++
		if !strings.HasPrefix(filepath.Base(name), "tournament") {
			t.Errorf("%s imports referee/tournament, expected that of the tournament command alone", name)
		}
	})
	if users == 0 {
		t.Error("found no file of the tournament command")
	}
}

// mostMethods is how many methods a type may have, those of the types of its package
// that it embeds included.
const mostMethods = 40

// moreMethods lists the types that still have more, with their numbers, which may
// only fall.
var moreMethods = map[string]int{
	"protocols/mensch.Board": 42,
}

// TestMethodSets: no type has so many methods that what it is for can't be said.
func TestMethodSets(t *testing.T) {
	own, embedded := make(map[string]int), make(map[string][]string)
	sources(t, func(name, dir string) {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil {
					own[dir+"."+typeName(d.Recv.List[0].Type)]++
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if s, ok := spec.(*ast.TypeSpec); ok {
						embedded[dir+"."+s.Name.Name] = append(embedded[dir+"."+s.Name.Name], embeds(s.Type)...)
					}
				}
			}
		}
	})
	var count func(name string) int
	count = func(name string) int {
		n := own[name]
		for _, e := range embedded[name] {
			n += count(name[:strings.LastIndexByte(name, '.')+1] + e)
		}
		return n
	}
	for name := range embedded {
		n, most := count(name), mostMethods
		if m, ok := moreMethods[name]; ok {
			most = m
		}
		if n > most {
			t.Errorf("%s has %d methods, expected at most %d", name, n, most)
		}
		if n < most && most > mostMethods {
			t.Errorf("%s has %d methods, fewer than the %d that are listed: lower that number", name, n, most)
		}
	}
}

// embeds returns the names of the types of its own package that a struct embeds.
func embeds(t ast.Expr) (names []string) {
	s, ok := t.(*ast.StructType)
	if !ok {
		return nil
	}
	for _, f := range s.Fields.List {
		if name := typeName(f.Type); len(f.Names) == 0 && name != "" {
			names = append(names, name)
		}
	}
	return names
}

// typeName returns the name of a type of its own package, without a star; "" if it is
// of another.
func typeName(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return typeName(t.X)
	case *ast.IndexExpr:
		return typeName(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

// TestCommandsOpenNoFiles: the commands leave opening files and the form of JSON to
// session and report.
func TestCommandsOpenNoFiles(t *testing.T) {
	sources(t, func(name, dir string) {
		if dir != "referee/cli" {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			if spec.Path.Value == `"encoding/json"` {
				t.Errorf("%s imports encoding/json", name)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "Open" {
				if x, ok := sel.X.(*ast.Ident); ok && x.Name == "os" {
					t.Errorf("%s calls os.Open", name)
				}
			}
			return true
		})
	})
}

// TestPatterns: an expression that is compiled when it is first used has no error, and none is
// compiled at the start.
func TestPatterns(t *testing.T) {
	found := 0
	sources(t, func(name, dir string) {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		function := 0
		ast.Inspect(file, func(n ast.Node) bool {
			if decl, ok := n.(*ast.FuncDecl); ok {
				function = int(decl.End())
			}
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			f, ok := call.Fun.(*ast.SelectorExpr)
			if ok && f.Sel.Name == "MustCompile" && int(call.Pos()) > function && strings.HasPrefix(dir, "referee/") && !strings.HasSuffix(dir, "test") {
				t.Errorf("%s compiles an expression at each start of umpire: want pattern.New", name)
			}
			if !ok || f.Sel.Name != "New" || !isNamed(f.X, "pattern") {
				return true
			}
			found++
			text, known := written(call.Args[0])
			if _, err := regexp.Compile(text); known && err != nil {
				t.Errorf("%s: %v", name, err)
			}
			return true
		})
	})
	if found == 0 {
		t.Error("found no pattern")
	}
}

func isNamed(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// written returns the string that literals make; ok is false where there are names, too.
func written(e ast.Expr) (text string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		left, okLeft := written(e.X)
		right, okRight := written(e.Y)
		return left + right, okLeft && okRight
	}
	return "", false
}
