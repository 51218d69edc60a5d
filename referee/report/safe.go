package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Text is text that is safe for a terminal. Only this package makes it: from
// untrusted text with Safe, SafeLine and Textf, and with colours by
// Printer.Style. Every other value is made safe when a Printer prints it.
type Text struct{ fit string }

// String returns the text. A string counts as untrusted again: its colours are
// lost when it is printed.
func (t Text) String() string { return t.fit }

// Colour is a way to highlight text on a terminal.
type Colour string

// The colours: parameters of the terminal's escape sequence.
const (
	Red    Colour = "31"
	Green  Colour = "32"
	Yellow Colour = "33"
	Bold   Colour = "1"
	Dim    Colour = "2"
)

// Textf formats text. Arguments that are not Text are made safe for a terminal.
func Textf(format string, args ...any) Text {
	fit(args)
	return Text{fmt.Sprintf(format, args...)}
}

// fit replaces each argument by one that prints safely on a terminal. It does
// so in place: vet checks the calls only of functions that pass the same slice
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

// escaped is an argument that is made safe for a terminal after it is
// formatted, whatever its type.
type escaped struct{ arg any }

func (e escaped) Format(state fmt.State, verb rune) {
	_, _ = io.WriteString(state, safe(fmt.Sprintf(fmt.FormatString(state, verb), e.arg), multiline))
}

// Safe makes untrusted text safe for a terminal: control characters, including
// escape sequences, and characters that change the text direction are made
// visible. Newlines and tabs stay. Safe is idempotent.
func Safe(text string) Text { return Text{safe(text, multiline)} }

// SafeLine is Safe for text that must stay on one line: an id, a name.
func SafeLine(text string) Text { return Text{safe(text, printable)} }

func multiline(r rune) bool { return r == '\n' || r == '\t' || printable(r) }

func printable(r rune) bool { return unicode.IsPrint(r) }

func safe(text string, clean func(rune) bool) string {
	if isPlain(text) || utf8.ValidString(text) && strings.IndexFunc(text, func(r rune) bool { return !clean(r) }) < 0 {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], string(r)): // a byte that is no UTF-8
			fmt.Fprintf(&b, "\\x%02x", text[i])
		case clean(r):
			b.WriteRune(r)
		default:
			q := fmt.Sprintf("%q", r)
			b.WriteString(q[1 : len(q)-1])
		}
	}
	return b.String()
}

// isPlain reports whether a text is of printable ASCII, as most are.
func isPlain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

// SafeJSON escapes characters of JSON that are unsafe for a terminal, which does not
// change its meaning.
func SafeJSON(text []byte) []byte {
	clean := func(r rune) bool { return r == '\n' || printable(r) }
	if bytes.IndexFunc(text, func(r rune) bool { return !clean(r) }) < 0 {
		return text
	}
	var b bytes.Buffer
	for _, r := range string(text) {
		switch high, low := utf16.EncodeRune(r); {
		case clean(r):
			b.WriteRune(r)
		case high != utf8.RuneError:
			fmt.Fprintf(&b, "\\u%04x\\u%04x", high, low)
		default:
			fmt.Fprintf(&b, "\\u%04x", r)
		}
	}
	return b.Bytes()
}
