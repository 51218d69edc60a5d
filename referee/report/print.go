package report

import (
	"encoding/json"
	"fmt"
	"io"
)

// Text is text that is fit for a terminal as it is. Only this package makes it:
// of text from outside with Safe, SafeLine and Textf, and with colours by
// Printer.Style. Every other value is made fit when a Printer prints it.
type Text struct{ fit string }

// String is the text. As a string it is text from outside again: colours do not
// outlive that.
func (t Text) String() string { return t.fit }

// Textf formats text. Arguments that are not Text are made fit for a terminal.
func Textf(format string, args ...any) Text {
	fit(args)
	return Text{fmt.Sprintf(format, args...)}
}

// fit replaces each argument by one that prints what is fit for a terminal. It
// does so in place: vet checks the callers only of those that hand the same slice
// on to fmt.
func fit(args []any) {
	for i, arg := range args {
		switch arg := arg.(type) {
		case Text:
			args[i] = arg.fit
		case int, int64, float64, bool:
		default:
			args[i] = escaped{arg}
		}
	}
}

// escaped is an argument that is made fit for a terminal once it is formatted,
// whatever its type is.
type escaped struct{ arg any }

func (e escaped) Format(state fmt.State, verb rune) {
	_, _ = io.WriteString(state, safe(fmt.Sprintf(fmt.FormatString(state, verb), e.arg), multiline))
}

// Colour is a way to set text off on a terminal.
type Colour string

// The colours: parameters of the terminal's escape sequence.
const (
	Red    Colour = "31"
	Green  Colour = "32"
	Yellow Colour = "33"
	Bold   Colour = "1"
	Dim    Colour = "2"
)

// Printer prints to what may be a terminal, and is the only way to it: there is
// no other access to its writer. What comes from bots, files and users can't
// send it control sequences. An error is the writer's to keep.
type Printer struct {
	out    io.Writer
	Colour bool // show colours
}

// NewPrinter makes a printer without colours.
func NewPrinter(out io.Writer) *Printer { return &Printer{out: out} }

// Printf prints as fmt.Printf does. Arguments that are not Text are made fit for
// a terminal.
func (p *Printer) Printf(format string, args ...any) {
	fit(args)
	_, _ = fmt.Fprintf(p.out, format, args...)
}

// Style gives text a colour, if colours are shown.
func (p *Printer) Style(c Colour, text any) Text {
	plain := Textf("%v", text)
	if !p.Colour || plain.fit == "" {
		return plain
	}
	return Text{"\x1b[" + string(c) + "m" + plain.fit + "\x1b[0m"}
}

// Table prints a table in columns two spaces apart, its cells on one line each.
// Style, if not nil, gives a cell a colour; row -1 is the header.
func (p *Printer) Table(t Table, style func(row, column int, text Text) Text) {
	_ = t.Write(p.out, style)
}

// dimHeader is a table's style in which its header alone is set off.
func (p *Printer) dimHeader(row, _ int, text Text) Text {
	if row < 0 {
		return p.Style(Dim, text)
	}
	return text
}

// JSON is an encoder of JSON, one value a line.
func (p *Printer) JSON() *json.Encoder { return json.NewEncoder(SafeJSON(p.out)) }
