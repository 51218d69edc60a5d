package record

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
)

// Digest is a digest of the first lines of a results file, as they are when they
// are not compressed.
type Digest struct {
	Lines  int    `json:"lines"`  // number of lines, also of blank ones
	SHA256 string `json:"sha256"` // of these with their newlines, in hexadecimal
}

// DigestOf returns the digest of the first lines that are read, at most so many, or
// of all if most is negative. after is how many lines follow. A last line that has
// no newline is left out.
func DigestOf(in io.Reader, most int) (d Digest, after int, err error) {
	hash := sha256.New()
	r := bufio.NewReaderSize(in, 1<<20)
	for {
		line, err := r.ReadBytes('\n')
		switch {
		case err == io.EOF || errors.Is(err, errTornFrame):
			d.SHA256 = hex.EncodeToString(hash.Sum(nil))
			return d, after, nil
		case err != nil:
			return d, after, err
		case most < 0 || d.Lines < most:
			hash.Write(line)
			d.Lines++
		default:
			after++
		}
	}
}
