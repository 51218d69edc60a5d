package contestant

import (
	"os"
	"path/filepath"
	"slices"
)

// pipes are umpire's ends of what a program is told things by, and says them: of its
// standard streams, or of two FIFOs.
type pipes struct {
	in, out int    // -1 when closed
	unsent  []byte // input that the pipe has not taken
	closed  bool   // the input ends after unsent
	// fifo is the path of the FIFO that in is to be opened for, once the program has opened
	// its end; "": it has, or in is no FIFO.
	fifo  string
	named bool // out is a FIFO, which nobody need have opened to write

	buf    []byte // output read; buf[from:] is not yet taken
	from   int
	seen   int // bytes of buf[from:] already searched for a newline
	eof    bool
	reader blockingReader
}

// Channel is two FIFOs by which umpire and a program talk, beside its standard streams.
// Either end is opened when the program opens its own, which never waits long for that.
type Channel struct {
	In, Out string // paths of what the program reads, and of what it writes
	pipes   pipes
}

// NewChannel makes the FIFOs in a folder, which any program may open that reaches it.
func NewChannel(dir, name string) (*Channel, error) {
	c := &Channel{In: filepath.Join(dir, "to-"+name), Out: filepath.Join(dir, "from-"+name)}
	for _, path := range []string{c.In, c.Out} {
		if err := makeFIFO(path); err != nil {
			return nil, &os.PathError{Op: "make a FIFO", Path: path, Err: err}
		}
	}
	out, err := readFIFO(c.Out)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: c.Out, Err: err}
	}
	c.pipes = pipes{in: -1, out: out, fifo: c.In, named: true, buf: make([]byte, 0, 4<<10)}
	c.pipes.reader.fd = out
	return c, nil
}

// Close closes umpire's ends.
func (c *Channel) Close() { c.pipes.close() }

func (p *pipes) close() {
	p.fifo = ""
	closeFD(&p.in)
	p.closeOut()
}

func (p *pipes) closeOut() {
	p.reader.close()
	closeFD(&p.out)
}

// connect opens a FIFO for writing, if the program has opened it for reading.
func (p *pipes) connect() {
	if p.fifo == "" {
		return
	}
	if fd, err := writeFIFO(p.fifo); err == nil {
		p.in, p.fifo = fd, ""
	}
}

// feed hands over bytes, and keeps what the pipe does not take.
func (p *pipes) feed(b []byte) {
	if (p.in >= 0 || p.fifo != "") && !p.closed {
		p.unsent = append(p.unsent, b...)
		p.flush()
	}
}

// closeIn ends the input after what is unsent.
func (p *pipes) closeIn() {
	p.closed = true
	p.flush()
}

// flush writes as much as the pipe accepts now.
func (p *pipes) flush() {
	if p.connect(); p.in < 0 {
		return
	}
	if len(p.unsent) > 0 {
		n, err := write(p.in, p.unsent)
		switch {
		case err == nil:
			if rest := p.unsent[n:]; len(rest) > 1<<20 { // to move that each time would take longer than to write it
				p.unsent = rest
			} else {
				p.unsent = p.unsent[:copy(p.unsent, rest)]
			}
		case again(err):
		default: // it has closed its input: nobody will read this
			closeFD(&p.in)
			p.unsent = nil
			return
		}
	}
	if p.closed && len(p.unsent) == 0 {
		closeFD(&p.in)
	}
}

// read reads the available output and reports whether there was any. At the end
// of output it sets eof.
func (p *pipes) read() bool {
	if p.eof || p.out < 0 {
		return false
	}
	return p.took(p.reader.read(p.room()))
}

// room returns where output is to be read to.
func (p *pipes) room() []byte {
	if p.from == len(p.buf) {
		p.buf, p.from = p.buf[:0], 0
	}
	if cap(p.buf)-len(p.buf) < 2<<10 {
		rest := p.buf[:copy(p.buf, p.buf[p.from:])]
		p.buf, p.from = slices.Grow(rest, 2<<10), 0
	}
	return p.buf[len(p.buf):cap(p.buf)]
}

// took adds what was read to the room, and reports whether that is something.
func (p *pipes) took(n int, err error) bool {
	switch {
	case err != nil:
		p.eof = !again(err)
		return false
	case n == 0:
		p.eof = !p.named || hungUp(p.out)
		return false
	}
	p.buf = p.buf[:len(p.buf)+n]
	return true
}
