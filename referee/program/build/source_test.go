package build

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestJavaClass(t *testing.T) {
	for _, test := range []struct{ name, text, class, file string }{
		{"bot.java", "public class Greedy {\n  public static void main(String[] a) {} }", "Greedy", "Greedy.java"},
		{"bot.java", "import x;\n\npublic final class Greedy {}", "Greedy", "Greedy.java"},
		{"bot.java", "class Board {}\nclass Player { void f() {}\n static void main(String[] a) {} }\nclass Z {}", "Player", "bot.java"},
		{"bot.java", "package a.b;\npublic class Bot {}", "a.b.Bot", "Bot.java"},
		{"bot.java", "/* public class No */ class Yes { public static void main(String... a) {} }", "Yes", "bot.java"},
		{"Main.java", "interface X {}", "Main", "Main.java"},
	} {
		s := source{main: test.name, files: []File{{test.name, 0o644, []byte(test.text)}}}
		if class, file := s.class(); class != test.class || file != test.file {
			t.Errorf("%q: got %s in %s, want %s in %s", test.text, class, file, test.class, test.file)
		}
	}
}

// folder makes a folder of files.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, all := t.TempDir(), make(fstest.MapFS)
	for name, text := range files {
		all[name] = &fstest.MapFile{Data: []byte(text)}
	}
	must(t, os.CopyFS(dir, all))
	return dir
}

func TestFindMain(t *testing.T) {
	table, err := parse("languages.yaml", builtin, nil)
	must(t, err)
	for _, test := range []struct {
		name  string
		files map[string]string
		want  string // the file, or a part of the error
	}{
		{"one file", map[string]string{"x.py": "print(1)", "README": ""}, "x.py"},
		{"one of several has a main", map[string]string{"a.cpp": "int f() {}", "b.cpp": "int main() {}", "b.h": ""}, "b.cpp"},
		{"one is called main", map[string]string{"main.py": "import a", "a.py": ""}, "main.py"},
		{"below the top nothing counts", map[string]string{"x.go": "func main() {}", "y/z.go": "func main() {}"}, "x.go"},
		{"hidden files do not count", map[string]string{"x.py": "", ".y.py": "", "__pycache__/z.py": ""}, "x.py"},
		{"none", map[string]string{"README": ""}, "is a folder without a program: found neither"},
		{"empty", nil, "is a folder without a program: found neither"},
		{"scripts", map[string]string{"a.py": "", "b.py": ""}, "none of a.py, b.py has a main: call the one to start main.py; an executable"},
		{"no main", map[string]string{"a.c": "", "b.c": ""}, "none of a.c, b.c has a main"},
		{"two", map[string]string{"a.c": "int main(void) {", "b.c": "int main ("}, "a.c, b.c have a main, expected one"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := readFolder(t.Context(), folder(t, test.files), nil)
			must(t, err)
			err = s.findMain(table)
			if err != nil && !strings.Contains(err.Error(), test.want) || err == nil && s.main != test.want {
				t.Errorf("got %q, %v, want %s", s.main, err, test.want)
			}
		})
	}
}

func TestDigestIsOfContentAndNotOfPlace(t *testing.T) {
	read := func(files map[string]string, name string) string {
		dir := folder(t, files)
		s, err := readFolder(t.Context(), dir, nil)
		if name != "" {
			s, err = readFile(t.Context(), filepath.Join(dir, name))
		}
		must(t, err)
		return s.digest()
	}
	a := map[string]string{"a.c": "x", "b.h": "y"}
	if first, elsewhere := read(a, ""), read(a, ""); first != elsewhere {
		t.Error("the same folder elsewhere has another digest")
	}
	if read(a, "a.c") != read(map[string]string{"z.c": "x"}, "z.c") {
		t.Error("the same file by another name has another digest")
	}
	b := maps.Clone(a)
	b["b.h"] = "Y"
	if read(a, "") == read(b, "") {
		t.Error("a changed file makes no other digest")
	}
}

func TestHeap(t *testing.T) {
	p := Program{Args: []string{"/java", "-Xss1m", "-Xmx{heap_mib}m", "Bot"}, Runtime: 96 << 20}
	for memory, want := range map[int64]string{
		256 << 20: "-Xmx160m", 1 << 30: "-Xmx928m", 100 << 20: "-Xmx25m", 1: "-Xmx1m", 0: "",
	} {
		args := p.Heap(memory)
		if want == "" && len(args) != 3 || want != "" && !slices.Contains(args, want) {
			t.Errorf("%d: got %q, want %s", memory, args, want)
		}
	}
}
