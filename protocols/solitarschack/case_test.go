package solitarschack

import (
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
)

var update = flag.Bool("update", false, "write the standard cases instead of comparing them")

const cases = "../../testdata/cases/solitarschack"

// The standard cases are the first seeds of each group.
func TestStandardCases(t *testing.T) {
	for group, n := range map[string]int{"1": 1, "2": 1, "3": 3, "4": 3, "5": 3, "6": 3} {
		for i := 1; i <= n; i++ {
			c, err := generate(group, uint64(i))
			if err != nil {
				t.Fatal(err)
			}
			protocoltest.File(t, filepath.Join(cases, group, fmt.Sprintf("%02d.txt", i)), c.String()+"\n", *update)
		}
		if files, _ := filepath.Glob(filepath.Join(cases, group, "*")); len(files) != n {
			t.Errorf("group %s has the files %v, want %d", group, files, n)
		}
	}
}

// rows is a case of ones, with one line replaced.
func rows(number int, line string) string {
	lines := strings.Split(strings.TrimSuffix(strings.Repeat("1 1 1 1 1 1\n", 18), "\n"), "\n")
	if number > 0 {
		lines[number-1] = line
	}
	return strings.Join(lines, "\n")
}

func TestParseTolerates(t *testing.T) {
	for _, text := range []string{
		rows(0, ""),
		rows(0, "") + "\n",
		rows(0, "") + "\n\n \n",
		strings.ReplaceAll(rows(0, ""), "\n", "\r\n"),
		rows(7, "  1 1\t1  1 1 1 "),
	} {
		c, err := parse(text)
		if err != nil || c.String() != rows(0, "") {
			t.Errorf("parse(%q) = %v, %v", text, c, err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	const types = "six types of 1, 2, 3, 4, torn, lopare, dam, springare"
	tests := []struct {
		about, text string
		want        protocols.CaseError
	}{
		{"nothing", "", protocols.CaseError{Line: 1, Found: "the end", Expected: "row 1 of the bronze layer, " + types}},
		{"one layer", strings.Repeat("1 1 1 1 1 1\n", 6),
			protocols.CaseError{Line: 7, Found: "the end", Expected: "row 1 of the silver layer, " + types}},
		{"17 rows", strings.Repeat("1 1 1 1 1 1\n", 17),
			protocols.CaseError{Line: 18, Found: "the end", Expected: "row 6 of the gold layer, " + types}},
		{"19 rows", rows(0, "") + "\n1 1 1 1 1 1", protocols.CaseError{Line: 19, Found: `"1 1 1 1 1 1"`, Expected: "the end"}},
		{"five types", rows(2, "1 1 1 1 1"),
			protocols.CaseError{Line: 2, Found: `5 values in "1 1 1 1 1"`, Expected: "row 2 of the bronze layer, " + types}},
		{"seven types", rows(9, "1 1 1 1 1 1 1"),
			protocols.CaseError{Line: 9, Found: `7 values in "1 1 1 1 1 1 1"`, Expected: "row 3 of the silver layer, " + types}},
		{"an empty line", rows(7, ""),
			protocols.CaseError{Line: 7, Found: `0 values in ""`, Expected: "row 1 of the silver layer, " + types}},
		{"a digit too large", rows(13, "1 1 1 5 1 1"),
			protocols.CaseError{Line: 13, Found: `"5"`, Expected: "row 1 of the gold layer, " + types}},
		{"blank", rows(18, "1 blank 1 1 1 1"),
			protocols.CaseError{Line: 18, Found: `"blank"`, Expected: "row 6 of the gold layer, " + types}},
		{"capitals", rows(1, "Torn 1 1 1 1 1"),
			protocols.CaseError{Line: 1, Found: `"Torn"`, Expected: "row 1 of the bronze layer, " + types}},
		{"the other spelling", rows(1, "löpare 1 1 1 1 1"),
			protocols.CaseError{Line: 1, Found: `"löpare"`, Expected: "row 1 of the bronze layer, " + types}},
	}
	for _, test := range tests {
		t.Run(test.about, func(t *testing.T) {
			_, err := parse(test.text)
			var got *protocols.CaseError
			if !errors.As(err, &got) || *got != test.want {
				t.Errorf("got %v, want %v", err, &test.want)
			}
		})
	}
}
