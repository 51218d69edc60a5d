package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDepth is how deeply skipped values may be nested.
const maxDepth = 32

// jsonScanner walks through JSON text without building values from it. After
// the first error it consumes nothing more.
type jsonScanner struct {
	text  []byte
	at    int
	bad   bool
	why   string // what is wrong, once it is bad
	path  string // of the member that is wrong
	depth int

	noFastPath bool // leave everything to the general scanner, as the tests' reference
}

// fail records the first error.
func (c *jsonScanner) fail(format string, args ...any) {
	if !c.bad {
		c.bad, c.why = true, fmt.Sprintf(format, args...)
	}
}

// unexpected fails at the next character.
func (c *jsonScanner) unexpected(want string) {
	switch {
	case c.bad:
	case c.at >= len(c.text):
		c.fail("byte %d: found the end of the line, expected %s", c.at+1, want)
	default:
		r, _ := utf8.DecodeRune(c.text[c.at:])
		c.fail("byte %d: found %q, expected %s", c.at+1, r, want)
	}
}

// result returns the error of the walk, which must have reached the end of the
// text.
func (c *jsonScanner) result() error {
	if c.peek() != 0 || c.at != len(c.text) {
		c.unexpected("the end of the line")
	}
	if !c.bad && !utf8.Valid(c.text) {
		c.fail("found bytes that are not UTF-8")
	}
	if !c.bad {
		return nil
	}
	if path := strings.TrimPrefix(c.path, "."); path != "" {
		return fmt.Errorf("%s: %s", path, c.why)
	}
	return fmt.Errorf("%s", c.why)
}

// peek returns the next character that is not white space; 0 at the end.
func (c *jsonScanner) peek() byte {
	if c.at < len(c.text) && c.text[c.at] > ' ' {
		return c.text[c.at]
	}
	return c.space()
}

func (c *jsonScanner) space() byte {
	for ; c.at < len(c.text); c.at++ {
		switch ch := c.text[c.at]; ch {
		case ' ', '\t', '\r', '\n':
		default:
			return ch
		}
	}
	return 0
}

func (c *jsonScanner) take(ch byte) bool {
	if c.bad || c.peek() != ch {
		return false
	}
	c.at++
	return true
}

func (c *jsonScanner) expect(ch byte) {
	if !c.take(ch) {
		c.unexpected(strconv.QuoteRune(rune(ch)))
	}
}

// null consumes a null, which counts as a missing value, and reports whether
// there was one.
func (c *jsonScanner) null() bool {
	if c.bad || c.peek() != 'n' {
		return false
	}
	c.literal("null")
	return !c.bad
}

// object consumes an object and calls each for every member of the form; each
// must consume the value. A repeated member is an error, and so is a name that
// differs from a member's only in case.
func (c *jsonScanner) object(f *form, each func(i int)) {
	if !c.take('{') {
		if !c.null() {
			c.unexpected("an object")
		}
		return
	}
	var seen uint64
	next := 0
	for first := true; !c.bad && !(first && c.take('}')); first = false {
		i, known := c.member(f, next)
		if !known {
			name := c.name()
			if c.bad {
				return
			}
			if i = f.index(name); i < 0 {
				c.other(f, name)
			}
		}
		if i >= 0 {
			if seen&(1<<i) != 0 {
				c.fail("found %q twice", f.members[i].name)
				return
			}
			seen |= 1 << i
			next = i + 1
			if each(i); c.bad {
				c.path = "." + f.members[i].name + c.path
			}
		}
		if c.take('}') {
			return
		}
		c.expect(',')
	}
}

// other skips a member that the form does not have.
func (c *jsonScanner) other(f *form, name []byte) {
	if known, ok := f.alike(name); ok {
		c.fail("found %q, expected it spelled %q", clip(name), known)
		return
	}
	c.skip()
}

// name consumes a member's name and the colon.
func (c *jsonScanner) name() []byte {
	if c.peek() != '"' {
		c.unexpected("a name")
		return nil
	}
	name := c.string()
	c.expect(':')
	return name
}

// list consumes an array and calls each for every element, which each must
// consume.
func (c *jsonScanner) list(m *member, each func(i int)) {
	if !c.take('[') {
		if !c.null() {
			c.unexpected("an array")
		}
		return
	}
	for i := 0; !c.bad && !(i == 0 && c.take(']')); i++ {
		if int64(i) >= m.high {
			c.fail("found more than %d", m.high)
			return
		}
		if each(i); c.bad {
			c.path = fmt.Sprintf("[%d]%s", i, c.path)
			return
		}
		if c.take(']') {
			return
		}
		c.expect(',')
	}
}

// string consumes a string.
func (c *jsonScanner) string() []byte {
	if c.bad || c.peek() != '"' {
		if !c.null() {
			c.unexpected("a string")
		}
		return nil
	}
	start := c.at
	text := c.text[c.at+1:]
	for i, ch := range text {
		switch {
		case plain[ch]:
		case ch == '"':
			c.at += i + 2
			return text[:i]
		case ch == '\\':
			return c.escaped(start, start+1+i)
		default:
			c.at += i + 1
			c.unexpected("an escape such as \\n")
			return nil
		}
	}
	c.at = len(c.text)
	c.unexpected("the end of a string")
	return nil
}

// escaped consumes a string with escapes, the first of them at from.
func (c *jsonScanner) escaped(start, from int) []byte {
	for i := from; i < len(c.text); i++ {
		switch c.text[i] {
		case '\\':
			i++
		case '"':
			c.at = i + 1
			var s string
			if err := json.Unmarshal(c.text[start:c.at], &s); err != nil {
				c.fail("byte %d: found a string with a wrong escape", start+1)
			}
			return []byte(s)
		}
	}
	c.at = len(c.text)
	c.unexpected("the end of a string")
	return nil
}

// int consumes a number without fraction and exponent.
func (c *jsonScanner) int(low, high int64) int64 {
	if c.bad || c.peek() == 'n' && c.null() {
		return 0
	}
	if n, ok := c.plainInt(low, high); ok {
		return n
	}
	negative := c.take('-')
	text, i, n := c.text[min(c.at, len(c.text)):], 0, int64(0)
	for ; i < len(text) && text[i] >= '0' && text[i] <= '9'; i++ {
		if n > (math.MaxInt64-9)/10 {
			n = math.MaxInt64 // out of every range, and stays so
			continue
		}
		n = n*10 + int64(text[i]-'0')
	}
	c.at += i
	if i == 0 || i > 1 && text[0] == '0' || i < len(text) && isNumber(text[i]) {
		c.unexpected("a whole number")
		return 0
	}
	if negative {
		n = -n
	}
	if n < low || n > high {
		c.fail("found %s, expected %d to %d", clip(c.text[c.at-i:c.at]), low, high)
		if negative {
			c.why = strings.Replace(c.why, "found ", "found -", 1)
		}
		return 0
	}
	return n
}

// float consumes any finite number.
func (c *jsonScanner) float() {
	if c.bad || c.peek() == 'n' && c.null() {
		return
	}
	start := c.at
	if c.number(); c.bad {
		return
	}
	text := c.text[start:c.at]
	if _, err := strconv.ParseFloat(string(text), 64); err != nil {
		c.fail("found %s, expected a finite number", clip(text))
	}
}

func (c *jsonScanner) bool() {
	switch {
	case c.bad:
	case c.peek() == 't':
		c.literal("true")
	case c.peek() == 'f':
		c.literal("false")
	case !c.null():
		c.unexpected("true or false")
	}
}

func isNumber(ch byte) bool {
	return ch >= '0' && ch <= '9' || ch == '.' || ch == 'e' || ch == 'E' || ch == '+' || ch == '-'
}

// skip consumes any value.
func (c *jsonScanner) skip() {
	if c.depth++; c.depth > maxDepth {
		c.fail("byte %d: found values nested deeper than %d", c.at+1, maxDepth)
	}
	switch ch := c.peek(); {
	case c.bad:
	case ch == '"':
		c.string()
	case ch == '{':
		c.at++
		for first := true; !c.bad && !(first && c.take('}')); first = false {
			c.name()
			if c.skip(); c.take('}') {
				break
			}
			c.expect(',')
		}
	case ch == '[':
		c.at++
		for first := true; !c.bad && !(first && c.take(']')); first = false {
			if c.skip(); c.take(']') {
				break
			}
			c.expect(',')
		}
	case ch == 't' || ch == 'f':
		c.bool()
	case ch == 'n':
		c.null()
	default:
		c.number()
	}
	c.depth--
}

func (c *jsonScanner) literal(word string) {
	if !bytes.HasPrefix(c.text[c.at:], []byte(word)) {
		c.unexpected(word)
		return
	}
	c.at += len(word)
}

// number consumes any number.
func (c *jsonScanner) number() {
	text, i, plain := c.text[min(c.at, len(c.text)):], 0, true
	for ; i < len(text) && isNumber(text[i]); i++ {
		plain = plain && text[i] >= '0' && text[i] <= '9'
	}
	if i == 0 || (!plain || text[0] == '0' && i > 1) && !json.Valid(text[:i]) {
		c.unexpected("a value")
		return
	}
	c.at += i
}
