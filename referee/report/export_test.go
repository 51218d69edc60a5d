package report_test

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"umpire/referee/report"
)

var update = flag.Bool("update", false, "write the golden files")

// table has what makes exporters stumble: separators, quotes, markup, escape
// sequences, an empty cell, letters of several bytes.
func table() report.Table {
	t := report.Table{
		Title:  "Final | <standings>",
		Header: []string{"rank", "bot", "score", "note"},
		Right:  []bool{true, false, true},
	}
	t.Add(1, "@greedy", 97.5, "time×2")
	t.Add(2, `a "b", c`, -3, "one\ntwo")
	t.Add(3, "*bold*|_x_ snake_case", 0, "\x1b[31mred\x1b[0m")
	t.Add(10, "übung", 0, "")
	t.Add(11, "\t=1+1", 0, "mail me@home")
	return t
}

func suites() []report.Suite {
	return []report.Suite{
		{Name: "alice", Checks: []report.Check{
			{Group: "official", Name: "official/01", Time: 1200 * time.Microsecond, Verdict: "ok"},
			{Group: "official", Name: "official/02", Time: time.Second, Verdict: "time", Detail: `used 1.0 s of 1 s & "more"`},
			{Group: "official", Name: "official/03", Verdict: "crash", Detail: "signal 11", Stderr: "panic: \x1b[31m<nil>\nat bot.go:3"},
		}},
		{Name: "bob", Checks: []report.Check{
			{Name: "official/01", Error: "start bot bob: no such file"},
		}},
	}
}

func TestGolden(t *testing.T) {
	for name, write := range map[string]func(io.Writer) error{
		"table.txt": func(w io.Writer) error { tab := table(); return tab.Write(w, 0, nil) },
		"table.csv": func(w io.Writer) error { tab := table(); return tab.WriteCSV(w) },
		"table.md":  func(w io.Writer) error { return report.Page{Tables: []report.Table{table()}}.WriteMarkdown(w) },
		"junit.xml": func(w io.Writer) error { return report.WriteJUnit(w, "umpire score ioiwari", suites()) },
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", name)
			if *update {
				if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(b.Bytes(), want) {
				t.Errorf("found:\n%s\nexpected:\n%s", b.Bytes(), want)
			}
		})
	}
}

// Other programs must be able to read what is exported.
func TestReadable(t *testing.T) {
	var b bytes.Buffer
	tab := table()
	if err := tab.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) != 6 || rows[2][1] != `a "b", c` {
		t.Errorf("CSV reads as %q, %v", rows, err)
	}
	b.Reset()
	if err := report.WriteJUnit(&b, "x", suites()); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Tests  int `xml:"tests,attr"`
		Suites []struct {
			Failures int `xml:"failures,attr"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(b.Bytes(), &got); err != nil || got.Tests != 4 || got.Suites[0].Failures != 2 {
		t.Errorf("JUnit reads as %+v, %v", got, err)
	}
}

// TestNoFormula: no name makes a spreadsheet compute anything.
func TestNoFormula(t *testing.T) {
	cells := map[string]string{
		`=1+1`: `'=1+1`, `+cmd|' /C calc'!A0`: `'+cmd|' /C calc'!A0`, `-2+3`: `'-2+3`, `@SUM(A1)`: `'@SUM(A1)`, `@x y`: `'@x y`, `@x (A1)`: `'@x (A1)`,
		`-12`: `-12`, `-0.5`: `-0.5`, `@greedy`: `@greedy`, `@mensch/runner`: `@mensch/runner`, `@a#59ab532a (opponent)`: `@a#59ab532a (opponent)`, `a=b`: `a=b`, ``: ``,
	}
	for cell, want := range cells {
		var b bytes.Buffer
		tab := report.Table{Header: []string{"bot", "x"}}
		tab.Add(cell, "x")
		if err := tab.WriteCSV(&b); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&b).ReadAll()
		if err != nil || rows[1][0] != want {
			t.Errorf("%q is written as %q (%v), expected %q", cell, rows[1][0], err, want)
		}
	}
}

// A style dresses the cell alone, not the blanks beside it.
func TestStyle(t *testing.T) {
	tab := report.Table{Header: []string{"a", "bb"}, Right: []bool{true}}
	tab.Add("x", "y")
	tab.Add("xxx", "")
	var b bytes.Buffer
	if err := tab.Write(&b, 0, func(row, column int, text report.Text) report.Text { return report.Textf("<%s>", text) }); err != nil {
		t.Fatal(err)
	}
	if got, want := b.String(), "  <a>  <bb>\n  <x>  <y>\n<xxx>\n"; got != want {
		t.Errorf("found %q, expected %q", got, want)
	}
}
