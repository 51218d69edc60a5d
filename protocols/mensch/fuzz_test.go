package mensch

import (
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
)

func FuzzParseTask(f *testing.F) {
	for part, text := range []string{1: "3", 2: "37 71 101\n10", 3: sample3a, 4: sample4, 5: sample4} {
		f.Add(part, text)
	}
	f.Add(3, sample3b)
	f.Add(3, "37 71 101\r\n2\r\nmove R1 06 \r\n giveup\r\n\r\n")
	f.Add(2, "2 2 3\n100000")
	f.Fuzz(func(t *testing.T, part int, text string) {
		part = 1 + (part%5+5)%5
		c, err := parseTask(part, text)
		if err != nil {
			if _, ok := err.(*protocols.CaseError); !ok {
				t.Fatalf("error of type %T", err)
			}
			return
		}
		again, err := parseTask(part, c.String())
		if err != nil || again.String() != c.String() {
			t.Fatalf("%q reads back as %v, %v", c, again, err)
		}
		answer := string(c.(*task).answer())
		if part > 1 {
			if wrong := describe(firstMistake(answer, naiveOutput(part, c.String()))); wrong != "" {
				t.Fatalf("part %d, %q: %s", part, c, wrong)
			}
		}
	})
}

// FuzzReply plays a match with the lines of a text as replies.
func FuzzReply(f *testing.F) {
	f.Add(2, "dice\nenter R2\nmove R2 1\ndice\ngiveup\n")
	f.Add(4, strings.Repeat("giveup\n", 16))
	f.Add(3, "dice\nmove R1 99999999999999999999\nenter \x00\ndice\nenter B1")
	f.Fuzz(func(t *testing.T, seats int, text string) {
		seats = 2 + (seats%3+3)%3
		m := Case{quick}.Start(seats).(*match)
		failed := 0
		for line := range strings.SplitSeq(text, "\n") {
			step := m.Next()
			if len(step.Await) == 0 {
				break
			}
			before := m.board
			if foul := m.Reply(step.Await[0], line); foul != nil {
				if m.board != before || foul.Reason == "" {
					t.Fatalf("foul %v for %q changed the board", foul, line)
				}
				m.Fail(step.Await[0], protocols.Failure{Kind: protocols.KindFoul, Detail: foul.Reason})
				failed++
			}
			_ = m.String()
			checkBoard(t, &m.board)
		}
		for _, o := range m.Result() {
			if o.Place < 1 || o.Place > seats {
				t.Fatalf("result %+v", m.Result())
			}
		}
		if failed >= seats {
			t.Fatalf("%d of %d seats failed", failed, seats)
		}
	})
}

func FuzzCompare(f *testing.F) {
	f.Add("6 6 2\n1\n", "6 6 2\n1\n")
	f.Add("O0.xX\n", "oo.xx\n")
	f.Add(strings.Repeat("é", 90), strings.Repeat("é", 70)+"1")
	f.Fuzz(func(t *testing.T, got, want string) {
		if wrong := describe(firstMistake(want, want)); wrong != "" {
			t.Fatalf("%q is not like itself: %s", want, wrong)
		}
		if wrong := describe(firstMistake(got, want)); len(wrong) > 1000 {
			t.Fatalf("%d bytes say what is wrong", len(wrong))
		}
	})
}

func FuzzParse(f *testing.F) { protocoltest.Suite{}.Fuzz(f, Games()[0]) }
