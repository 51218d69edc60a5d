package record

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// find searches a text for an id, and returns the numbers of the lines found, or
// the error.
func find(text, id string) string {
	search := Search{Name: id, Where: "file"}
	for line, err := range WithID(Lines("file", strings.NewReader(text)), id) {
		if err != nil {
			return err.Error()
		}
		search.Add(line)
	}
	lines, err := search.Lines()
	if err != nil {
		return err.Error()
	}
	numbers := make([]int, len(lines))
	for i, line := range lines {
		numbers[i] = line.Number
	}
	return fmt.Sprint(numbers)
}

// written returns a line as umpire writes it.
func written(id string) string {
	return fmt.Sprintf(`{"v":1,"id":%q,"game":"x","seats":[{"place":1}]}`, id)
}

// TestSearch: a record is found by its id or a unique beginning of it, whoever
// wrote its line.
func TestSearch(t *testing.T) {
	lines := []string{
		1:  written("aa11"),
		2:  written("aa22"),
		3:  "\xef\xbb\xbf" + written("bom"),
		4:  written("cc") + "\r",
		5:  ` { "game": "x", "id": "dd", "seats": [{}] }`,
		6:  `{"v":1,"id":"\u0065e","game":"x","seats":[{}]}`,
		7:  written("aa22"),
		8:  written("aa2"),
		9:  `{"v":1,"id":"ff","game":`,
		10: `{"v":1,"id":"gg","game":"x","id":"hh"}`,
		11: `{"v":0,"id":"ii","game":"x"}`,
		12: written(""),
		13: written(strings.Repeat("j", MaxName)),
		14: `{"v":1,"id":"cc`,
	}
	text := strings.Join(lines[1:], "\n")
	for _, test := range []struct{ id, want string }{
		{"aa11", "[1]"},
		{"aa1", "[1]"},
		{"aa22", "[2 7]"},
		{"aa2", "[8]"},
		{"aa", `3 records in file begin with "aa", such as aa11 and aa2: give more of it`},
		{"bom", `file: found no record with id "bom"`},
		{"cc", "[4]"},
		{"d", "[5]"},
		{"e", "[6]"},
		{"ff", "[9]"},
		{"gg", "[10]"},
		{"hh", `file: found no record with id "hh"`},
		{"ii", "[11]"},
		{"jj", "[13]"},
		{strings.Repeat("j", MaxName+1), `file: found no record with id "` + strings.Repeat("j", MaxName+1) + `"`},
		{"nobody", `file: found no record with id "nobody"`},
	} {
		if got := find(text, test.id); got != test.want {
			t.Errorf("id %.20q: found %s, expected %s", test.id, got, test.want)
		}
	}
}

// TestWithID: only the lines of other records are left out, and only if umpire
// wrote them.
func TestWithID(t *testing.T) {
	text := written("aa") + "\n" + `{"id":"aa"}` + "\nnot a record\n" + written("ab") + "\n" + written("b") + "\n{"
	for id, want := range map[string][]int{"": {1, 2, 3, 4, 5, 6}, "a": {1, 2, 3, 4, 6}, "ab": {2, 3, 4, 6}, "abc": {2, 3, 6}} {
		var got []int
		for line, err := range WithID(Lines("file", strings.NewReader(text)), id) {
			must(t, err)
			got = append(got, line.Number)
		}
		if !slices.Equal(got, want) {
			t.Errorf("id %q: found lines %d, expected %d", id, got, want)
		}
	}
}

// TestWrittenHead: a line that umpire writes begins as a search expects.
func TestWrittenHead(t *testing.T) {
	for _, id := range []string{"0123456789abcdef", ""} {
		w, err := Append(filepath.Join(t.TempDir(), ResultsFile))
		must(t, err)
		defer w.Close()
		line, err := w.WriteLine(Record{V: Version, ID: id, Game: "x"})
		must(t, err)
		if got, ok := headID(line); !ok || string(got) != id {
			t.Errorf("found id %q (%v) in %s, expected %q", got, ok, line, id)
		}
	}
}
