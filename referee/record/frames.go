package record

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// A compressed results file is a sequence of zstd frames, as zstd and zstdcat
// read and write them. Umpire's own frames hold whole lines, about frameBytes
// of them, so that a record can be read without those before its frame.

// frameBytes is how many bytes of records make a frame.
const frameBytes = 4 << 20

// maxWindow is the most memory that a compressed file may ask for: as zstd
// allows by default.
const maxWindow = 128 << 20

// isCompressed reports whether a file that begins with these bytes is
// compressed. Four bytes are enough.
func isCompressed(start []byte) bool {
	if len(start) < 4 {
		return false
	}
	magic := binary.LittleEndian.Uint32(start)
	return magic == 0xFD2FB528 || magic&^0xF == 0x184D2A50 // a frame, or one to be skipped
}

// frame is a zstd frame in a file.
type frame struct {
	at, length int64 // in the file
	size       int64 // of its content; -1 if the frame does not say
}

// errTornFrame says that a file ends within a frame.
var errTornFrame = fmt.Errorf("%w (in the last frame)", ErrTorn)

// readFrame reads where the frame at an offset ends, without decompressing it.
// The error wraps io.EOF at the end of the file, and errTornFrame.
func readFrame(in io.ReaderAt, at int64) (frame, error) {
	var buf [zstd.HeaderMaxSize]byte
	n, err := in.ReadAt(buf[:], at)
	if n == 0 || err != nil && err != io.EOF {
		return frame{}, err
	}
	var h zstd.Header
	switch err := h.Decode(buf[:n]); {
	case errors.Is(err, io.ErrUnexpectedEOF) && n < len(buf):
		return frame{}, errTornFrame
	case err != nil:
		return frame{}, damaged(err)
	}
	f := frame{at: at, length: int64(h.HeaderSize), size: -1}
	if h.HasFCS {
		f.size = int64(h.FrameContentSize)
	}
	if h.Skippable {
		f.size = 0
		f.length += int64(h.SkippableSize)
	} else if f.length, err = blocks(in, at, f.length); err != nil {
		return frame{}, err
	} else if h.HasCheckSum {
		f.length += 4
	}
	var last [1]byte
	if n, _ := in.ReadAt(last[:], at+f.length-1); n == 0 {
		return frame{}, errTornFrame
	}
	return f, nil
}

// blocks returns the length of a frame up to the end of its last block.
func blocks(in io.ReaderAt, at, length int64) (int64, error) {
	for {
		var head [4]byte
		if n, err := in.ReadAt(head[:3], at+length); n < 3 {
			if err == io.EOF {
				err = errTornFrame
			}
			return 0, err
		}
		block := binary.LittleEndian.Uint32(head[:])
		size := int64(block >> 3)
		switch block >> 1 & 3 {
		case 1: // one byte, repeated
			size = 1
		case 3:
			return 0, damaged(errors.New("found a reserved type of block"))
		}
		length += 3 + size
		if block&1 != 0 {
			return length, nil
		}
	}
}

// frames lists the frames of a file; end is where the last whole one ends, and
// torn reports whether anything follows.
func frames(in io.ReaderAt) (list []frame, end int64, torn bool, err error) {
	for {
		f, err := readFrame(in, end)
		switch {
		case errors.Is(err, errTornFrame):
			return list, end, true, nil
		case err == io.EOF:
			return list, end, false, nil
		case err != nil:
			return list, end, false, err
		}
		list = append(list, f)
		end += f.length
	}
}

func damaged(err error) error { return fmt.Errorf("the compressed data is damaged: %w", err) }

// heldBack is how many bytes that a decompressing reader has read it keeps to
// itself: no frame of umpire's is larger, unless a line is. The checksum follows
// a frame's content, and what damage made of a line would be reported before it.
const heldBack = 2 * frameBytes

// maxRing is the size of the ring for what is held back and what may be read.
const maxRing = heldBack + frameBytes/4

// decompress returns a reader of the content of compressed frames. At the end of
// frames that are cut off it yields what can be read and then errTornFrame; of
// content that is found to be damaged it yields nothing more.
func decompress(in io.Reader) (io.ReadCloser, error) {
	d, err := zstd.NewReader(in, zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	return &decompressing{decoder: d}, nil
}

type decompressing struct {
	decoder  *zstd.Decoder
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

func (d *decompressing) Close() error {
	d.decoder.Close()
	return nil
}

// newEncoder returns an encoder of frames.
func newEncoder() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(frameBytes), zstd.WithEncoderConcurrency(1))
}

// Compress writes the lines of a results file as compressed frames.
func Compress(out io.Writer, in io.Reader) error { return compressFrames(out, in, frameBytes) }

// compressFrames is Compress with frames of at most size bytes, or of a line if
// that is longer.
func compressFrames(out io.Writer, in io.Reader, size int) error {
	enc, err := newEncoder()
	if err != nil {
		return err
	}
	defer enc.Close()
	var text, packed []byte
	for {
		have := len(text)
		want := max(size, 2*have) // a long line is not read in many small pieces
		if cap(text) < want {
			text = append(make([]byte, 0, want), text...)
		}
		n, err := io.ReadFull(in, text[have:want])
		text = text[:have+n]
		last := err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !last {
			return err
		}
		end := bytes.LastIndexByte(text, '\n') + 1
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
