package record

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// A compressed results file is a sequence of zstd frames, as zstd and zstdcat
// read and write them. Umpire's own frames hold whole lines, about frameBytes
// of them, so that what is cut off costs no more than a frame.

// frameBytes is how many bytes of records make a frame.
const frameBytes = 4 << 20

// maxWindow is the most memory that a compressed file may ask for: as zstd
// allows by default.
const maxWindow = 128 << 20

// IsCompressed reports whether a file that begins with these bytes is
// compressed, by zstd or gzip. Four bytes are enough.
func IsCompressed(start []byte) bool { return isZstd(start) || isGzip(start) }

func isGzip(start []byte) bool { return bytes.HasPrefix(start, []byte{0x1f, 0x8b}) }

func isZstd(start []byte) bool {
	if len(start) < 4 {
		return false
	}
	magic := binary.LittleEndian.Uint32(start)
	return magic == 0xFD2FB528 || magic&^0xF == 0x184D2A50 // a frame, or one to be skipped
}

// errTornFrame says that a file ends within a frame.
var errTornFrame = fmt.Errorf("%w (in the last frame)", ErrTorn)

func damaged(err error) error { return fmt.Errorf("the compressed data is damaged: %w", err) }

// heldBack is how many bytes a decompressing reader reads ahead of what it yields.
// A frame's checksum follows its content, so a reader that yields a frame before
// its end may yield what damage has made of it. No frame of umpire's is longer,
// unless a line is.
const heldBack = 2 * frameBytes

// maxRing is the size of the ring for what is held back and what may be read.
const maxRing = heldBack + frameBytes/4

// decompress returns a reader of the content of compressed frames. At the end of
// frames that are cut off it yields what can be read and then errTornFrame; of
// content that is found to be damaged it yields nothing more.
func decompress(in io.Reader) io.ReadCloser {
	d, _ := zstd.NewReader(in, zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true)) // these are valid
	return &decompressing{decoder: d.IOReadCloser()}
}

// gunzip is decompress for a file that users have compressed by gzip.
func gunzip(in io.Reader) (io.ReadCloser, error) {
	r, err := gzip.NewReader(in)
	if err != nil {
		return nil, damaged(err)
	}
	return &decompressing{decoder: r}, nil
}

type decompressing struct {
	decoder  io.ReadCloser
	ring     []byte
	at, have int   // what is held back begins there, and is so long
	err      error // the decoder's, which follows it
}

func (d *decompressing) Read(buf []byte) (int, error) {
	if d.err == nil && d.have <= heldBack {
		d.fill()
	}
	free := d.have
	if d.err == nil {
		free -= heldBack
	}
	if free == 0 {
		return 0, d.err
	}
	n := copy(buf, d.ring[d.at:min(d.at+free, len(d.ring))])
	d.at, d.have = (d.at+n)%len(d.ring), d.have-n
	return n, nil
}

// fill reads until something may be read of what is held back, or to the end.
func (d *decompressing) fill() {
	for d.err == nil && d.have < maxRing {
		if d.have == len(d.ring) { // nothing of it has been read yet
			size := min(max(64<<10, 4*d.have), maxRing)
			d.ring = append(make([]byte, 0, size), d.ring...)[:size]
		}
		start := (d.at + d.have) % len(d.ring)
		end := min(start+len(d.ring)-d.have, len(d.ring))
		var n int
		n, d.err = d.decoder.Read(d.ring[start:end])
		d.have += n
	}
	switch {
	case d.err == nil || d.err == io.EOF:
	case errors.Is(d.err, io.ErrUnexpectedEOF):
		d.err = errTornFrame
	default:
		d.have, d.err = 0, damaged(d.err)
	}
}

func (d *decompressing) Close() error { return d.decoder.Close() }

// encoder returns the encoder of frames: its tables are as large as many files.
var encoder = sync.OnceValue(func() *zstd.Encoder {
	e, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(frameBytes), zstd.WithEncoderConcurrency(1))
	return e
})

// Compress writes the lines of a results file as compressed frames.
func Compress(out io.Writer, in io.Reader) error { return compressFrames(out, in, frameBytes) }

// compressFrames is Compress with frames of at most size bytes, or of a line if
// that is longer.
func compressFrames(out io.Writer, in io.Reader, size int) error {
	enc := encoder()
	var text, packed []byte
	for {
		var end int
		var err error
		text, end, err = readOn(in, text, max(size-len(text), len(text))) // a long line is not read in many small pieces
		last := err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !last {
			return err
		}
		if last {
			end = len(text)
		}
		if end > 0 {
			packed = enc.EncodeAll(text[:end], packed[:0])
			if _, err := out.Write(packed); err != nil {
				return err
			}
		}
		if last {
			return nil
		}
		text = append(text[:0], text[end:]...)
	}
}
