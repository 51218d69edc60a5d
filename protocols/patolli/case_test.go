package patolli

import (
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
)

func TestParse(t *testing.T) {
	lines, _ := published()
	canonical := strings.Join(lines, "\n")
	for _, text := range []string{
		canonical,
		canonical + "\n\n",
		strings.ReplaceAll(canonical, "\n", " \r\n"),
		strings.ReplaceAll(canonical, " ", " \t 0"),
	} {
		c, err := parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if c.String() != canonical {
			t.Errorf("parse(%q) prints %q", text, c.String())
		}
	}
	if c, err := parse("1 2 3 4 5 6 0"); err != nil || c.String() != "1 2 3 4 5 6 0" {
		t.Errorf("a line without rolls: %v, %v", c, err)
	}
}

func TestParseRefuses(t *testing.T) {
	const good = "4 14 24 1 8 12 2 6 3\n"
	for _, test := range []struct{ text, want string }{
		{"", "line 1: found the end, expected a line of Patolli"},
		{good + "\n" + good, `line 2: found 0 values in "", ` + head},
		{good + "4 14 24 1 8 12", `line 2: found 6 values in "4 14 24 1 8 12", ` + head},
		{good + "0 14 24 1 8 12 1 6", `line 2: found "0", expected a marker's location, 1 to 51`},
		{good + "4 14 24 1 8 52 1 6", `line 2: found "52", expected a marker's location, 1 to 51`},
		{good + "4 14 24 1 8 -1 1 6", `line 2: found "-1", expected a marker's location, 1 to 51`},
		{good + "4 14 24 1 8 8 1 6", "line 2: found two markers at 8, expected six markers at different locations"},
		{good + "4 14 24 1 8 14 1 6", "line 2: found two markers at 14, expected six markers at different locations"},
		{good + "4 14 4 1 8 12 1 6", "line 2: found two markers at 4, expected six markers at different locations"},
		{good + "4 14 24 1 8 12 x 6", `line 2: found "x", expected the number of rolls`},
		{good + "4 14 24 1 8 12 2 6", "line 2: found 1 roll, expected 2, as the line says"},
		{good + "4 14 24 1 8 12 1 6 6", "line 2: found 2 rolls, expected 1, as the line says"},
		{good + "4 14 24 1 8 12 2 6 7", `line 2: found "7", expected a roll, 1 to 6`},
		{good + "4 14 24 1 8 12 2 0 6", `line 2: found "0", expected a roll, 1 to 6`},
		{good + "4 14 24 1 8 12 999999999999999999999 6", `line 2: found "999999999999999999999", expected the number of rolls`},
	} {
		_, err := parse(test.text)
		var fault *protocols.CaseError
		if !errors.As(err, &fault) || err.Error() != test.want {
			t.Errorf("parse(%q):\n got %v\nwant %v", test.text, err, test.want)
		}
	}
}

const head = "expected 3 markers of the opponent, 3 of the player, the number of rolls, and the rolls"

func TestLimits(t *testing.T) {
	c, err := generate("generated", 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Limits(1); got != (protocols.Limits{Time: time.Second, Memory: 256 << 20}) {
		t.Errorf("limits: %+v", got)
	}
}

func TestGenerate(t *testing.T) {
	for group, lines := range map[string]int{"generated": LinesPerTest, "large": 10_000} {
		if c, err := generate(group, 1); err != nil || len(c.(*Case).lines) != lines {
			t.Errorf("%s: %v", group, err)
		}
	}
	if _, err := generate("published", 1); err == nil ||
		err.Error() != `generate patolli: found group "published", expected one of generated, large, open` {
		t.Errorf("unknown group: %v", err)
	}
}

var update = flag.Bool("update", false, "write the standard cases")

// standard are the texts of the standard cases, by group.
func standard(t testing.TB) map[string][]string {
	t.Helper()
	lines, _ := published()
	cases := map[string][]string{"published": {strings.Join(lines[:5], "\n"), strings.Join(lines[5:], "\n")}}
	for _, seed := range []uint64{1, 2, 3, 4, 5, 6, 7, 34} {
		c, err := generate("generated", seed)
		if err != nil {
			t.Fatal(err)
		}
		cases["generated"] = append(cases["generated"], c.String())
	}
	return cases
}

func TestStandardCases(t *testing.T) {
	for group, texts := range standard(t) {
		for i, text := range texts {
			path := filepath.Join("..", "..", "testdata", "cases", "patolli", group, fmt.Sprintf("%02d.txt", i+1))
			protocoltest.File(t, path, text+"\n", *update)
		}
	}
}

// TestCoverage checks that the generated standard cases exercise every rule and
// its corners, but nothing that the statement leaves open.
func TestCoverage(t *testing.T) {
	seen := situations(t, standard(t)["generated"]...)
	for _, want := range []string{
		"beyond", "taken", "leaves", "standing", "void", "GAME OVER",
		"prime, no step", "prime, some steps", "prime, six steps", "47, no step", "47, some steps",
		"square, no step", "square, some steps",
		"corner, to e", "corner, before e", "corner, stays",
	} {
		if seen[want] == 0 {
			t.Errorf("no roll is %q", want)
		}
	}
	t.Log(seen)
}

// readings are other readings of the points that the statement leaves open.
func readings() map[string]func(n naive, opponent, others []int, s, d int) int {
	return map[string]func(n naive, opponent, others []int, s, d int) int{
		"52 past a corner goes to the multiple": func(n naive, opponent, others []int, s, d int) int {
			if e := s + d; e == 52 && n.turns(s, e) {
				if multiple := e - e%d; !slices.Contains(opponent, multiple) && !slices.Contains(others, multiple) {
					return multiple
				}
				return s
			}
			return n.roll(opponent, others, s, d)
		},
		"47 leads off the grid": func(n naive, opponent, others []int, s, d int) int {
			stopped := func(l int) bool { return 47 < l && l < 52 }
			e := n.roll(opponent, others, s, d)
			if s+d == 47 && e == 47 && !slices.ContainsFunc(opponent, stopped) && !slices.ContainsFunc(others, stopped) {
				return 52
			}
			return e
		},
		"the origin is occupied": func(n naive, opponent, others []int, s, d int) int {
			if e := n.roll(opponent, others, s, d); e > s {
				return e
			}
			return n.roll(append([]int{s}, opponent...), others, s, d)
		},
	}
}

// TestOpen checks that the points the statement leaves open change nothing in
// the lines that avoid them, and that all of them occur in group open.
func TestOpen(t *testing.T) {
	n := newNaive()
	differing := func(group string, seeds uint64) map[string]int {
		different := map[string]int{}
		for seed := range seeds {
			c, err := generate(group, seed)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range c.(*Case).lines {
				rolls := make([]int, len(l.Rolls))
				for i, roll := range l.Rolls {
					rolls[i] = int(roll)
				}
				want := n.answer(l.Start.opponent.list(), l.Start.player.list(), rolls)
				for name, roll := range readings() {
					if n.answerBy(roll, l.Start.opponent.list(), l.Start.player.list(), rolls) != want {
						different[name]++
					}
				}
			}
		}
		return different
	}
	if got := differing("generated", 200); len(got) > 0 {
		t.Errorf("generated lines depend on what is open: %v", got)
	}
	if got := differing("open", 20); len(got) != len(readings()) {
		t.Errorf("of %d open points, the cases of group open meet %v", len(readings()), got)
	}
}

// situations counts the situations in the rolls of cases.
func situations(t *testing.T, texts ...string) map[string]int {
	seen := map[string]int{}
	for _, text := range texts {
		for line := range strings.SplitSeq(text, "\n") {
			l := parseLine(t, line)
			p := l.Start
			for _, roll := range l.Rolls {
				seen[situation(p.Roll(int(roll)), int(roll))]++
			}
			if p.Over() {
				seen["GAME OVER"]++
			}
		}
	}
	return seen
}

// situation names the outcome of a roll.
func situation(m Move, roll int) string {
	e := m.From + roll
	name := map[Rule]string{
		0: "void", Beyond: "beyond", Taken: "taken", Leaves: "leaves", Prime: "prime", Square: "square",
		Corner: "corner", Standing: "standing",
	}[m.Rule]
	switch {
	case m.Rule == Prime || m.Rule == Square:
		if e == 47 {
			name = "47"
		}
		switch max(m.To-e, e-m.To) {
		case 0:
			return name + ", no step"
		case 6:
			return name + ", six steps"
		}
		return name + ", some steps"
	case m.Rule == Corner && m.To == m.From:
		return "corner, stays"
	case m.Rule == Corner && m.To == e:
		return "corner, to e"
	case m.Rule == Corner:
		return "corner, before e"
	}
	return name
}

func FuzzParse(f *testing.F) {
	f.Add("1 2 3 4 5 6 0")
	f.Add("1 2 3 4 5 6 9223372036854775807 1")
	protocoltest.Suite{Seeds: 1}.Fuzz(f, Game())
}

func FuzzReply(f *testing.F) {
	for _, text := range []string{"", "13 15 18\n26 29 30", "1. 13 15 18", "1.", ".", "\n\n\r", "\xff", "GAME OVER"} {
		f.Add(uint64(1), uint8(0), text)
	}
	g := Game()
	g.Groups = g.Groups[:1] // large cases take long
	protocoltest.Suite{}.FuzzReply(f, g)
}
