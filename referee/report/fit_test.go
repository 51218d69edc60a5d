package report_test

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"umpire/protocols"
	"umpire/referee/report"
	"umpire/referee/standings"
)

// TestTableFits: whatever a table holds, its lines fit the terminal, and no number is
// ever cut.
func TestTableFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("aé国\u0301한🙂 ")))
		number := rapid.StringMatching(`[0-9]{1,5}`)
		tab := report.Table{Header: []string{"rank", "bot"}, Right: []bool{true, false}, Spare: []int{0, 0}}
		for range rapid.IntRange(0, 6).Draw(t, "columns") {
			tab.Header, tab.Right, tab.Spare = append(tab.Header, "n"), append(tab.Right, true), append(tab.Spare, rapid.IntRange(0, 1).Draw(t, "spare"))
		}
		numbers := make(map[string]bool)
		for range rapid.IntRange(0, 4).Draw(t, "rows") {
			row := []any{1, text.Draw(t, "name")}
			for range tab.Header[2:] {
				n := number.Draw(t, "number")
				numbers[n] = true
				row = append(row, n)
			}
			tab.Add(row...)
		}
		room := rapid.IntRange(16, 100).Draw(t, "room")
		var out bytes.Buffer
		if err := tab.Write(&out, room, nil); err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n") {
			if n := report.Width(line); n > room {
				t.Errorf("%d columns of %d: %q", n, room, line)
			}
			for _, word := range strings.Fields(line) {
				if i > 0 && i <= len(tab.Rows) && strings.Trim(word, "0123456789") == "" && word != "1" && !numbers[word] {
					t.Errorf("%q holds %s, a number that is not in the table", line, word)
				}
			}
		}
	})
}

// TestNarrowTable: names lose their middles before columns are left out, the
// least important first, and what is left out is named.
func TestNarrowTable(t *testing.T) {
	tab := report.Table{
		Header: []string{"rank", "bot", "won", "Elo", "slowest"}, Right: []bool{true, false, true, true, true}, Spare: []int{0, 0, 0, 1, 2},
	}
	tab.Add(1, "围棋大师机器人第二版", "12.5", "1810 ±9", "1.5 ms")
	tab.Add(2, "AVeryLongNameOfThirtyLettersXY", "3", "1190 ±126", "12.25 ms")
	for room, want := range map[int]string{
		0: `
rank  bot                              won        Elo   slowest
   1  围棋大师机器人第二版            12.5  1810   ±9   1.50 ms
   2  AVeryLongNameOfThirtyLettersXY   3.0  1190 ±126  12.25 ms
`,
		50: `
rank  bot                 won        Elo   slowest
   1  围棋大师…人第二版  12.5  1810   ±9   1.50 ms
   2  AVeryLon…ettersXY   3.0  1190 ±126  12.25 ms
`,
		40: `
rank  bot                 won        Elo
   1  围棋大师…人第二版  12.5  1810   ±9
   2  AVeryLon…ettersXY   3.0  1190 ±126
(in a wider window also: slowest)
`,
		20: `
rank  bot        won
   1  围棋…版   12.5
   2  AVer…sXY   3.0
(in a wider window
 also: Elo, slowest)
`,
	} {
		var out bytes.Buffer
		if err := tab.Write(&out, room, nil); err != nil {
			t.Fatal(err)
		}
		if got := "\n" + out.String(); got != want {
			t.Errorf("in %d columns found%sexpected%s", room, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text    string
		columns int
		want    string
	}{
		{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"围棋", 4, "围棋"}, {"围棋", 3, "围…"}, {"围棋", 2, "…"},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…"}, {"", 0, ""}, {"a", 1, "a"},
	} {
		if got := report.Cut(c.text, c.columns); got != c.want {
			t.Errorf("%q in %d columns is %q, expected %q", c.text, c.columns, got, c.want)
		}
	}
}

// TestFailuresInOne: where not all kinds of failures fit, a column has them together, which
// stays while there are columns of less worth; what is nothing but zeros goes first.
func TestFailuresInOne(t *testing.T) {
	row := func(rank int, bot string, failed int, failures map[string]int) standings.Row {
		return standings.Row{Rank: rank, Bot: bot, Played: 44, Won: 44 - rank, Lost: rank, Difference: 8, Failures: failures, Failed: failed}
	}
	view := report.Standings{Quiet: true, Game: protocols.Game{MaxSeats: 2}, Of: &standings.Standings{Rows: []standings.Row{
		row(1, "slow", 19, map[string]int{"time": 17, "foul": 2}), row(2, "alice", 4, map[string]int{"crash": 3, "memory": 1}),
	}}}
	for columns, want := range map[int]string{
		120: `
rank  bot    played  won  drawn  lost  score  difference  foul  timeouts  crash  memory  mean/move  slowest  mean
   1  slow       44   43      0     1      0           8     2        17      0       0          -        -     -
   2  alice      44   42      0     2      0           8     0         0      3       1          -        -     -
`,
		76: `
rank  bot    played  won  lost  score  foul  timeouts  crash  memory  mean
   1  slow       44   43     1      0     2        17      0       0     -
   2  alice      44   42     2      0     0         0      3       1     -
(in a wider window also: drawn, difference, mean/move, slowest)
`,
		66: `
rank  bot    played  won  lost  score  difference  failures  mean
   1  slow       44   43     1      0           8        19     -
   2  alice      44   42     2      0           8         4     -
(in a wider window also: drawn, mean/move, slowest, failures by
 kind: foul, timeouts, crash, memory)
`,
		48: `
rank  bot    played  won  lost  score  failures
   1  slow       44   43     1      0        19
   2  alice      44   42     2      0         4
(in a wider window also: drawn, difference,
 mean/move, slowest, mean, failures by kind:
 foul, timeouts, crash, memory)
`,
	} {
		var out bytes.Buffer
		p := report.NewPrinter(&out)
		p.Columns = func() int { return columns }
		view.Print(p)
		if got := "\n" + out.String(); got != want {
			t.Errorf("in %d columns found%sexpected%s", columns, got, want)
		}
	}
}
