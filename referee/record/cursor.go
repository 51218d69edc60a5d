package record

import (
	"bytes"
	"encoding/json"
)

// cursor walks through JSON text without building anything of it. What it does
// not expect makes it bad, and all that follows is then ignored; it is more
// lenient than encoding/json about what stands in a string that is passed over.
type cursor struct {
	text []byte
	at   int
	bad  bool
}

// peek is the next character that is not blank; 0 at the end.
func (c *cursor) peek() byte {
	for ; c.at < len(c.text); c.at++ {
		switch ch := c.text[c.at]; ch {
		case ' ', '\t', '\r', '\n':
		default:
			return ch
		}
	}
	return 0
}

func (c *cursor) take(ch byte) bool {
	if c.bad || c.peek() != ch {
		return false
	}
	c.at++
	return true
}

func (c *cursor) expect(ch byte) {
	if !c.take(ch) {
		c.bad = true
	}
}

// null takes a null, which stands for nothing being there.
func (c *cursor) null() bool {
	if c.bad || c.peek() != 'n' {
		return false
	}
	c.literal("null")
	return !c.bad
}

// object calls member for each name of an object; it must take the value.
func (c *cursor) object(member func(name []byte)) {
	if c.null() {
		return
	}
	c.expect('{')
	for first := true; !c.bad && !(first && c.take('}')); first = false {
		if c.peek() != '"' {
			c.bad = true
		}
		name := c.string()
		c.expect(':')
		if c.bad {
			return
		}
		member(name)
		if c.take('}') {
			return
		}
		c.expect(',')
	}
}

// array calls element for each element of an array; it must take it.
func (c *cursor) array(element func()) {
	if c.null() {
		return
	}
	c.expect('[')
	for first := true; !c.bad && !(first && c.take(']')); first = false {
		element()
		if c.take(']') {
			return
		}
		c.expect(',')
	}
}

// string takes a string.
func (c *cursor) string() []byte {
	start := c.at
	text, escaped := c.raw()
	if !escaped || c.bad {
		return text
	}
	var s string
	c.bad = json.Unmarshal(c.text[start:c.at], &s) != nil
	return []byte(s)
}

// raw takes a string as it is written, and tells whether it holds escapes.
func (c *cursor) raw() (text []byte, escaped bool) {
	if c.null() {
		return nil, false
	}
	c.expect('"')
	if c.bad {
		return nil, false
	}
	for start := c.at; c.at < len(c.text); c.at++ {
		switch c.text[c.at] {
		case '\\':
			escaped = true
			c.at++
		case '"':
			c.at++
			return c.text[start : c.at-1], escaped
		}
	}
	c.bad = true
	return nil, false
}

// int takes a number without fraction and exponent.
func (c *cursor) int() int64 {
	if c.null() {
		return 0
	}
	negative := c.take('-')
	if d := c.peek(); d < '0' || d > '9' || c.bad {
		c.bad = true
		return 0
	}
	start, n := c.at, int64(0)
	for ; c.at < len(c.text) && c.text[c.at] >= '0' && c.text[c.at] <= '9'; c.at++ {
		n = n*10 + int64(c.text[c.at]-'0')
	}
	digits := c.at - start
	if digits > 18 || digits > 1 && c.text[start] == '0' || c.at < len(c.text) && isNumber(c.text[c.at]) {
		c.bad = true
	}
	if negative {
		return -n
	}
	return n
}

func isNumber(ch byte) bool {
	return ch >= '0' && ch <= '9' || ch == '.' || ch == 'e' || ch == 'E' || ch == '+' || ch == '-'
}

// skip takes any value.
func (c *cursor) skip() {
	switch ch := c.peek(); ch {
	case '"':
		c.raw()
	case '{':
		c.object(func([]byte) { c.skip() })
	case '[':
		c.array(c.skip)
	case 't':
		c.literal("true")
	case 'f':
		c.literal("false")
	case 'n':
		c.literal("null")
	default:
		c.number()
	}
}

func (c *cursor) literal(word string) {
	if !bytes.HasPrefix(c.text[c.at:], []byte(word)) {
		c.bad = true
		return
	}
	c.at += len(word)
}

// number takes any number.
func (c *cursor) number() {
	start := c.at
	for c.at < len(c.text) && isNumber(c.text[c.at]) {
		c.at++
	}
	whole := len(c.text[start:c.at]) > 0
	for i, ch := range c.text[start:c.at] {
		whole = whole && ch >= '0' && ch <= '9' && (i > 0 || ch != '0' || c.at == start+1)
	}
	if !whole && !json.Valid(c.text[start:c.at]) {
		c.bad = true
	}
}

// end tells whether all was as expected, to the end.
func (c *cursor) end() bool { return c.peek() == 0 && c.at == len(c.text) && !c.bad }
