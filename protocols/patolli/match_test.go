package patolli

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"umpire/protocols"
)

// publishedCase is a case of the published lines from..to-1.
func publishedCase(t testing.TB, from, to int) *Case {
	t.Helper()
	lines, _ := published()
	c, err := parse(strings.Join(lines[from:to], "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return c.(*Case)
}

func TestMatch(t *testing.T) {
	c := publishedCase(t, 0, 5)
	m := c.Start(1)
	want := protocols.Step{Send: []protocols.Line{{Seat: 1, Text: c.String()}}, Await: []int{1}, Batch: true}
	if diff := cmp.Diff(want, m.Next()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]protocols.Outcome{{Place: 1}}, m.Result()); diff != "" {
		t.Error(diff)
	}
	if foul := m.Reply(1, "13 15 18\n26 29 30\n20 23 24\n14 16 20\n44 46 47\n"); foul != nil {
		t.Error(foul)
	}
	if step := m.Next(); len(step.Await) != 0 || len(step.Send) != 0 {
		t.Errorf("after the reply: %+v", step)
	}
	if diff := cmp.Diff([]protocols.Outcome{{Score: protocols.Points(5), Place: 1}}, m.Result()); diff != "" {
		t.Error(diff)
	}
}

func TestFail(t *testing.T) {
	m := publishedCase(t, 0, 5).Start(1)
	m.Next()
	m.Fail(1, protocols.Failure{Kind: protocols.KindCrash})
	if step := m.Next(); len(step.Await) != 0 {
		t.Errorf("after the failure: %+v", step)
	}
	if diff := cmp.Diff([]protocols.Outcome{{Place: 1}}, m.Result()); diff != "" {
		t.Error(diff)
	}
	if line, _, _ := strings.Cut(m.String(), "\n"); line != "Seat 1 failed (crash): score 0." {
		t.Errorf("the picture begins %q", line)
	}
}

func TestJudge(t *testing.T) {
	text := "4 14 24 1 8 12 6 6 3 5 1 5 6\n45 50 48 42 46 40 6 3 2 6 5 4 1\n6 7 8 51 50 49 3 3 2 1"
	c, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, output string
		right        int
		wrong        string
	}{
		{"plain", "13 15 18\n44 46 47\nGAME OVER\n", 3, ""},
		{"no last newline", "13 15 18\n44 46 47\nGAME OVER", 3, ""},
		{"numbered", "1. 13 15 18\n2. 44 46 47\n3. GAME OVER\n", 3, ""},
		{"some numbered", "13 15 18\n2. 44 46 47\nGAME OVER\n", 3, ""},
		{"blanks", "  1.  13\t15 18 \n\n 44   46 47\r\n\r\n  GAME   OVER  \n\n", 3, ""},
		{"leading zeros", "013 15 18\n44 46 0047\nGAME OVER", 3, ""},
		{"nothing", "", 0, `line 1: found the end, expected "13 15 18"`},
		{"too short", "13 15 18\n", 1, `line 2: found the end, expected "44 46 47"`},
		{"a wrong line", "13 15 18\n44 46 48\nGAME OVER", 2, `line 2: found "44 46 48", expected "44 46 47"`},
		{"two wrong lines", "13 15\n44 46 48\nGAME OVER", 1, `line 1: found "13 15", expected "13 15 18"`},
		{"order", "15 13 18\n44 46 47\nGAME OVER", 2, `line 1: found "15 13 18", expected "13 15 18"`},
		{"wrongly numbered", "2. 13 15 18\n44 46 47\nGAME OVER", 2, `line 1: found "2. 13 15 18", expected "13 15 18"`},
		{"lower case", "13 15 18\n44 46 47\nGame over", 2, `line 3: found "Game over", expected "GAME OVER"`},
		{"markers for game over", "13 15 18\n44 46 47\n3.", 2, `line 3: found "3.", expected "GAME OVER"`},
		{"a line too many", "13 15 18\n44 46 47\nGAME OVER\n1\n2", 3, `line 4: found "1", expected the end`},
		{"a sign", "+13 15 18\n44 46 47\nGAME OVER", 2, `line 1: found "+13 15 18", expected "13 15 18"`},
		{"bytes", "\xff\x1b[2J\n44 46 47\nGAME OVER", 2, `line 1: found "\xff\x1b[2J", expected "13 15 18"`},
	} {
		m := c.Start(1)
		m.Next()
		if foul := m.Reply(1, test.output); foul != nil {
			t.Errorf("%s: %v", test.name, foul)
		}
		want := []protocols.Outcome{{Score: protocols.Points(test.right), Place: 1, Wrong: test.wrong}}
		if diff := cmp.Diff(want, m.Result()); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
		_ = m.String()
	}
}

func TestTrace(t *testing.T) {
	c, err := parse("45 50 48 42 46 40 2 3 2\n6 7 8 51 50 49 4 3 3 2 1\n1 2 3 6 5 4 0")
	if err != nil {
		t.Fatal(err)
	}
	m := c.Start(1)
	var got []string
	for s := range m.(protocols.Tracer).Trace() {
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(text))
	}
	want := []string{
		`{"line":1,"roll":0,"markers":[40,42,46]}`,
		`{"line":1,"roll":1,"die":3,"markers":[42,44,46]}`,
		`{"line":1,"roll":2,"die":2,"markers":[42,44,46]}`,
		`{"line":2,"roll":1,"die":3,"markers":[50,51]}`,
		`{"line":2,"roll":2,"die":3,"markers":[50,51]}`,
		`{"line":2,"roll":3,"die":2,"markers":[51]}`,
		`{"line":2,"roll":4,"die":1,"markers":[]}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for range m.(protocols.Tracer).Trace() {
		break // stopping early is allowed
	}
	for _, want := range []string{want[0], `{"line":3,"roll":0,"markers":[4,5,6]}`} {
		if text, err := json.Marshal(m.State()); err != nil || string(text) != want {
			t.Errorf("state %s, %v, want %s", text, err, want)
		}
		m.Next()
		m.Reply(1, "")
	}
}

func TestPicture(t *testing.T) {
	m := publishedCase(t, 0, 1).Start(1)
	want := `The start. The player's markers are in [ ], the opponent's in ( ).

Line 1: 4 14 24 1 8 12 6 6 3 5 1 5 6
  start
                 [1] 52
                  2  51
  7   6   5  (4)  3  50  49  48  47  46
 [8]  9  10  11 [12] 41  42  43  44  45
 17  16  15 (14) 13  40  39  38  37  36
 18  19  20  21  22  31  32  33  34  35
                 23  30
                (24) 29
                 25  28
                 26  27`
	if diff := cmp.Diff(want, m.String()); diff != "" {
		t.Error(diff)
	}
	m.Next()
	m.Reply(1, "1. 13 15 17")
	want = `Seat 1 answered 0 of 1 lines right; line 1: found "1. 13 15 17", expected "13 15 18".

Line 1: 4 14 24 1 8 12 6 6 3 5 1 5 6
  rolls (and rules): 6: 1 to 7 (4), 3: 7 to 10 (7), 5: 8 to 13 (4),
    1: 10 to 11 (4), 5: 11 to 15 (5), 6: 12 to 18 (6)
  result: 13 15 18; answered "1. 13 15 17"
  start                                   end
                 [1] 52                                   1  52
                  2  51                                   2  51
  7   6   5  (4)  3  50  49  48  47  46   7   6   5  (4)  3  50  49  48  47  46
 [8]  9  10  11 [12] 41  42  43  44  45   8   9  10  11  12  41  42  43  44  45
 17  16  15 (14) 13  40  39  38  37  36  17  16 [15](14)[13] 40  39  38  37  36
 18  19  20  21  22  31  32  33  34  35 [18] 19  20  21  22  31  32  33  34  35
                 23  30                                  23  30
                (24) 29                                 (24) 29
                 25  28                                  25  28
                 26  27                                  26  27`
	if diff := cmp.Diff(want, m.String()); diff != "" {
		t.Error(diff)
	}
}

// TestPictureOfMany checks that a picture of many lines shows the first ones
// and the first wrong one.
func TestPictureOfMany(t *testing.T) {
	c, err := generate("large", 1)
	if err != nil {
		t.Fatal(err)
	}
	m := c.Start(1)
	m.Next()
	lines := strings.Split(answersOf(c.(*Case)), "\n")
	lines[776] = "x"
	m.Reply(1, strings.Join(lines, "\n"))
	picture := m.String()
	for _, want := range []string{"Seat 1 answered 9999 of 10000 lines right; line 777: found", "\nLine 5: ", "\nLine 777: ", "And 9994 more lines."} {
		if !strings.Contains(picture, want) {
			t.Errorf("%q is missing in\n%s", want, picture)
		}
	}
	if strings.Contains(picture, "\nLine 6: ") {
		t.Error("line 6 is shown")
	}
}

// answersOf is the right output.
func answersOf(c *Case) string {
	var b strings.Builder
	for i := range c.lines {
		end := c.lines[i].Play()
		fmt.Fprintln(&b, end.String())
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// BenchmarkLines judges a right output of 10,000 lines.
func BenchmarkLines(b *testing.B) {
	c, err := generate("large", 1)
	if err != nil {
		b.Fatal(err)
	}
	output := answersOf(c.(*Case))
	b.ReportAllocs()
	for b.Loop() {
		m := c.Start(1)
		m.Next()
		m.Reply(1, output)
		if m.Result()[0].Score != protocols.Points(10_000) {
			b.Fatal(m.Result())
		}
	}
}

// BenchmarkPlay plays 10,000 lines.
func BenchmarkPlay(b *testing.B) {
	c, err := generate("large", 1)
	if err != nil {
		b.Fatal(err)
	}
	lines := c.(*Case).lines
	b.ReportAllocs()
	for b.Loop() {
		for i := range lines {
			lines[i].Play()
		}
	}
}

// BenchmarkParse reads a case of 10,000 lines.
func BenchmarkParse(b *testing.B) {
	c, err := generate("large", 1)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parse(c.String()); err != nil {
			b.Fatal(err)
		}
	}
}
