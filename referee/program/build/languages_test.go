package build

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestBuiltinLanguages(t *testing.T) {
	table, err := parse("languages.yaml", builtin, nil)
	must(t, err)
	for _, suffix := range strings.Fields(".c .cpp .go .rs .java .kt .py .js .ts .rb .pl .pas .cs .lua .hs .ml .php .sh") {
		if len(table.of("bot"+suffix)) == 0 {
			t.Errorf("no row for %s", suffix)
		}
	}
	for _, l := range table {
		if l.Version == "" || l.Memory == 0 {
			t.Errorf("%s: has no version command or no memory", l.Name)
		}
		// Else javac runs the annotation processors that the source brings along.
		if strings.HasPrefix(l.Compile, "javac ") && !strings.Contains(l.Compile, " -proc:none ") {
			t.Errorf("%s: compiled by %s", l.Name, l.Compile)
		}
		if runs := strings.Contains(l.Run, "{out}"); runs != (l.Compile != "") {
			t.Errorf("%s: compile %q, run %q", l.Name, l.Compile, l.Run)
		}
	}
}

func TestLoadLanguages(t *testing.T) {
	file := filepath.Join(t.TempDir(), "languages.yaml")
	text := "languages:\n" +
		"  - name: C++\n    compile: clang++ -O3 -o {out} {sources}\n" +
		"  - name: Ruby\n    memory: 1\n" + "  - name: Perl\n    run: otherperl {source}\n" +
		"  - name: Snake\n    suffixes: [.py, .snake]\n    run: snake {source}\n"
	must(t, os.WriteFile(file, []byte(text), 0o644))
	table, err := LoadLanguages(t.Context(), file)
	must(t, err)
	cpp := table.of("a.cpp")
	if len(cpp) != 1 || !strings.HasPrefix(cpp[0].Compile, "clang++") || cpp[0].Version != "g++ --version" || cpp[0].Memory != 4 {
		t.Errorf("C++ is %+v, want the user's compiler and the rest of the built-in row", cpp)
	}
	if py := table.of("a.py"); len(py) != 2 || py[0].Name != "Snake" || py[1].Name != "Python" {
		t.Errorf("rows for .py are %+v, want the user's first", py)
	}
	if table.named("Ruby").Check != "ruby -c {source}" || table.named("Perl").Check != "" {
		t.Error("expected the built-in check for the interpreter that is built in, and for no other")
	}
	if !slices.Contains(table.Suffixes(), ".snake") {
		t.Error("no suffix .snake")
	}
	if _, err := LoadLanguages(t.Context(), filepath.Join(t.TempDir(), "none.yaml")); err == nil {
		t.Error("a table that was named and is not there is no error")
	}
}

func TestUserFile(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	t.Setenv("HOME", dir) // where XDG_CONFIG_HOME is not known
	if _, err := LoadLanguages(t.Context(), ""); err != nil {
		t.Errorf("without a table of the user's: %v", err)
	}
	must(t, os.MkdirAll(filepath.Dir(UserFile()), 0o755))
	must(t, os.WriteFile(UserFile(), []byte("languages:\n- {name: X, suffixes: [.x], run: x}\n"), 0o644))
	table, err := LoadLanguages(t.Context(), "")
	if err != nil || len(table.of("a.x")) != 1 {
		t.Errorf("the user's table was not read: %v", err)
	}
}

func TestTableErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                             `t.yaml:1: found no rows`,
		"languages: 3\n":               `t.yaml:1: `,
		"languages:\n- nam: X\n":       `t.yaml:2: unknown key "languages.nam"; did you mean languages.name\?`,
		"languages:\n- name: [\n":      `t.yaml:2: `,
		"languages:\n\n- suffixes: []": `t.yaml:3: language "": name: found none`,
		"languages:\n- name: X\n":      `t.yaml:2: language "X": suffixes: found none`,
		row("suffixes: [c]\n  run: x"): `t.yaml:2: language "X": suffixes: found "c", expected a suffix such as \.c`,
		row("suffixes: [.c]"):          `t.yaml:2: language "X": run: found none`,
		row("suffixes: [.c]\n  run: x", "name: Y\n  suffixes: [.d]\n  run: x {outt}"): `t.yaml:5: language "Y": run: found {outt}, expected one of {source}`,
		row("suffixes: [.c]\n  run: '{out}'"):                                         `t.yaml:2: language "X": run: found {out} without a compile command`,
		row("suffixes: [.c]\n  run: x\n  compile: cc {source}\n  check: cc {source}"): `t.yaml:2: language "X": check: found one beside a compile command`,
		row("suffixes: [.c]\n  run: 'x \"'"):                                          `t.yaml:2: language "X": run: has an unclosed quote "`,
		row("suffixes: [.c]\n  run: x\n  main: '('"):                                  `t.yaml:2: language "X": main: `,
		row("suffixes: [.c]\n  run: x\n  memory: -1"):                                 `t.yaml:2: language "X": memory: found -1`,
		row("suffixes: [.c]\n  run: x\n  compile: cc a{sources}"):                     `t.yaml:2: language "X": compile: found a{sources}, expected {sources} as a word of its own`,
		row("suffixes: [.c]\n  run: x", "name: X\n  suffixes: [.c]\n  run: x"):        `t.yaml:5: language "X": occurs twice`,
	} {
		_, err := parse("t.yaml", []byte(text), nil)
		want = "^" + strings.NewReplacer("{", `\{`, "}", `\}`).Replace(want)
		if err == nil || !regexp.MustCompile(want).MatchString(err.Error()) {
			t.Errorf("%q: got error %v, want %s", text, err, want)
		}
	}
}

// row is a table of a row X and more rows.
func row(fields string, more ...string) string {
	text := "languages:\n- name: X\n  " + fields + "\n"
	for _, m := range more {
		text += "- " + m + "\n"
	}
	return text
}

// TestTextIsTheTable reads a table that was written back.
func TestTextIsTheTable(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	table, err := LoadLanguages(t.Context(), "")
	must(t, err)
	text, err := table.Text()
	must(t, err)
	file := filepath.Join(t.TempDir(), "languages.yaml")
	must(t, os.WriteFile(file, text, 0o644))
	again, err := LoadLanguages(t.Context(), file)
	must(t, err)
	if row := again.Differ(table); row != "" || len(again) != len(table) {
		t.Errorf("the row of %s has changed in %s", row, text)
	}
	again[0].Memory++
	if again.Differ(table) != again[0].Name || table.Differ(again[1:]) != again[0].Name {
		t.Error("another row, or one that is missing, is not seen")
	}
}

// TestRowsOfWindows: the rows of Windows are right, and go before those of all systems,
// but for compilers that other systems have, too.
func TestRowsOfWindows(t *testing.T) {
	text, err := os.ReadFile("languages_windows.yaml")
	must(t, err)
	table, err := parse("languages.yaml", builtin, nil)
	must(t, err)
	if table, err = table.precededBy("languages_windows.yaml", text); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"bot.py": "Python, Python (python)", "bot.cpp": "C++, C++ (MSVC)", "bot.cs": "C# (.NET), C#", "bot.js": "JavaScript",
	} {
		var names []string
		for _, l := range table.of(path) {
			names = append(names, l.Name)
		}
		if got := strings.Join(names, ", "); got != want {
			t.Errorf("%s: found the rows %s, expected %s", path, got, want)
		}
	}
	if python := table.named("Python"); python.Run != "py {source}" || python.Memory == 0 {
		t.Errorf("found %+v, expected Python's launcher, and the rest from the table of all systems", python)
	}
}

func TestInterpretedBy(t *testing.T) {
	table, err := parse("languages.yaml", builtin, nil)
	must(t, err)
	b := &Builder{Languages: table}
	for _, row := range []struct{ words, path, by string }{
		{"python3", "a.py", "python3"},
		{"python3.exe", "a.py", "python3.exe"},
		{"env A=B node.exe --stack-size=9", "a.js", "node.exe --stack-size=9"},
		{"Node.EXE", "a.js", "Node.EXE"},
		{"node.exe", "a.py", ""},
		{"node.com", "a.js", ""},
		{".exe", "a.c", ""},
		{"node.exe.exe", "a.js", ""},
		{"/usr/bin/python3", "a.py", ""}, // which need not be the table's
	} {
		if by := strings.Join(b.InterpretedBy(strings.Fields(row.words), row.path), " "); by != row.by {
			t.Errorf("%s %s: found %q, expected %q", row.words, row.path, by, row.by)
		}
	}
}
