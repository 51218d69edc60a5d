package mensch

import (
	"encoding/json"
	"errors"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"umpire/protocols"
)

func mustTask(t testing.TB, part int, text string) *task {
	t.Helper()
	c, err := parseTask(part, text)
	if err != nil {
		t.Fatalf("part %d: %v", part, err)
	}
	return c.(*task)
}

const (
	sample3a = "37 71 101\n14\ndice\nenter R2\nmove R2 1\ndice\nmove R2 3\ndice\nmove R2 5\ndice\nmove R2 4\ndice\ngiveup\nmove R2 3\ndice\nmove R2 4"
	sample3b = "479 139 911\n8\nmove R3 2\nenter R2\ndice\ndice\nenter R4\ngiveup\nenter R4\ndice"
	sample4  = "41 41 997\n7\ndice\nenter R2\nmove R2 6\nmove R2 2\ndice\nenter B1\nmove B1 3"
)

func TestSamples(t *testing.T) {
	faces := []string{
		"...../...../..o../...../.....", "...../...o./...../.o.../.....", "...../...o./..o../.o.../.....",
		"...../.o.o./...../.o.o./.....", "...../.o.o./..o../.o.o./.....", "...../.o.o./.o.o./.o.o./.....",
	}
	for i, f := range faces {
		got := string(mustTask(t, 1, string(rune('1'+i))).answer())
		if want := strings.ReplaceAll(f, "/", "\n") + "\n"; got != want {
			t.Errorf("part 1, %d:\n%s", i+1, got)
		}
	}
	tests := []struct {
		part        int
		input, want string
	}{
		{2, "37 71 101\n10", "6\n1\n3\n5\n4\n3\n4\n4\n3\n4\n"},
		{2, "479 139 911\n8", "2\n2\n1\n2\n5\n4\n6\n4\n"},
		{3, sample3a, "6 1\n1\n2\n3\n5\n5\n10\n4\n14\n3\ninvalid move\n4\n18\n"},
		{3, sample3b, "invalid move\nyou need six\n2\ninvalid dice rolling\nyou need six\nyou need six\n2\n"},
		{4, sample4, "6 6 2\n1\n7\n9\n6 3\n11\n14\n"},
	}
	for _, tt := range tests {
		if got := string(mustTask(t, tt.part, tt.input).answer()); got != tt.want {
			t.Errorf("part %d, %q: got %q, want %q", tt.part, tt.input, got, tt.want)
		}
	}
}

// The examples in the rules of parts 2 to 5 are right: the text after "the
// input" gives the text after "gives".
func TestRulesExamples(t *testing.T) {
	for _, g := range Games()[2:] {
		var input []string
		examples := 0
		for about, block := range indented(g.Rules) {
			switch {
			case strings.HasSuffix(about, "the input"):
				input = append(input, block)
			case about == "gives":
				c, err := g.Parse(input[examples])
				if err != nil {
					t.Fatalf("%s: %v", g.Name, err)
				}
				m := c.Start(1)
				m.Next()
				m.Reply(1, block)
				if o := m.Result()[0]; o.Score != protocols.Points(1) {
					t.Errorf("%s, example %d: %s", g.Name, examples+1, o.Wrong)
				}
				examples++
			}
		}
		if examples == 0 || examples != len(input) {
			t.Errorf("%s: %d examples of %d inputs", g.Name, examples, len(input))
		}
	}
}

// indented yields a text's indented blocks, each with the last line before it.
func indented(text string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		before := ""
		for part := range strings.SplitSeq(text, "\n\n") {
			if block, ok := strings.CutPrefix(part, "    "); ok && !yield(before, strings.ReplaceAll(block, "\n    ", "\n")) {
				return
			}
			before = part[strings.LastIndexByte(part, '\n')+1:]
		}
	}
}

const startPicture = `R1.R2.......oo.oo.oo.......B1.B2
R3.R4.......oo.xx.oo.......B3.B4
............oo.xx.oo............
............oo.xx.oo............
oo.oo.oo.oo.oo.xx.oo.oo.oo.oo.oo
oo.xx.xx.xx.xx....xx.xx.xx.xx.oo
oo.oo.oo.oo.oo.xx.oo.oo.oo.oo.oo
............oo.xx.oo............
............oo.xx.oo............
Y1.Y2.......oo.xx.oo.......G1.G2
Y3.Y4.......oo.oo.oo.......G3.G4
`

func TestPartFivePrintsTheBoardAfterEachRequest(t *testing.T) {
	entered := strings.Replace(strings.Replace(startPicture, "R2", "xx", 1), "\noo.oo", "\nR2.oo", 1)
	got := string(mustTask(t, 5, "37 71 101\n4\ndice\nenter R2\ndice\ngiveup").answer())
	want := "6 1\n" + startPicture + "1\n" + entered + "invalid dice rolling\n" + entered + entered
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, g := range Games() {
		if g.Name == "mensch-5" && !strings.Contains(g.Rules, "    "+strings.ReplaceAll(startPicture, "\n", "\n    ")) {
			t.Errorf("the rules show another board than the one printed")
		}
	}
}

func TestParseTask(t *testing.T) {
	tests := []struct{ part, text, canonical string }{
		{"1", " 003 \r\n\r\n", "3"},
		{"2", "37  71\t101\r\n01\r\n", "37 71 101\n1"},
		{"2", "2 2 3\n100000", "2 2 3\n100000"},
		{"3", "991 991 997\n3\n move  R1 06\ngiveup \nenter R4\n\n", "991 991 997\n3\nmove R1 6\ngiveup\nenter R4"},
		{"4", "37 71 101\n1\ndice\n", "37 71 101\n1\ndice"},
		{"5", sample4 + "\n", sample4},
	}
	for _, tt := range tests {
		part := int(tt.part[0] - '0')
		c := mustTask(t, part, tt.text)
		if c.String() != tt.canonical {
			t.Errorf("part %d, %q: canonical %q, want %q", part, tt.text, c, tt.canonical)
		}
		if again := mustTask(t, part, c.String()); !cmp.Equal(c, again, cmp.AllowUnexported(task{})) {
			t.Errorf("part %d: %q does not read back as it was", part, c)
		}
	}
}

func TestParseTaskRefuses(t *testing.T) {
	tests := []struct {
		part int
		text string
		line int
		want string // part of the message
	}{
		{1, "", 1, "found the end, expected d (an integer from 1 to 6)"},
		{1, "0", 1, `found "0"`},
		{1, "7", 1, `found "7"`},
		{1, "-1", 1, `found "-1"`},
		{1, "3 3", 1, "2 values"},
		{1, "3\n3", 2, "expected the end"},
		{2, "37 71", 1, "2 values"},
		{2, "4 71 101\n1", 1, "found A = 4, expected a prime"},
		{2, "37 72 101\n1", 1, "found B = 72, expected a prime"},
		{2, "37 71 100\n1", 1, "found m = 100, expected a prime"},
		{2, "1 71 101\n1", 1, `found "1"`},
		{2, "37 71 1009\n1", 1, `found "1009"`},
		{2, "101 71 101\n1", 1, "found A = 101, m = 101, expected A less than m"},
		{2, "37 103 101\n1", 1, "expected B less than m"},
		{2, "37 71 101\n100001", 2, `found "100001"`},
		{2, "37 71 101\n0", 2, `found "0", expected n (an integer from 1 to 100000)`},
		{3, "37 71 101\n0", 2, `found "0", expected q (an integer from 1 to 100000)`},
		{4, "37 71 101\n0", 2, `found "0", expected q (an integer from 1 to 1000)`},
		{5, "37 71 101\n0", 2, `found "0", expected q (an integer from 1 to 1000)`},
		{2, "37 71 101", 2, "found the end, expected n"},
		{3, "37 71 101\n100001\n", 2, "expected q"},
		{3, "37 71 101\n2\ndice", 4, "found the end, expected a request"},
		{3, "37 71 101\n1\ndice\ndice", 4, `found "dice", expected the end`},
		{3, "37 71 101\n1\nroll", 3, `found "roll", expected a request (dice, enter P, move P s or giveup, P from R1 to R4`},
		{3, "37 71 101\n1\nenter B1", 3, `found "enter B1"`},
		{3, "37 71 101\n2\ndice\n\n", 4, `found the end`},
		{3, "37 71 101\n2\n\ndice", 3, `found ""`},
		{3, "37 71 101\n1\nmove R1 7", 3, `found "move R1 7"`},
		{4, "37 71 101\n1001\n", 2, `found "1001"`},
		{4, "37 71 101\n1\nenter B5", 3, "P from R1 to Y4"},
		{5, "37 71 101\n1001\n", 2, `found "1001"`},
		{5, "37 71 101\n1\nmove Y4", 3, `found "move Y4"`},
	}
	for _, tt := range tests {
		_, err := parseTask(tt.part, tt.text)
		var bad *protocols.CaseError
		if !errors.As(err, &bad) {
			t.Errorf("part %d, %q: error %v", tt.part, tt.text, err)
			continue
		}
		if bad.Line != tt.line || !strings.Contains(bad.Error(), tt.want) {
			t.Errorf("part %d, %q: %v, want line %d, %s", tt.part, tt.text, err, tt.line, tt.want)
		}
	}
}

func TestCompare(t *testing.T) {
	tests := []struct{ name, got, want, wrong string }{
		{"equal", "1\n2\n", "1\n2\n", ""},
		{"no last newline", "1\n2", "1\n2\n", ""},
		{"blanks at line ends", "1 \t\r\n2  \r\n", "1\n2\n", ""},
		{"blank lines at the end", "1\n2\n \n\n", "1\n2\n", ""},
		{"nothing wanted", "", "", ""},
		{"only blanks, nothing wanted", " \n", "", ""},
		{"wrong line", "1\n3\n", "1\n2\n", "line 2: found `3`, expected `2`"},
		{"blank first", " 1\n", "1\n", "line 1: found ` 1`, expected `1`"},
		{"two blanks inside", "6  1\n", "6 1\n", "line 1: found `6  1`, expected `6 1`"},
		{"empty line inside", "1\n\n2\n", "1\n2\n", "line 2: found an empty line, expected `2`"},
		{"line missing", "1\n", "1\n2\n", "line 2: found the end, expected `2`"},
		{"no output", "", "1\n", "line 1: found the end, expected `1`"},
		{"line too many", "1\n2\n3\n", "1\n2\n", "line 3: found `3`, expected the end"},
		{"picture with zeros and capitals", "..0..\nO0.XX.oX\n", "..o..\noo.xx.xx\n", "line 2: found `O0.XX.oX`, expected `oo.xx.xx`"},
		{"picture as scanned", "O0.oo.Xx.xX.R1\n", "oo.oo.xx.xx.R1\n", ""},
		{"piece in small letters", "r1.oo\n", "R1.oo\n", "line 1: found `r1.oo`, expected `R1.oo`"},
		{"zero in an answer", "1o\n", "10\n", "line 1: found `1o`, expected `10`"},
		{"capitals in an answer", "yOu need six\n", "you need six\n", "line 1: found `yOu need six`, expected `you need six`"},
		{"capital x in an answer", "you need siX\n", "you need six\n", "line 1: found `you need siX`, expected `you need six`"},
		{"escapes are escaped", "\x1b[2J\n", "1\n", "line 1: found `\\x1b[2J`, expected `1`"},
		{
			"long line", strings.Repeat("1 ", 500) + "3 4", strings.Repeat("1 ", 500) + "2 4" + strings.Repeat(" 5", 100),
			"line 1 at character 1001: found `…1 1 1 1 1 1 1 1 1 1 3 4`, expected `…1 1 1 1 1 1 1 1 1 1 2 4 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 …`",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if wrong := describe(firstMistake(tt.got, tt.want)); wrong != tt.wrong {
				t.Errorf("got %q, want %q", wrong, tt.wrong)
			}
		})
	}
}

func TestBatch(t *testing.T) {
	play := func(part int, input, output string) protocols.Match {
		m := mustTask(t, part, input).Start(1)
		step := m.Next()
		want := protocols.Step{Send: []protocols.Line{{Seat: 1, Text: input}}, Await: []int{1}, Batch: true}
		if diff := cmp.Diff(want, step); diff != "" {
			t.Errorf("first step (-want +got):\n%s", diff)
		}
		if m.String() == "" {
			t.Errorf("no picture before the reply")
		}
		if foul := m.Reply(1, output); foul != nil {
			t.Errorf("foul: %v", foul)
		}
		if after := m.Next(); len(after.Send)+len(after.Await) > 0 {
			t.Errorf("the match goes on with %+v", after)
		}
		return m
	}
	right := play(4, sample4, "6 6 2\n1\n7\n9\n6 3\n11\n14")
	if got := right.Result(); got[0] != (protocols.Outcome{Score: protocols.Points(1), Place: 1}) {
		t.Errorf("right output: %+v", got)
	}
	wrong := play(4, sample4, "6 6 2\n1\n7\n9\n6 3\n11\n13")
	if got := wrong.Result(); got[0] != (protocols.Outcome{Place: 1, Wrong: "line 7: found `13`, expected `14`"}) {
		t.Errorf("wrong output: %+v", got)
	}
	if news, _, _ := strings.Cut(wrong.String(), "\n"); news != "The output is wrong: line 7: found `13`, expected `14`" {
		t.Errorf("the picture of a wrong output begins %q", news)
	}
	failed := mustTask(t, 1, "3").Start(1)
	failed.Next()
	failed.Fail(1, protocols.Failure{Kind: protocols.KindTime})
	if got := failed.Result(); got[0] != (protocols.Outcome{Place: 1}) || len(failed.Next().Await) > 0 {
		t.Errorf("failure: %+v", got)
	}
	if want := "There is no output: time.\n.....\n...o.\n..o..\n.o...\n....."; failed.String() != want {
		t.Errorf("picture %q, want %q", failed.String(), want)
	}
}

func TestBatchStates(t *testing.T) {
	asJSON := func(v any) string {
		out, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	if got := asJSON(mustTask(t, 1, "3").Start(1).State()); got != `{"dice":[3]}` {
		t.Errorf("part 1: %s", got)
	}
	if got := asJSON(mustTask(t, 2, "37 71 101\n4").Start(1).State()); got != `{"dice":[6,1,3,5]}` {
		t.Errorf("part 2: %s", got)
	}
	m := mustTask(t, 3, "37 71 101\n3\ndice\nenter R2\ngiveup").Start(1)
	var got []string
	for state := range m.(protocols.Tracer).Trace() {
		got = append(got, asJSON(state))
	}
	want := []string{
		`{"cells":{"R1":41,"R2":42,"R3":43,"R4":44},"turn":"R","dice":[]}`,
		`{"request":"dice","reply":"6 1","cells":{"R1":41,"R2":42,"R3":43,"R4":44},"turn":"R","dice":[6,1]}`,
		`{"request":"enter R2","reply":"1","cells":{"R1":41,"R2":1,"R3":43,"R4":44},"turn":"R","dice":[1]}`,
		`{"request":"giveup","cells":{"R1":41,"R2":1,"R3":43,"R4":44},"turn":"R","dice":[]}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("trace (-want +got):\n%s", diff)
	}
	if last := asJSON(m.State()); last != `{"cells":{"R1":41,"R2":1,"R3":43,"R4":44},"turn":"R","dice":[]}` {
		t.Errorf("state %s", last)
	}
	for range m.(protocols.Tracer).Trace() {
		break // a replay may stop anywhere
	}
}

func TestGames(t *testing.T) {
	var names []string
	for _, g := range Games() {
		names = append(names, g.Name)
		for i, line := range strings.Split(g.Rules, "\n") {
			if len([]rune(line)) > 100 || strings.HasPrefix(line, "[") {
				t.Errorf("%s: line %d of the rules: %q", g.Name, i+1, line)
			}
		}
		if _, err := g.Generate("nosuch", 1); err == nil || !strings.Contains(err.Error(), g.Groups[0]) {
			t.Errorf("%s: an unknown group gives %v", g.Name, err)
		}
		for _, group := range g.Groups {
			a, err := g.Generate(group, 7)
			if err != nil {
				t.Fatal(err)
			}
			b, _ := g.Generate(group, 7)
			read, err := g.Parse(a.String())
			if err != nil || a.String() != b.String() || read.String() != a.String() {
				t.Errorf("%s: generated case %s/7 is not the same again: %v", g.Name, group, err)
			}
		}
	}
	want := []string{"mensch", "mensch-1", "mensch-2", "mensch-3", "mensch-4", "mensch-5"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("games (-want +got):\n%s", diff)
	}
}
