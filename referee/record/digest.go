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

// Digests returns the digests of the first lines that are read, of that many if there are as
// many, and of all. A last line that has no newline is left out.
func Digests(in io.Reader, lines int) (first, all Digest, err error) {
	hash := sha256.New()
	r := bufio.NewReaderSize(in, 1<<20)
	for {
		if all.Lines == lines {
			first = Digest{lines, hex.EncodeToString(hash.Sum(nil))}
		}
		line, err := r.ReadBytes('\n')
		switch {
		case err == io.EOF || errors.Is(err, errTornFrame):
			if all.SHA256 = hex.EncodeToString(hash.Sum(nil)); all.Lines < lines {
				first = all
			}
			return first, all, nil
		case err != nil:
			return first, all, err
		}
		hash.Write(line)
		all.Lines++
	}
}
