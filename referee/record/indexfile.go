package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// An index in a file is the entries, sorted by id and then by line, in pages of
// pageEntries; then the directory, as JSON; then the trailer. Everything has a
// checksum, so that what is damaged is not used.

const (
	pageEntries = 1024
	indexMagic  = "umpire index 1\n\x00"
	trailerSize = len(indexMagic) + 8 + 4 // magic, offset of the directory, checksum of the directory

	// keepIndex is how long an unused index is kept.
	keepIndex = 30 * 24 * time.Hour
)

// directory describes an index and what it covers.
type directory struct {
	Source  identity // of the results file, when the index was made
	Settled bool     // Source had been unchanged for some time
	Covered int64    // bytes of the results file
	Plain   int64    // bytes of lines in it
	Lines   int
	Sums    []uint32        // of pieces of the results file
	Frames  []framePosition // of a compressed file; what has no frame of its own is read from the one before
	Pages   []page
}

// framePosition is where a frame begins, in the file and in its content.
type framePosition struct{ At, Plain int64 }

// page is a page of entries in the index file.
type page struct {
	First  string // the id of the first entry
	At     int64
	Length int
	Sum    uint32
}

var errDamagedIndex = errors.New("the index is damaged")

// indexPath returns the path of the index of a results file.
func indexPath(folder, path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	sum := sha256.Sum256([]byte(path))
	return filepath.Join(folder, hex.EncodeToString(sum[:16]))
}

// store writes the index to a file, and removes indexes that have not been used
// for long.
func (i *index) store(path string, now time.Time) error {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	removeUnused(folder, now)
	var out bytes.Buffer
	i.dir.Pages = nil
	for list := range slices.Chunk(i.entries, pageEntries) {
		at := out.Len()
		for _, e := range list {
			e.encode(&out)
		}
		text := out.Bytes()[at:]
		i.dir.Pages = append(i.dir.Pages, page{list[0].id, int64(at), len(text), crc32.Checksum(text, castagnoli)})
	}
	text, err := json.Marshal(i.dir)
	if err != nil {
		return err
	}
	trailer := binary.LittleEndian.AppendUint64([]byte(indexMagic), uint64(out.Len()))
	trailer = binary.LittleEndian.AppendUint32(trailer, crc32.Checksum(text, castagnoli))
	out.Write(text)
	out.Write(trailer)
	return writeWhole(path, 0o644, func(f *os.File) error {
		_, err := f.Write(out.Bytes())
		return err
	})
}

func removeUnused(folder string, now time.Time) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && now.Sub(info.ModTime()) > keepIndex {
			_ = os.Remove(filepath.Join(folder, e.Name()))
		}
	}
}

func (e entry) encode(out *bytes.Buffer) {
	var buf [4 * binary.MaxVarintLen64]byte
	text := binary.AppendUvarint(buf[:0], uint64(len(e.id)))
	text = append(text, e.id...)
	for _, n := range []int64{e.offset, int64(e.length), int64(e.number)} {
		text = binary.AppendUvarint(text, uint64(n))
	}
	out.Write(text)
}

// decodeEntry reads an entry, and returns the text after it.
func decodeEntry(text []byte) (e entry, rest []byte, err error) {
	var numbers [4]uint64
	for i := range numbers {
		n, length := binary.Uvarint(text)
		if length <= 0 {
			return e, nil, errDamagedIndex
		}
		numbers[i], text = n, text[length:]
		if i > 0 {
			continue
		}
		if n > uint64(len(text)) {
			return e, nil, errDamagedIndex
		}
		e.id, text = string(text[:n]), text[n:]
	}
	e.position = position{int64(numbers[1]), int(numbers[2]), int(numbers[3])}
	return e, text, nil
}

// indexFile is an index in a file, of which only the directory has been read.
type indexFile struct {
	file *os.File
	dir  directory
}

// openIndex opens an index. The error says that there is none that can be used.
func openIndex(path string) (*indexFile, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	i := &indexFile{file: f}
	if err := i.readDirectory(); err != nil {
		i.close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return i, nil
}

func (i *indexFile) close() { _ = i.file.Close() }

func (i *indexFile) readDirectory() error {
	info, err := i.file.Stat()
	if err != nil {
		return err
	}
	trailer, err := i.read(info, info.Size()-int64(trailerSize), int64(trailerSize))
	if err != nil {
		return err
	}
	numbers, ok := bytes.CutPrefix(trailer, []byte(indexMagic))
	if !ok {
		return errDamagedIndex
	}
	at := int64(binary.LittleEndian.Uint64(numbers))
	text, err := i.read(info, at, info.Size()-int64(trailerSize)-at)
	if err != nil {
		return err
	}
	if crc32.Checksum(text, castagnoli) != binary.LittleEndian.Uint32(numbers[8:]) {
		return errDamagedIndex
	}
	return json.Unmarshal(text, &i.dir)
}

// read reads a part of the file.
func (i *indexFile) read(info fs.FileInfo, at, length int64) ([]byte, error) {
	if at < 0 || length < 0 || at > info.Size()-length {
		return nil, errDamagedIndex
	}
	text := make([]byte, length)
	_, err := i.file.ReadAt(text, at)
	return text, err
}

// find is like that of an index in memory.
func (i *indexFile) find(id string) ([]entry, error) {
	var found []entry
	for _, prefix := range prefixes(id) {
		list, err := i.with(prefix)
		if err != nil {
			return nil, err
		}
		found = append(found, list...)
	}
	return inOrder(found), nil
}

// with returns the entries of the ids that begin with the given text.
func (i *indexFile) with(id string) ([]entry, error) {
	pages := i.dir.Pages
	first, _ := slices.BinarySearchFunc(pages, id, func(p page, id string) int { return strings.Compare(p.First, id) })
	var found []entry
	for _, p := range pages[max(0, first-1):] {
		if p.First > id && !strings.HasPrefix(p.First, id) {
			break
		}
		list, err := i.entries(p)
		if err != nil {
			return nil, err
		}
		found = append(found, withPrefix(from(list, id), id)...)
	}
	return found, nil
}

// entries reads the entries of a page.
func (i *indexFile) entries(p page) ([]entry, error) {
	text := make([]byte, p.Length)
	if _, err := i.file.ReadAt(text, p.At); err != nil {
		return nil, err
	}
	if crc32.Checksum(text, castagnoli) != p.Sum {
		return nil, errDamagedIndex
	}
	var list []entry
	for len(text) > 0 {
		e, rest, err := decodeEntry(text)
		if err != nil {
			return nil, err
		}
		list, text = append(list, e), rest
	}
	return list, nil
}
