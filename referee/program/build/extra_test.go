package build

import (
	"fmt"
	"strings"
	"testing"
)

// TestAdd: what is put beside a source, in the place of what, and where the main is then.
func TestAdd(t *testing.T) {
	table, err := LoadLanguages(t.Context(), "languages.yaml")
	must(t, err)
	one := func(name, text string) source {
		return source{main: name, files: []File{{Name: name, Data: []byte(text)}}, single: true}
	}
	folder := source{files: []File{{Name: "a.py"}, {Name: "b.py"}, {Name: "c.txt"}}}
	for _, test := range []struct {
		source source
		extra  Extra
		want   string
	}{
		{one("a.py", ""), Extra{}, "a.py: a.py, alone"},
		{one("a.py", ""), Extra{Files: map[string][]File{".cpp": {{Name: "x.h"}}}}, "a.py: a.py, alone"},
		{one("a.py", ""), Extra{Files: map[string][]File{".py": {{Name: "x.py"}}, "": {{Name: "y"}}}}, "a.py: a.py x.py y"},
		{one("a.py", ""), Extra{Files: map[string][]File{".py": {{Name: "__main__.py"}}}}, "__main__.py: __main__.py a.py"},
		{one("sol.java", "public class Sol {}"), Extra{Files: map[string][]File{".java": {{Name: "Main.java"}}}}, "Main.java: Main.java Sol.java"},
		{one("a.cpp", "own"), Extra{Files: map[string][]File{".cpp": {{Name: "a.cpp", Data: []byte("x")}}}}, "a.cpp: a.cpp=x"},
		{folder, Extra{Main: "b"}, "b.py: a.py b.py c.txt"},
		{folder, Extra{Main: "b.py", Files: map[string][]File{"": {{Name: "c.txt", Data: []byte("x")}}}}, "b.py: a.py b.py c.txt=x"},
		{folder, Extra{Main: "d"}, `error: found no source file for the entry point "d"`},
	} {
		s := test.source
		err := s.add(table, test.extra)
		var names []string
		for _, f := range s.files {
			if name := f.Name; string(f.Data) == "x" {
				names = append(names, name+"=x")
			} else {
				names = append(names, name)
			}
		}
		found := s.main + ": " + strings.Join(names, " ")
		if s.single {
			found += ", alone"
		}
		if err != nil {
			found = fmt.Sprint("error: ", err)
		}
		if found != test.want {
			t.Errorf("found %s, expected %s", found, test.want)
		}
	}
}
