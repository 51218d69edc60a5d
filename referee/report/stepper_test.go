package report

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rivo/uniseg"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
	"umpire/referee/analysis"
	"umpire/referee/record"
)

// relayed is a match of a toy game between bots with names that are wide, or
// hostile.
func relayed() (record.Record, []protocols.Game) {
	return record.Record{
		ID: "id", Game: "morra", Case: record.Case{Name: "group/case", Text: "1 1"},
		Seats: []record.Seat{{Bot: "漢字漢字漢字"}, {Bot: "\x1b[2Jevil"}},
		Events: []record.Event{
			{Seat: 1, Reply: new("x")}, {Seat: 2, Reply: new("3")},
		},
	}, []protocols.Game{protocoltest.Morra()}
}

// TestFold breaks lines at spaces, measures wide characters, and leaves colours
// out of account.
func TestFold(t *testing.T) {
	for _, test := range []struct {
		line  string
		width int
		want  []string
	}{
		{"", 10, []string{""}},
		{"one two three", 13, []string{"one two three"}},
		{"one two three", 12, []string{"one two", "three"}},
		{"one two three", 5, []string{"one", "two", "three"}},
		{"abcdefgh", 3, []string{"abc", "def", "gh"}},
		{"漢字漢字", 5, []string{"漢字", "漢字"}},
		{"漢字", 1, []string{"漢", "字"}},
		{"e\u0301e\u0301e\u0301", 2, []string{"e\u0301e\u0301", "e\u0301"}},
		{"\x1b[31mred\x1b[0m and more", 8, []string{"\x1b[31mred\x1b[0m and", "more"}},
		{"a\tb", 8, []string{"a", "\t", "b"}},
	} {
		var got []string
		for _, line := range fold(test.line, test.width) {
			got = append(got, line.fit)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%q in %d:\n%s", test.line, test.width, diff)
		}
	}
}

// TestFrameFits: no frame is wider or higher than the terminal, however small it
// is, and all of a step can be scrolled to.
func TestFrameFits(t *testing.T) {
	r, games := relayed()
	v := Replay{Printer: NewPrinter(new(bytes.Buffer)), Games: games}
	s, err := v.Stepper(r)
	if err != nil {
		t.Fatal(err)
	}
	for step := range s.Last() + 1 {
		s.Go(step)
		for width := 2; width < 90; width += 7 {
			for height := 1; height < 30; height += 3 {
				for {
					frame := s.Frame(width, height, "match 1", "help")
					if len(frame) > height {
						t.Fatalf("%d lines, expected at most %d", len(frame), height)
					}
					for _, line := range frame {
						if strings.Contains(line.fit, "\x1b") || uniseg.StringWidth(line.fit) > width {
							t.Fatalf("%q is wider than %d, or has a colour", line.fit, width)
						}
					}
					before := s.top
					if s.Scroll(1); s.top == before {
						break
					}
				}
				s.Go(step)
			}
		}
	}
}

// TestRemarks: what a move was worth stands below it, in the text and in the
// steps.
func TestRemarks(t *testing.T) {
	r, games := relayed()
	var out bytes.Buffer
	worth := &analysis.Match{
		Unit: "rounds", Method: "by hand",
		Moves: []analysis.Move{{Step: 2, Event: 1, Seat: 2, Reply: "3", Value: 1, Best: "5", BestValue: 4, Lost: 3, Exact: true, Choices: 5, Class: analysis.Blunder}},
	}
	v := Replay{Printer: NewPrinter(&out), Games: games, Analyse: func(record.Record) (*analysis.Match, error) { return worth, nil }}
	if err := v.Print(r); err != nil {
		t.Fatal(err)
	}
	remark := regexp.MustCompile(`(?m)^.*; best: 5\b.*$`)
	if n := len(remark.FindAllString(out.String(), -1)); n != 1 || strings.Count(out.String(), "by hand") != 1 {
		t.Errorf("the remark is there %d times: %s", n, out.String())
	}
	s, err := v.Stepper(r)
	if err != nil {
		t.Fatal(err)
	}
	if s.GoMistake(); s.At() != 2 || !s.Mistakes() {
		t.Errorf("the next mistake is at step %d, expected 2", s.At())
	}
	if s.GoMistake(); s.At() != 2 {
		t.Errorf("after the last mistake comes step %d, expected 2", s.At())
	}
	for step, want := range []bool{false, false, true} {
		s.Go(step)
		var all []string
		for _, line := range s.Frame(80, 24, "", "") {
			all = append(all, line.fit)
		}
		at := strings.Join(all, "\n")
		if remark.MatchString(at) != want || strings.Contains(at, "by hand") != (step == 0) {
			t.Errorf("step %d: %s", step, at)
		}
	}
}
