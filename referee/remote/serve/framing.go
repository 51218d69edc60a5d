package serve

import (
	"bytes"
	"strconv"
	"sync"
)

// framing follows where the requests of a connection begin and end, and notes which of
// them say twice how long their body is: by Content-Length and Transfer-Encoding, or by
// two headers of one kind. net/http takes one of the two, a proxy on the way may take
// the other, and what is one request here may be two there. The headers that it hands
// on do not show this.
type framing struct {
	mu       sync.Mutex
	part     part
	line     []byte // what is known of the current line, at most maxHeader bytes
	lengths  int    // headers of the current request that give its body's length
	chunked  bool
	length   uint64
	skip     uint64 // bytes of a body that are still to come
	twofolds []bool // by request whose headers have come and that no handler has been given
}

// part is a part of a request that consists of lines.
type part int

const (
	requestLine part = iota
	headerLines
	chunkSize
	chunkEnd
	trailer
	notHTTP // nothing more can be told
)

// read takes bytes that the client has sent.
func (f *framing) read(b []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(b) > 0 && f.part != notHTTP {
		if n := min(f.skip, uint64(len(b))); n > 0 {
			f.skip, b = f.skip-n, b[n:]
			continue
		}
		piece, rest, whole := bytes.Cut(b, []byte("\n"))
		if f.line = append(f.line, piece...); len(f.line) > maxHeader {
			f.part = notHTTP
		} else if whole {
			f.part = f.next(bytes.TrimSuffix(f.line, []byte("\r")))
			f.line = f.line[:0]
		}
		b = rest
	}
}

// next takes a line, and returns the part to which the following one belongs.
func (f *framing) next(line []byte) part {
	empty := len(line) == 0
	switch f.part {
	case requestLine:
		if empty { // browsers of old end a body with one that does not count
			return requestLine
		}
		f.lengths, f.chunked, f.length = 0, false, 0
		return headerLines
	case headerLines:
		if empty {
			return f.endOfHeaders()
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		switch {
		case bytes.EqualFold(name, []byte("Content-Length")):
			f.length, _ = strconv.ParseUint(string(bytes.TrimSpace(value)), 10, 63) // net/http refuses what is no number
			f.lengths++
		case bytes.EqualFold(name, []byte("Transfer-Encoding")):
			f.chunked = true
			f.lengths++
		}
		return headerLines
	case chunkSize:
		size, _, _ := bytes.Cut(line, []byte(";"))
		n, err := strconv.ParseUint(string(bytes.TrimSpace(size)), 16, 63)
		switch {
		case err != nil:
			return notHTTP
		case n == 0:
			return trailer
		}
		f.skip = n
		return chunkEnd
	case chunkEnd:
		return chunkSize
	default: // trailer
		if empty {
			return requestLine
		}
		return trailer
	}
}

func (f *framing) endOfHeaders() part {
	f.twofolds = append(f.twofolds, f.lengths > 1)
	if f.chunked {
		return chunkSize
	}
	f.skip = f.length
	return requestLine
}

// handled reports whether the next request that is handled gives two lengths of its body,
// or could not be followed.
func (f *framing) handled() (twofold bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.twofolds) == 0 {
		return true
	}
	twofold, f.twofolds = f.twofolds[0], f.twofolds[1:]
	return twofold
}

// end stops parsing: what follows on the connection is not HTTP.
func (f *framing) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.part = notHTTP
}
