package protocols

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// CaseError is a case text that can't be accepted.
type CaseError struct {
	Line            int // 1-based; 0 if the error concerns the whole text
	Found, Expected string
}

func (e *CaseError) Error() string {
	where := ""
	if e.Line > 0 {
		where = fmt.Sprintf("line %d: ", e.Line)
	}
	return fmt.Sprintf("%sfound %s, expected %s", where, e.Found, e.Expected)
}

// Quote quotes untrusted text for a message: escaped, and cut to at most 60 bytes, between
// two characters.
func Quote(text string) string {
	const limit = 60
	if len(text) <= limit {
		return strconv.Quote(text)
	}
	end := limit
	for end > limit-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return strconv.Quote(text[:end]) + "…"
}

// Fields splits a line at its white space: spaces, tabs and carriage returns.
func Fields(line string) []string { return strings.FieldsFunc(line, blank) }

// NextField cuts off a line's first field, as Fields would, without allocating.
// The field is empty if there is none.
func NextField(line string) (field, rest string) {
	i := 0
	for i < len(line) && blank(rune(line[i])) {
		i++
	}
	j := i
	for j < len(line) && !blank(rune(line[j])) {
		j++
	}
	return line[i:j], line[j:]
}

func blank(r rune) bool { return r == ' ' || r == '\t' || r == '\r' }

// Number reads one token of ASCII digits, leading zeros allowed, no sign.
func Number(token string) (n int, ok bool) {
	if token == "" {
		return 0, false
	}
	for i := range len(token) {
		c := token[i]
		if c < '0' || c > '9' {
			return 0, false
		}
		if n > (1<<62)/10 {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}

// Integer reads a reply that must be one integer in lo..hi; what names the
// integer in the foul, as in "a pit".
func Integer(text, what string, lo, hi int) (int, *Foul) {
	n, ok := Number(strings.TrimFunc(text, blank))
	if !ok || n < lo || n > hi {
		return 0, Fouled("answered %s, expected %s, one integer from %d to %d", Quote(text), what, lo, hi)
	}
	return n, nil
}

// Join writes numbers as a line that CaseReader.Ints reads.
func Join[T ~int | ~int8](numbers []T) string {
	out := make([]byte, 0, 3*len(numbers))
	for i, n := range numbers {
		if i > 0 {
			out = append(out, ' ')
		}
		out = strconv.AppendInt(out, int64(n), 10)
	}
	return string(out)
}

// CaseReader takes a case text apart, line by line. Its first error sticks, so
// that a parser may read everything and check once.
type CaseReader struct {
	lines []string
	next  int // index of the next line
	err   *CaseError
}

// ReadCase starts reading a case. CRLF line ends and trailing blank lines are
// tolerated.
func ReadCase(text string) *CaseReader {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for len(lines) > 0 && strings.TrimFunc(lines[len(lines)-1], blank) == "" {
		lines = lines[:len(lines)-1]
	}
	return &CaseReader{lines: lines}
}

// Len is the total number of lines.
func (r *CaseReader) Len() int { return len(r.lines) }

// Line is the number of the line read last, 1-based.
func (r *CaseReader) Line() int { return r.next }

// Text returns the next line; what names the line in an error.
func (r *CaseReader) Text(what string) string {
	if r.next >= len(r.lines) {
		r.fail(r.next+1, "the end", what)
		return ""
	}
	r.next++
	return r.lines[r.next-1]
}

// Ints returns the n integers in lo..hi that make up the next line, always n of
// them; what names them in an error.
func (r *CaseReader) Ints(n int, what string, lo, hi int) []int {
	expected := fmt.Sprintf("%s (%d integers from %d to %d)", what, n, lo, hi)
	if n == 1 {
		expected = fmt.Sprintf("%s (an integer from %d to %d)", what, lo, hi)
	}
	out := make([]int, n)
	line := r.Text(expected)
	if r.err != nil {
		return out
	}
	tokens := Fields(line)
	if len(tokens) != n {
		found := fmt.Sprintf("%d values", len(tokens))
		if len(tokens) == 1 {
			found = "1 value"
		}
		r.fail(r.next, found+" in "+Quote(line), expected)
		return out
	}
	for i, token := range tokens {
		v, ok := Number(token)
		if !ok || v < lo || v > hi {
			r.fail(r.next, Quote(token), expected)
			return out
		}
		out[i] = v
	}
	return out
}

// Fail records that the line read last is not what was expected.
func (r *CaseReader) Fail(found, expected string) { r.fail(r.next, found, expected) }

// End checks that no line is left and returns the first error, if any.
func (r *CaseReader) End() error {
	if r.err == nil && r.next < len(r.lines) {
		r.fail(r.next+1, Quote(r.lines[r.next]), "the end")
	}
	return r.Err()
}

// Err is the first error so far, a *CaseError, or nil.
func (r *CaseReader) Err() error {
	if r.err == nil {
		return nil
	}
	return r.err
}

func (r *CaseReader) fail(line int, found, expected string) {
	if r.err == nil {
		r.err = &CaseError{Line: line, Found: found, Expected: expected}
	}
}
