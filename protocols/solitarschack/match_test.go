package solitarschack

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"umpire/protocols"
)

// dialogue is the statement's board, with the pieces that its dialogue shows
// and 1 everywhere else.
func dialogue(t testing.TB) protocols.Case {
	t.Helper()
	const ones = "1 1 1 1 1 1\n"
	bronze := ones + ones + "1 1 2 1 1 torn\n1 1 3 4 1 dam\n" + ones + ones
	silver := "lopare 1 1 1 1 1\n" + strings.Repeat(ones, 3) + "1 1 1 1 1 springare\n1 1 1 1 1 dam\n"
	gold := strings.Repeat(ones, 5) + "1 1 1 1 1 torn\n"
	c, err := parse(bronze + silver + gold)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// texts are the lines of a step.
func texts(s protocols.Step) []string {
	var out []string
	for _, l := range s.Send {
		out = append(out, l.Text)
	}
	return out
}

// play sends replies that must be accepted and returns the lines sent back.
func play(t testing.TB, m protocols.Match, replies ...string) (lines []string) {
	t.Helper()
	for _, r := range replies {
		if s := m.Next(); !cmp.Equal(s.Await, []int{1}) || s.Batch {
			t.Fatalf("before %q: step %+v, want seat 1 awaited", r, s)
		}
		if foul := m.Reply(1, r); foul != nil {
			t.Fatalf("%q: %v", r, foul)
		}
		lines = append(lines, texts(m.Next())...)
	}
	return lines
}

func score(m protocols.Match) int { return int(m.Result()[0].Score.Float()) }

func TestDialogue(t *testing.T) {
	m := dialogue(t).Start(1)
	board := []string{"1 1 1 1 1 1", "1 1 1 1 1 1", "1 1 2 1 1 torn", "1 1 3 4 1 dam", "1 1 1 1 1 1", "1 1 1 1 1 1"}
	if diff := cmp.Diff(board, texts(m.Next())); diff != "" {
		t.Error(diff)
	}
	got := play(t, m, "6 6", "5 6", "6 6", "1 1", "0 0")
	if diff := cmp.Diff([]string{"dam", "springare", "torn", "lopare"}, got); diff != "" {
		t.Error(diff)
	}
	if s := m.Next(); len(s.Await) != 0 || len(s.Send) != 0 {
		t.Errorf("after 0 0: %+v, want the end", s)
	}
	want := []protocols.Outcome{{Score: protocols.Points(8), Place: 1}}
	if diff := cmp.Diff(want, m.Result()); diff != "" {
		t.Error(diff)
	}
}

func TestEmptySquare(t *testing.T) {
	m := dialogue(t).Start(1)
	got := play(t, m, "6 1", "6 2", "6 1", "6 2", "6 1")
	if diff := cmp.Diff([]string{"1", "1", "1", "1", "blank"}, got); diff != "" {
		t.Error(diff)
	}
	play(t, m, "6 2")
	foul := m.Reply(1, "6 1")
	if foul == nil || foul.Reason != "square 6 1 is empty" {
		t.Errorf("foul %v, want that the square is empty", foul)
	}
}

func TestReplies(t *testing.T) {
	tests := []struct {
		about  string
		before []string
		reply  string
		foul   string // part of the reason; "" if it is accepted
		score  int    // score afterwards, if accepted
	}{
		{"end at once", nil, "0 0", "", 0},
		{"end", []string{"1 1"}, "0 0", "", 1},
		{"leading zeros and blanks", nil, " \t006  01 \r", "", 1},
		{"zeros", nil, "000 00", "", 0},
		{"first removal anywhere", nil, "3 3", "", 1},
		{"row too large", nil, "7 1", "expected a square", 0},
		{"column too large", nil, "1 7", "expected a square", 0},
		{"row 0", nil, "0 1", "expected a square", 0},
		{"column 0", nil, "1 0", "expected a square", 0},
		{"empty", nil, "", "expected a square", 0},
		{"one number", nil, "11", "expected a square", 0},
		{"three numbers", nil, "1 1 1", "expected a square", 0},
		{"sign", nil, "+1 1", "expected a square", 0},
		{"negative", nil, "1 -1", "expected a square", 0},
		{"a word", nil, "one one", "expected a square", 0},
		{"huge", nil, "99999999999999999999999 1", "expected a square", 0},
		{"other digits", nil, "١ ١", "expected a square", 0},
		{"not UTF-8", nil, "\xff\x00 1", `answered "\xff\x00 1"`, 0},
		{"out of reach", []string{"1 1"}, "3 3", "can't be reached after 1 at 1 1, expected one of: 1 2, 2 1, 2 2; or 0 0", 0},
		{"the same square", []string{"1 1"}, "1 1", "can't be reached", 0},
		{"by what was removed, not by what appeared", []string{"6 6"}, "1 1", "can't be reached after 1 at 6 6", 0},
		{"by the silver piece", []string{"6 6", "5 6", "6 6"}, "1 1", "", 8},
		{"nothing in reach", []string{"4 4"}, "4 5", "nor can any other: expected 0 0 to end", 0},
		{"end with nothing in reach", []string{"4 4"}, "0 0", "", 1},
	}
	for _, test := range tests {
		t.Run(test.about, func(t *testing.T) {
			m := dialogue(t).Start(1)
			play(t, m, test.before...)
			m.Next()
			before := m.String()
			foul := m.Reply(1, test.reply)
			if test.foul == "" {
				if foul != nil || score(m) != test.score {
					t.Errorf("foul %v, score %d; want none, %d", foul, score(m), test.score)
				}
				return
			}
			if foul == nil || !strings.Contains(foul.Reason, test.foul) {
				t.Fatalf("foul %v, want %q", foul, test.foul)
			}
			if diff := cmp.Diff(before, m.String()); diff != "" {
				t.Errorf("the foul changed the match: %s", diff)
			}
		})
	}
}

func TestFailGivesNothing(t *testing.T) {
	for _, kind := range protocols.Kinds {
		m := dialogue(t).Start(1)
		play(t, m, "6 6", "5 6", "6 6")
		m.Fail(1, protocols.Failure{Kind: kind, Detail: "it went wrong"})
		if score(m) != 0 || len(m.Next().Await) != 0 {
			t.Errorf("%s: score %d, step %+v; want 0 and the end", kind, score(m), m.Next())
		}
	}
}

func TestState(t *testing.T) {
	m := dialogue(t).Start(1)
	check := func(want string) {
		t.Helper()
		got, err := json.Marshal(m.State())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Error(diff)
		}
	}
	check(`{"board":["1 1 1 1 1 1","1 1 1 1 1 1","1 1 2 1 1 torn","1 1 3 4 1 dam","1 1 1 1 1 1","1 1 1 1 1 1"],` +
		`"colours":["bbbbbb","bbbbbb","bbbbbb","bbbbbb","bbbbbb","bbbbbb"],"removed":"","moves":0,` +
		`"bonus":{"runs":0,"digits":0,"pieces":0,"alternating":0},"score":0}`)
	play(t, m, "6 6", "5 6", "6 6", "6 1")
	play(t, m, "5 1", "6 1", "5 1", "6 1")
	check(`{"board":["1 1 1 1 1 1","1 1 1 1 1 1","1 1 2 1 1 torn","1 1 3 4 1 dam","1 1 1 1 1 springare","blank 1 1 1 1 torn"],` +
		`"colours":["bbbbbb","bbbbbb","bbbbbb","bbbbbb","gbbbbs",".bbbbg"],"removed":"1","moves":8,` +
		`"bonus":{"runs":14,"digits":0,"pieces":0,"alternating":0},"score":22}`)
}

func TestPicture(t *testing.T) {
	m := dialogue(t).Start(1)
	play(t, m, "6 6", "5 6", "6 6")
	want := `seat 1 removed dam, silver, at 6 6: 1 point; torn, gold, appeared
      1     2     3     4     5     6
1   (1b)   1b    1b    1b    1b   (1b)
2    1b    1b    1b    1b    1b    1b
3    1b    1b    2b    1b    1b   tob
4    1b    1b    3b    4b    1b   dab
5    1b    1b    1b    1b    1b   sps
6   (1b)   1b    1b    1b    1b  [tog]
b bronze, s silver, g gold; [x] is where the last removal was, (x) can be reached
removed: 1 1 dam
score 7 = 3 removals + 4 runs + 0 digit sets + 0 piece sets + 0 alternating`
	if diff := cmp.Diff(want, m.String()); diff != "" {
		t.Error(diff)
	}
}

func TestPictureSaysWhatHappened(t *testing.T) {
	first := func(m protocols.Match) string { return strings.SplitN(m.String(), "\n", 2)[0] }
	check := func(m protocols.Match, want string) {
		t.Helper()
		if got := first(m); got != want {
			t.Errorf("picture begins %q, want %q", got, want)
		}
	}
	m := dialogue(t).Start(1)
	check(m, "start: any square may be removed first")
	play(t, m, "6 1")
	check(m, "seat 1 removed 1, bronze, at 6 1: 1 point; 1, silver, appeared")
	play(t, m, "6 2", "6 1", "6 2", "6 1")
	check(m, "seat 1 removed 1, gold, at 6 1: 1 point, 2 for a run; the square is empty")
	play(t, m, "0 0")
	check(m, "seat 1 ended the match with 15 points")
	m = dialogue(t).Start(1)
	play(t, m, "6 1", "0 0")
	check(m, "seat 1 ended the match with 1 point")
	m = dialogue(t).Start(1)
	play(t, m, "4 4")
	check(m, "seat 1 removed 4, bronze, at 4 4: 1 point; 1, silver, appeared; no square can be reached")
	m.Fail(1, protocols.Failure{Kind: protocols.KindTime, Detail: "2 s are spent"})
	check(m, "seat 1 failed (time: 2 s are spent): 0 points")
	if !strings.HasSuffix(m.String(), "score 0, lost 1 = 1 removals + 0 runs + 0 digit sets + 0 piece sets + 0 alternating") {
		t.Errorf("picture of a failure:\n%v", m)
	}
	m = dialogue(t).Start(1)
	m.Fail(1, protocols.Failure{Kind: protocols.KindCrash, Detail: protocols.Left})
	check(m, "seat 1 resigned: 0 points")
}

func TestGroups(t *testing.T) {
	types := map[string]string{"1": "springare", "2": "1", "3": "1 2", "4": "torn lopare dam", "5": "1 2 3 4",
		"6": "1 2 3 4 torn lopare dam springare"}
	for _, name := range Game().Groups {
		seen := map[string]bool{}
		for seed := range uint64(20) {
			c, err := generate(name, seed)
			if err != nil {
				t.Fatal(err)
			}
			for f := range strings.FieldsSeq(c.String()) {
				seen[f] = true
			}
		}
		for f := range strings.FieldsSeq(types[name]) {
			if !seen[f] {
				t.Errorf("group %s has no %s", name, f)
			}
			delete(seen, f)
		}
		if len(seen) != 0 {
			t.Errorf("group %s has %v too", name, seen)
		}
	}
	if _, err := generate("7", 1); err == nil || err.Error() != `generate solitarschack: found group "7", expected one of 6, 1, 2, 3, 4, 5` {
		t.Errorf("group 7: %v", err)
	}
}

func TestLimits(t *testing.T) {
	want := protocols.Limits{Time: 2e9, Memory: 256 << 20}
	if got := dialogue(t).Limits(1); got != want {
		t.Errorf("limits %+v, want %+v", got, want)
	}
}
