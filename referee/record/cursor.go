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
	if c.at < len(c.text) && c.text[c.at] > ' ' {
		return c.text[c.at]
	}
	return c.blank()
}

func (c *cursor) blank() byte {
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
	if c.peek() != ch || c.bad {
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
	if !c.take('{') {
		c.bad = !c.null()
		return
	}
	for first := true; !c.bad && !(first && c.take('}')); first = false {
		if c.peek() != '"' {
			c.bad = true
			return
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
	if !c.take('[') {
		c.bad = !c.null()
		return
	}
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
	if c.peek() != '"' || c.bad {
		c.bad = !c.null()
		return nil, false
	}
	text = c.text[c.at+1:]
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			escaped = true
			i++
		case '"':
			c.at += i + 2
			return text[:i], escaped
		}
	}
	c.bad = true
	return nil, false
}

// int takes a number without fraction and exponent.
func (c *cursor) int() int64 {
	negative := c.take('-')
	if d := c.peek(); d < '0' || d > '9' || c.bad {
		c.bad = negative || !c.null()
		return 0
	}
	text, i, n := c.text[c.at:], 0, int64(0)
	for ; i < len(text) && text[i] >= '0' && text[i] <= '9'; i++ {
		n = n*10 + int64(text[i]-'0')
	}
	if i > 18 || i > 1 && text[0] == '0' || i < len(text) && isNumber(text[i]) {
		c.bad = true
	}
	c.at += i
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
	text, i, plain := c.text[c.at:], 0, true
	for ; i < len(text) && isNumber(text[i]); i++ {
		plain = plain && text[i] >= '0' && text[i] <= '9'
	}
	c.at += i
	if i == 0 || (!plain || text[0] == '0' && i > 1) && !json.Valid(text[:i]) {
		c.bad = true
	}
}

// end tells whether all was as expected, to the end.
func (c *cursor) end() bool { return c.peek() == 0 && c.at == len(c.text) && !c.bad }
