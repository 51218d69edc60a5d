// Command rooms measures how the source code is laid out: for each package its
// lines without comments and blank lines, its largest method set, and how many
// of the references between its files lie in a cycle of files.
//
//	go run ./scripts/rooms            all packages
//	go run ./scripts/rooms ./referee/...
//	go run ./scripts/rooms -cycles ./referee/report
//
// -cycles lists the references that lie in a cycle, with what is used.
//
// A reference is from one file to another of the same package: the first uses a
// function, a method, a type, a variable or a constant that the second declares.
// It lies in a cycle if the second file leads back to the first.
package main

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"golang.org/x/tools/go/packages"
)

// Room is one package as it is measured.
type Room struct {
	Path       string
	Production int // lines of code, for all systems, neither comments nor blank
	Tests      int // lines of code of its tests
	Files      int // production files that are built on this system
	Methods    int // methods of the type that has the most
	Widest     string
	References int      // between its files
	Cyclic     int      // those that lie in a cycle of files
	cycles     []string // the latter, with what is used
}

func main() {
	cycles := flag.Bool("cycles", false, "list the references in cycles of files")
	flag.Parse()
	patterns := flag.Args()
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	rooms, err := measure(patterns)
	if err != nil {
		fmt.Fprintln(os.Stderr, "rooms:", err)
		os.Exit(1)
	}
	show(rooms)
	for _, r := range rooms {
		for _, line := range r.cycles {
			if *cycles {
				fmt.Println(line)
			}
		}
	}
}

// measure loads the packages and measures each.
func measure(patterns []string) ([]Room, error) {
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports,
	}, patterns...)
	if err != nil {
		return nil, err
	}
	var rooms []Room
	for _, pkg := range loaded {
		if len(pkg.Errors) > 0 {
			return nil, pkg.Errors[0]
		}
		if len(pkg.Syntax) == 0 {
			continue
		}
		room := Room{Path: strings.TrimPrefix(pkg.PkgPath, "umpire/"), Files: len(pkg.Syntax)}
		if err := room.countLines(filepath.Dir(pkg.GoFiles[0])); err != nil {
			return nil, err
		}
		room.countMethods(pkg.Types)
		room.countReferences(pkg)
		rooms = append(rooms, room)
	}
	return rooms, nil
}

// countLines counts the lines of code in a folder's Go files.
func (r *Room) countLines(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if strings.HasSuffix(name, "_test.go") {
			r.Tests += codeLines(src)
		} else {
			r.Production += codeLines(src)
		}
	}
	return nil
}

// codeLines returns how many lines of a source file hold a token. Each line of
// a raw string counts unless it is blank.
func codeLines(src []byte) int {
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, 0)
	lines := map[int]bool{}
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return len(lines)
		}
		if tok == token.SEMICOLON && text == "\n" {
			continue
		}
		first := file.Line(pos)
		for i, line := range bytes.Split([]byte(text), []byte("\n")) {
			if i == 0 || len(bytes.TrimSpace(line)) > 0 {
				lines[first+i] = true
			}
		}
	}
}

// countMethods finds the type with the most methods of its own.
func (r *Room) countMethods(pkg *types.Package) {
	for _, name := range pkg.Scope().Names() {
		typeName, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		if named, ok := typeName.Type().(*types.Named); ok && named.NumMethods() > r.Methods {
			r.Methods, r.Widest = named.NumMethods(), name
		}
	}
}

// countReferences draws the references between a package's files and counts
// those that lie in a cycle.
func (r *Room) countReferences(pkg *packages.Package) {
	uses := map[string]map[string][]string{}
	for ident, used := range pkg.TypesInfo.Uses {
		if used.Pkg() != pkg.Types || !isDeclaration(used) {
			continue
		}
		from, to := pkg.Fset.File(ident.Pos()).Name(), pkg.Fset.File(used.Pos()).Name()
		if from == to {
			continue
		}
		if uses[from] == nil {
			uses[from] = map[string][]string{}
		}
		if !slices.Contains(uses[from][to], used.Name()) {
			uses[from][to] = append(uses[from][to], used.Name())
		}
	}
	for from, targets := range uses {
		for to, names := range targets {
			r.References++
			if leadsTo(uses, to, from) {
				r.Cyclic++
				slices.Sort(names)
				r.cycles = append(r.cycles, fmt.Sprintf("%s: %s -> %s: %s", r.Path, filepath.Base(from), filepath.Base(to), strings.Join(names, " ")))
			}
		}
	}
	slices.Sort(r.cycles)
}

// isDeclaration reports whether an object is declared at a file's top level or
// is a method. Fields are not: who uses one has its type from somewhere.
func isDeclaration(object types.Object) bool {
	if f, ok := object.(*types.Func); ok && f.Signature().Recv() != nil {
		return true
	}
	return object.Parent() == object.Pkg().Scope()
}

// leadsTo reports whether references lead from one file to another.
func leadsTo(uses map[string]map[string][]string, from, to string) bool {
	seen, queue := map[string]bool{from: true}, []string{from}
	for len(queue) > 0 {
		name := queue[0]
		queue = queue[1:]
		if name == to {
			return true
		}
		for next := range uses[name] {
			if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return false
}

// show prints a line for each room and the sums of the whole.
func show(rooms []Room) {
	slices.SortFunc(rooms, func(a, b Room) int { return cmp.Compare(a.Path, b.Path) })
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "room\tproduction\ttests\tfiles\treferences\tin cycles\tmost methods")
	sum := Room{Path: "all"}
	for _, r := range rooms {
		fmt.Fprintln(w, r)
		sum.Production += r.Production
		sum.Tests += r.Tests
		sum.Files += r.Files
		sum.References += r.References
		sum.Cyclic += r.Cyclic
	}
	fmt.Fprintln(w, sum)
	w.Flush()
}

// String is the room's line of the table, its columns parted by tabs.
func (r Room) String() string {
	cyclic, widest := "", ""
	if r.References > 0 {
		cyclic = fmt.Sprintf("%d (%d %%)", r.Cyclic, 100*r.Cyclic/r.References)
	}
	if r.Methods > 0 {
		widest = fmt.Sprintf("%d (%s)", r.Methods, r.Widest)
	}
	return fmt.Sprintf("%s\t%d\t%d\t%d\t%d\t%s\t%s", r.Path, r.Production, r.Tests, r.Files, r.References, cyclic, widest)
}
