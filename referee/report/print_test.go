package report_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
	"time"

	"umpire/referee/report"
)

type name string

type position struct{}

func (position) String() string { return "a\x1b[2J\nb" }

// TestPrinter: whatever an argument is, a terminal is sent no control sequence
// of it; those of colours are.
func TestPrinter(t *testing.T) {
	var out bytes.Buffer
	p := report.NewPrinter(&out)
	p.Colour = true
	for _, test := range []struct {
		format string
		args   []any
		want   string
	}{
		{"%s|%5d|%.1f|%v", []any{"\x1b[2J", 7, 2.25, true}, `\x1b[2J|    7|2.2|true`},
		{"%s %v", []any{position{}, errors.New("no\r room")}, "a\\x1b[2J\nb no\\r room"},
		{"%-4s|%v|%s", []any{name("ü"), []string{"\a"}, []byte("\x9b")}, `ü   |[\a]|\x9b`},
		{"%v %v", []any{fmt.Errorf("%w: x", errors.New("\b")), time.Second}, `\b: x 1s`},
		{"%s", []any{report.SafeLine("a\n\x1b")}, `a\n\x1b`},
		{"%s", []any{p.Style(report.Red, "\x1b[0m")}, "\x1b[31m\\x1b[0m\x1b[0m"},
		{"%s", []any{p.Style(report.Red, "")}, ""},
		{"%s", []any{report.Textf("%s %s", p.Style(report.Bold, name("b")), "\x1b")}, "\x1b[1mb\x1b[0m \\x1b"},
		{"%s", []any{p.Style(report.Dim, "x").String()}, `\x1b[2mx\x1b[0m`}, // a string is from outside again
	} {
		out.Reset()
		p.Printf(test.format, test.args...)
		if out.String() != test.want {
			t.Errorf("%q prints %q, expected %q", test.format, out.String(), test.want)
		}
	}
	p.Colour = false
	if text := p.Style(report.Red, "x"); text.String() != "x" {
		t.Errorf("without colours there is %q", text)
	}
}
