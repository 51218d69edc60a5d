package record

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// numbered returns the n-th record of a test.
func numbered(n int) Record {
	return Record{V: Version, ID: fmt.Sprintf("%016x", n), Game: "toy", Umpire: strings.Repeat("x", n%50)}
}

// readIDs reads all that can be read of a results file; torn reports whether its
// end is cut off.
func readIDs(t *testing.T, path string) (ids []string, torn bool) {
	t.Helper()
	in, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	for r, err := range Read(path, in) {
		if errors.Is(err, ErrTorn) {
			return ids, true
		}
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, r.ID)
	}
	return ids, false
}

// wantRecords fails the test unless the file holds the records up to n.
func wantRecords(t *testing.T, path string, n int, where string) {
	t.Helper()
	ids, torn := readIDs(t, path)
	if len(ids) != n || torn {
		t.Fatalf("%s: read %d records, torn %v, expected %d", where, len(ids), torn, n)
	}
	for i, id := range ids {
		if id != numbered(i).ID {
			t.Fatalf("%s: record %d is %s", where, i, id)
		}
	}
}

// appendSmall opens a compressed file whose frames are small.
func appendSmall(t *testing.T, path string) *Writer {
	t.Helper()
	w, err := AppendCompressed(path)
	if err != nil {
		t.Fatal(err)
	}
	w.archive.limit = 2000
	return w
}

// write writes records from one number up to another.
func write(t *testing.T, w *Writer, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		if err := w.Write(numbered(i)); err != nil {
			t.Fatal(err)
		}
	}
}

// copyFiles copies the files of one folder to a new one.
func copyFiles(t *testing.T, from string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return to
}

// TestCompressedWriter: at every moment all records can be read, also after a
// death at that moment, and more can be added.
func TestCompressedWriter(t *testing.T) {
	const n = 60
	dir := t.TempDir()
	path := filepath.Join(dir, ResultsFile+CompressedSuffix)
	w := appendSmall(t, path)
	if _, err := AppendCompressed(path); err == nil || !strings.Contains(err.Error(), "another umpire") {
		t.Errorf("a second writer: error %v", err)
	}
	for i := range n {
		write(t, w, i, i+1)
		wantRecords(t, dir, i+1, "while it is written")
		if i%6 > 0 {
			continue
		}
		dead := filepath.Join(copyFiles(t, dir), filepath.Base(path))
		again := appendSmall(t, dead)
		write(t, again, i+1, n)
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
		wantRecords(t, dead, n, "after a death")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	wantRecords(t, path, n, "after closing")
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("found %v in the folder, expected one file", left)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if list, _, torn, err := frames(f); len(list) < 3 || torn || err != nil {
		t.Errorf("found %d frames, torn %v, %v", len(list), torn, err)
	}
}

// TestDeathInCompression stops the writer at several bytes of the frame that it
// adds, and after the frame: before the new tail, before the old one is gone,
// and after that.
func TestDeathInCompression(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, ResultsFile+CompressedSuffix)
	w := appendSmall(t, path)
	n := 0
	for ; w.archive.length == 0; n++ {
		write(t, w, n, n+1)
	}
	write(t, w, n, n+3) // a tail
	n += 3
	before := copyFiles(t, dir)
	oldTail, length := filepath.Base(w.archive.tail), w.archive.length
	if err := w.compress(); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	resume := func(dir, where string) {
		t.Helper()
		path := filepath.Join(dir, filepath.Base(path))
		wantRecords(t, path, n, where)
		again := appendSmall(t, path)
		write(t, again, n, n+5)
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
		wantRecords(t, dir, n+5, where+", continued")
	}
	for _, size := range []int64{length, length + 1, length + 5, length + 30, int64(len(after)) - 4, int64(len(after)) - 1, int64(len(after))} {
		dead := copyFiles(t, before)
		if err := os.WriteFile(filepath.Join(dead, filepath.Base(path)), after[:size], 0o644); err != nil {
			t.Fatal(err)
		}
		resume(dead, fmt.Sprintf("%d of %d bytes of the frame", size-length, int64(len(after))-length))
	}
	both := copyFiles(t, dir)
	if err := os.Rename(filepath.Join(copyFiles(t, before), oldTail), filepath.Join(both, oldTail)); err != nil {
		t.Fatal(err)
	}
	resume(both, "two tails")
	resume(copyFiles(t, dir), "a new tail")
	without := copyFiles(t, dir)
	if err := os.Remove(filepath.Join(without, filepath.Base(w.archive.tail))); err != nil {
		t.Fatal(err)
	}
	resume(without, "no tail")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestTornCompressedFile cuts a compressed file at many bytes: what is whole can
// be read, a cut is noticed, and records can be added to what is whole.
func TestTornCompressedFile(t *testing.T) {
	const n = 60
	var text bytes.Buffer
	var lines []int // where they end
	w := Writer{file: &buffered{&text}}
	for i := range n {
		write(t, &w, i, i+1)
		lines = append(lines, text.Len())
	}
	var packed bytes.Buffer
	if err := compressFrames(&packed, bytes.NewReader(text.Bytes()), 3000); err != nil {
		t.Fatal(err)
	}
	all, _, _, err := frames(bytes.NewReader(packed.Bytes()))
	if err != nil || len(all) < 3 {
		t.Fatalf("found %d frames, %v", len(all), err)
	}
	whole := map[int64]int64{0: 0} // bytes of text, by bytes of whole frames
	for _, f := range all {
		whole[f.at+f.length] = whole[f.at] + f.size
	}
	read := 0
	sizes := []int{packed.Len()}
	for _, f := range all {
		sizes = append(sizes, int(f.at), int(f.at)+1, int(f.at)+4, int(f.at)+10, int(f.at+f.length/2), int(f.at+f.length)-1)
	}
	slices.Sort(sizes)
	for _, size := range sizes {
		path := filepath.Join(t.TempDir(), "x"+CompressedSuffix)
		if err := os.WriteFile(path, packed.Bytes()[:size], 0o644); err != nil {
			t.Fatal(err)
		}
		if size > 0 && size < 4 {
			continue // not even the magic number
		}
		ids, torn := readIDs(t, path)
		end, isWhole := whole[int64(size)]
		if torn == isWhole || isWhole && len(ids) != countUpTo(lines, end) || len(ids) < read {
			t.Fatalf("%d bytes: %d records, torn %v; whole frames %v", size, len(ids), torn, isWhole)
		}
		read = len(ids)
		again := appendSmall(t, path)
		write(t, again, read, n)
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
		wantRecords(t, path, n, fmt.Sprintf("%d bytes, continued", size))
	}
	for _, at := range []int{0, 20, packed.Len() / 2, packed.Len() - 1} {
		bad := bytes.Clone(packed.Bytes())
		bad[at] ^= 0x10
		path := filepath.Join(t.TempDir(), "x"+CompressedSuffix)
		if err := os.WriteFile(path, bad, 0o644); err != nil {
			t.Fatal(err)
		}
		in, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		var last error
		for _, err := range Read(path, in) {
			last = err
		}
		if last == nil {
			t.Errorf("a wrong byte %d was not noticed", at)
		}
		_ = in.Close()
	}
}

// TestTornBehindRecord: that compressed results are cut off is noticed also where
// all that is left of the last line is a whole record without its newline.
func TestTornBehindRecord(t *testing.T) {
	const block = 128 << 10 // bytes of text in a block of a frame, all of which can be read, or nothing
	r := numbered(0)
	line := func() []byte { return encode(t, r).Bytes }
	r.Error = strings.Repeat("x", block-len(line()))
	text := slices.Concat(line(), []byte("\n"), encode(t, numbered(1)).Bytes, []byte("\n"))
	var packed bytes.Buffer
	if err := Compress(&packed, bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x"+CompressedSuffix)
	cut := false
	for size := packed.Len() - 1; size >= 4; size-- {
		if err := os.WriteFile(path, packed.Bytes()[:size], 0o644); err != nil {
			t.Fatal(err)
		}
		ids, torn := readIDs(t, path)
		if cut = cut || len(ids) == 1; !torn {
			t.Errorf("%d of %d bytes: read %d records, and not that the rest is cut off", size, packed.Len(), len(ids))
		}
	}
	if !cut {
		t.Error("the text was cut off nowhere between the first record and its newline")
	}
}

// countUpTo returns how many ends are at or before at.
func countUpTo(ends []int, at int64) int {
	n := 0
	for _, end := range ends {
		if int64(end) <= at {
			n++
		}
	}
	return n
}

// buffered is a file in memory.
type buffered struct{ *bytes.Buffer }

func (buffered) Seek(int64, int) (int64, error) { return 0, errors.ErrUnsupported }
func (buffered) Truncate(int64) error           { return errors.ErrUnsupported }
func (buffered) Sync() error                    { return nil }
func (buffered) Close() error                   { return nil }

// TestForeignFrames: records can be added to what other programs have
// compressed: frames that end within a line, empty frames, none at all.
func TestForeignFrames(t *testing.T) {
	line := func(n int) string {
		var text bytes.Buffer
		w := Writer{file: &buffered{&text}}
		write(t, &w, n, n+1)
		return text.String()
	}
	frame := func(text string) string {
		enc, err := newEncoder()
		if err != nil {
			t.Fatal(err)
		}
		return string(enc.EncodeAll([]byte(text), nil))
	}
	skipped := "\x50\x2a\x4d\x18\x03\x00\x00\x00abc"
	a, b := line(0), line(1)
	for _, file := range []struct {
		text string
		n    int // whole lines
	}{
		{"", 0},
		{frame(a), 1},
		{frame(a + b), 2},
		{frame(a) + skipped, 1},
		{skipped + frame(a) + frame(""), 1},
		{frame(a[:10]) + frame(a[10:]+b), 2},
		{frame(a + b[:10]), 1},
		{frame(a+b[:10]) + frame(b[10:20]), 1},
		{frame(a+b[:10]) + skipped, 1},
		{frame(a[:10]), 0},
		{frame(a+b[:10]) + frame(b[10:]), 2},
	} {
		path := filepath.Join(t.TempDir(), "x"+CompressedSuffix)
		if err := os.WriteFile(path, []byte(file.text), 0o644); err != nil {
			t.Fatal(err)
		}
		w := appendSmall(t, path)
		write(t, w, file.n, 10)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		wantRecords(t, path, 10, fmt.Sprintf("%q", file.text))
	}
}

// TestConvert: a file is compressed and decompressed again, with the records of
// its tail, and nothing is lost when it can't be.
func TestConvert(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, ResultsFile)
	w, err := AppendIn(t.Context(), dir, false)
	if err != nil {
		t.Fatal(err)
	}
	write(t, w, 0, 50)
	if _, err := CompressFile(t.Context(), path); err == nil || !strings.Contains(err.Error(), "another umpire") {
		t.Errorf("a file being written: error %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if w, err = AppendIn(t.Context(), dir, true); err != nil { // compresses what is there
		t.Fatal(err)
	}
	write(t, w, 50, 60)
	dead := copyFiles(t, dir)
	wantRecords(t, dead, 60, "with a tail")
	if plain, torn, err := DecompressFile(t.Context(), filepath.Join(dead, ResultsFile+CompressedSuffix)); err != nil || torn || filepath.Base(plain) != ResultsFile {
		t.Errorf("decompressed %s, torn %v, %v", plain, torn, err)
	}
	wantRecords(t, dead, 60, "decompressed")
	if left, _ := os.ReadDir(dead); len(left) != 1 {
		t.Errorf("found %v, expected one file", left)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, _, err := DecompressFile(ended, path+CompressedSuffix); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: error %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("after an interrupt found %v, expected one file", left)
	}
	wantRecords(t, dir, 60, "after an interrupt")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"Open": errorOf(Open(dir)), "AppendIn": errorOf(AppendIn(t.Context(), dir, true)), "CompressFile": errorOf(CompressFile(t.Context(), path)),
	} {
		if err == nil || !strings.Contains(err.Error(), ResultsFile+CompressedSuffix) {
			t.Errorf("%s with two files: error %v", name, err)
		}
	}
}

func errorOf[T any](_ T, err error) error { return err }

// TestSummariesOfCompressed: summaries of compressed results are those of the
// lines, and a torn end is noticed.
func TestSummariesOfCompressed(t *testing.T) {
	var packed bytes.Buffer
	if err := compressFrames(&packed, strings.NewReader(strings.Repeat(summarySample+"\n", 3000)), 1<<20); err != nil {
		t.Fatal(err)
	}
	for _, cut := range []int{0, 1, 1000} {
		in, err := NewReader(bytes.NewReader(packed.Bytes()[:packed.Len()-cut]))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		torn, err := Summaries("f", in, 2, func(*Summary) error { n++; return nil })
		if err != nil || torn != (cut > 0) || cut == 0 && n != 3000 || n < 700 {
			t.Errorf("%d bytes cut off: %d records, torn %v, %v", cut, n, torn, err)
		}
		if _, err := io.Copy(io.Discard, in); cut > 0 && !errors.Is(err, errTornFrame) {
			t.Errorf("%d bytes cut off: after the end the error is %v", cut, err)
		}
	}
}

// TestDamagedFrames: wherever compressed results are damaged, nothing that the
// damage made of them is read, and the error is that they are damaged, or cut off
// where the damage changed a length.
func TestDamagedFrames(t *testing.T) {
	var text []string
	for i := range 300 {
		text = append(text, fmt.Sprintf(`{"id":"%016x","n":%d}`, i*i*i, i))
	}
	var packed bytes.Buffer
	if err := compressFrames(&packed, strings.NewReader(strings.Join(text, "\n")), 3000); err != nil {
		t.Fatal(err)
	}
	found := 0
	for at := 4; at < packed.Len(); at += 7 {
		bad := bytes.Clone(packed.Bytes())
		bad[at] ^= 0x55
		in, err := NewReader(bytes.NewReader(bad))
		if err != nil {
			t.Fatal(err)
		}
		read, err := io.ReadAll(in)
		if err == nil {
			t.Errorf("byte %d of %d: no error", at, len(bad))
		} else if strings.HasPrefix(err.Error(), "the compressed data is damaged") {
			found++
			if len(read) > 0 {
				t.Errorf("byte %d of %d: read %d bytes of damaged data", at, len(bad), len(read))
			}
		} else if !errors.Is(err, ErrTorn) {
			t.Errorf("byte %d of %d: error %v", at, len(bad), err)
		}
		in.Close()
	}
	if found == 0 {
		t.Error("no damage was found")
	}
}
