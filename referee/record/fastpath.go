package record

// Most lines that umpire reads are lines that it has written: compact, with the
// members in the form's order. The functions of this file recognize pieces of
// such lines at little cost. Each consumes either what the general scanner would
// consume, with the same result, or nothing; then the general scanner reads the
// piece, and it alone finds errors.

// maxDigits is the length of the numbers that digits reads: all numbers of that
// length are in the range of a time.
const maxDigits = 12

// digits reads the whole number that text begins with, and returns its length;
// 0 if there is none, or if it is long or oddly written. What follows the number
// is left for the caller to check.
func digits(text []byte) (n int64, length int) {
	for length < len(text) && length <= maxDigits {
		d := text[length] - '0'
		if d > 9 {
			break
		}
		n = n*10 + int64(d)
		length++
	}
	if length > maxDigits || length > 1 && text[0] == '0' {
		return 0, 0
	}
	return n, length
}

// plain marks the bytes that a string may hold as they are. Bytes of 0x80 and
// more are checked with the whole line.
var plain = func() (set [256]bool) {
	for ch := range set {
		set[ch] = ch >= ' ' && ch != '"' && ch != '\\'
	}
	return set
}()

// member finds the member that comes next in an object, from number next on,
// consumes its name and the colon, and returns its number.
func (c *jsonScanner) member(f *form, next int) (int, bool) {
	if c.noFastPath {
		return 0, false
	}
	text := c.text[min(c.at, len(c.text)):]
	for i := next; i < len(f.members); i++ {
		key := f.members[i].key
		if len(text) > len(key) && string(text[:len(key)]) == key {
			c.at += len(key)
			return i, true
		}
	}
	return 0, false
}

// plainInt consumes a number in range that is short and not negative.
func (c *jsonScanner) plainInt(low, high int64) (int64, bool) {
	text := c.text[min(c.at, len(c.text)):]
	n, length := digits(text)
	if length == 0 || c.noFastPath || n < low || n > high || length < len(text) && isNumber(text[length]) {
		return 0, false
	}
	c.at += length
	return n, true
}

// replyEvent consumes an event that is a reply of printable text, with or
// without what it was charged.
func (c *jsonScanner) replyEvent() (seat, wall int64, ok bool) {
	r := pieces{text: c.text[min(c.at, len(c.text)):]}
	r.literal(`{"seat":`)
	seat = r.number()
	r.literal(`,"reply":"`)
	r.plain()
	r.literal(`","wall_us":`)
	wall = r.number()
	r.literal(`,"cpu_us":`)
	r.number()
	r.literal(`,"wait_us":`)
	r.number()
	if !r.bad && r.at < len(r.text) && r.text[r.at] == ',' {
		r.literal(`,"charged_us":`)
		r.number()
	}
	r.literal(`}`)
	if r.bad || c.bad || c.noFastPath || seat > MaxSeats {
		return 0, 0, false
	}
	c.at += r.at
	return seat, wall, true
}

// okSeat holds a seat with the verdict ok, as far as a summary needs it.
type okSeat struct {
	bot, digest                   []byte
	score, place, replies, wallUS int64
}

// okSeat consumes a seat of a program with the verdict ok and printable texts.
func (c *jsonScanner) okSeat() (seat okSeat, ok bool) {
	r := pieces{text: c.text[min(c.at, len(c.text)):]}
	r.literal(`{"bot":"`)
	seat.bot = r.plain()
	r.literal(`","digest":"`)
	seat.digest = r.plain()
	r.literal(`","house":`)
	if !r.bad && r.at < len(r.text) && r.text[r.at] == 't' {
		r.literal(`true`)
	} else {
		r.literal(`false`)
	}
	r.literal(`,"verdict":"ok","detail":"","score":`)
	seat.score = r.number()
	r.literal(`,"place":`)
	seat.place = r.number()
	r.literal(`,"wall_us":`)
	seat.wallUS = r.number()
	r.literal(`,"cpu_us":`)
	r.number()
	r.literal(`,"charged_us":`)
	r.number()
	r.literal(`,"peak_bytes":`)
	r.number()
	r.literal(`,"replies":`)
	seat.replies = r.number()
	r.literal(`,"stderr":"`)
	r.plain()
	r.literal(`"}`)
	if r.bad || c.bad || c.noFastPath || len(seat.bot) > MaxName || len(seat.digest) > MaxName ||
		seat.place > MaxSeats || max(seat.score, seat.replies) > 1e9 {
		return okSeat{}, false
	}
	c.at += r.at
	return seat, true
}

// pieces reads text whose pieces are known. After the first that is different
// it is bad.
type pieces struct {
	text []byte
	at   int
	bad  bool
}

func (p *pieces) literal(want string) {
	if rest := p.text[p.at:]; p.bad || len(rest) < len(want) || string(rest[:len(want)]) != want {
		p.bad = true
		return
	}
	p.at += len(want)
}

func (p *pieces) number() int64 {
	if p.bad {
		return 0
	}
	n, length := digits(p.text[p.at:])
	p.at += length
	p.bad = length == 0
	return n
}

func (p *pieces) plain() []byte {
	from := p.at
	for !p.bad && p.at < len(p.text) && plain[p.text[p.at]] {
		p.at++
	}
	return p.text[from:p.at]
}
