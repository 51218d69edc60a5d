package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// Printer prints to a writer that may be a terminal, and is the only access to
// that writer. Text from bots, files and users can't send control sequences to
// it. The writer must keep its own errors.
type Printer struct {
	out    io.Writer
	Colour bool // show colours
	ASCII  bool // draw plots without other characters
	// Columns returns the width of the terminal; nil if the writer is none.
	// Lines for other writers may be of any length.
	Columns func() int
	Rows    func() int // returns the height of the terminal, 0 if unknown; nil if the writer is none
}

// NewPrinter makes a printer without colours.
func NewPrinter(out io.Writer) *Printer { return &Printer{out: out} }

// Printf prints like fmt.Printf. Arguments that are not Text are made safe for
// a terminal.
func (p *Printer) Printf(format string, args ...any) {
	fit(args)
	_, _ = fmt.Fprintf(p.out, format, args...)
}

// Say prints like Printf, and breaks lines that are wider than the terminal
// between words, each part indented like the line. It keeps commands on one line, so that
// they can be copied, and leaves lines in columns, or that begin with four spaces, as they
// are, such as source code.
func (p *Printer) Say(format string, args ...any) {
	fit(args)
	_, _ = io.WriteString(p.out, say(fmt.Sprintf(format, args...), p.room()))
}

// Style colours text, if colours are shown; "" is no colour.
func (p *Printer) Style(c Colour, text any) Text {
	plain := Textf("%v", text)
	if !p.Colour || c == "" || plain.fit == "" {
		return plain
	}
	return Text{"\x1b[" + string(c) + "m" + plain.fit + "\x1b[0m"}
}

// Link is text that a terminal opens an address at, such as file:///…, when it is clicked.
func (p *Printer) Link(address string, text any) Text {
	plain := Textf("%v", text)
	if !p.Colour {
		return plain
	}
	return Text{"\x1b]8;;" + SafeLine(address).fit + "\x1b\\" + plain.fit + "\x1b]8;;\x1b\\"}
}

// room returns the width of the terminal; 0 if lines may be of any length.
func (p *Printer) room() int {
	if p.Columns == nil {
		return 0
	}
	return p.Columns()
}

// Wrap makes text safe for a terminal and breaks it between words so that it
// fits the terminal.
func (p *Printer) Wrap(text string) Text { return p.WrapAfter(0, text) }

// WrapAfter is Wrap for a text that begins in a column, from 0, and so do its further lines.
func (p *Printer) WrapAfter(column int, text string) Text {
	return Text{Fill(Safe(text).fit, p.room(), column, column)}
}

// Table prints a table in columns two spaces apart, each cell on one line, so
// that it fits the terminal.
func (p *Printer) Table(t Table) { _ = t.Write(p.out, p.room(), p.styleOf(t)) }

// styleOf gives the cells of a table its colours; row -1 is the header.
func (p *Printer) styleOf(t Table) func(row, column int, text Text) Text {
	return func(row, column int, text Text) Text {
		var c Colour
		switch {
		case row >= 0 && t.Shade != nil:
			c = t.Shade(row, column)
		case row < 0 && !t.PlainHeader:
			c = Dim
		}
		return p.Style(c, text)
	}
}

// JSON returns an encoder of JSON, one value per line.
func (p *Printer) JSON() *JSONEncoder { return &JSONEncoder{out: p.out} }

// JSONVersion is the version of the form of all JSON output but records, which
// have their own. It changes when a field is removed or means something else.
const JSONVersion = 1

// JSONEncoder writes objects that begin with the version of their form, "v".
type JSONEncoder struct {
	out        io.Writer
	keepMarkup bool // write <, > and & as they are
}

// Encode writes an object on a line of its own. One that begins with a version,
// such as a record, keeps it.
func (e *JSONEncoder) Encode(object any) error {
	var b bytes.Buffer
	text := json.NewEncoder(&b)
	text.SetEscapeHTML(!e.keepMarkup)
	if err := text.Encode(object); err != nil {
		return err
	}
	line := b.Bytes()
	if rest, ok := bytes.CutPrefix(line, []byte("{")); ok && bytes.HasPrefix(rest, []byte(`"`)) && !bytes.HasPrefix(rest, []byte(`"v":`)) {
		line = fmt.Appendf(nil, `{"v":%d,%s`, JSONVersion, rest)
	}
	_, err := e.out.Write(SafeJSON(line))
	return err
}
