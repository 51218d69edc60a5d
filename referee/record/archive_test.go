package record

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"umpire/referee/testlevel"
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
	must(t, err)
	defer in.Close()
	for r, err := range Read(path, in) {
		if errors.Is(err, ErrTorn) {
			return ids, true
		}
		must(t, err)
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

// appendIn opens the results of a folder to add records.
func appendIn(t *testing.T, dir string, compress bool) *Writer {
	t.Helper()
	w, err := AppendIn(t.Context(), dir, compress)
	must(t, err)
	return w
}

// finish ends a writer.
func finish(t *testing.T, w *Writer) {
	t.Helper()
	must(t, w.Finish(t.Context()))
}

// wantFiles fails the test unless these are the files of a folder.
func wantFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, want) {
		t.Errorf("found files %q, expected %q", got, want)
	}
}

// packed is the name of a compressed results file.
const packed = ResultsFile + CompressedSuffix

// write writes records from one number up to another.
func write(t *testing.T, w *Writer, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		must(t, w.Write(numbered(i)))
	}
}

// copyFiles copies the files of one folder to a new one.
func copyFiles(t *testing.T, from string) string {
	t.Helper()
	to := t.TempDir()
	must(t, os.CopyFS(to, os.DirFS(from)))
	return to
}

// TestFinish: results are compressed when all has been written, and continued
// after that; until then, and where they are not finished, they are plain.
func TestFinish(t *testing.T) {
	dir := t.TempDir()
	w := appendIn(t, dir, true)
	if _, err := AppendIn(t.Context(), dir, true); err == nil || !strings.Contains(err.Error(), "another umpire") {
		t.Errorf("a second writer: error %v", err)
	}
	for i := range 20 {
		write(t, w, i, i+1)
		wantRecords(t, dir, i+1, "while it is written")
	}
	wantFiles(t, dir, ResultsFile)
	finish(t, w)
	wantFiles(t, dir, packed)
	wantRecords(t, dir, 20, "finished")
	wantRecords(t, filepath.Join(dir, ResultsFile), 20, "by its former name")

	w = appendIn(t, dir, false)
	wantRecords(t, dir, 20, "opened again")
	write(t, w, 20, 30)
	finish(t, w)
	wantFiles(t, dir, packed)
	wantRecords(t, dir, 30, "finished again")

	w = appendIn(t, dir, true)
	write(t, w, 30, 35)
	interrupted, interrupt := context.WithCancel(t.Context())
	interrupt()
	if err := w.Finish(interrupted); err != nil {
		t.Error(err)
	}
	wantFiles(t, dir, ResultsFile)
	wantRecords(t, dir, 35, "interrupted")

	finish(t, appendIn(t, dir, false))
	wantFiles(t, dir, ResultsFile)
	finish(t, appendIn(t, dir, true))
	wantFiles(t, dir, packed)
	wantRecords(t, dir, 35, "compressed in the end")
}

// TestFinishFails: results that can't be compressed stay as they are.
func TestFinishFails(t *testing.T) {
	dir := t.TempDir()
	w := appendIn(t, dir, true)
	write(t, w, 0, 20)
	part := filepath.Join(dir, "."+packed+".part")
	must(t, os.MkdirAll(filepath.Join(part, "full"), 0o755))
	if err := w.Finish(t.Context()); err == nil || !strings.Contains(err.Error(), "stay uncompressed") {
		t.Errorf("error %v", err)
	}
	wantFiles(t, dir, filepath.Base(part), ResultsFile)
	must(t, os.RemoveAll(part))
	full := func(out io.Writer, _ io.Reader) error {
		_, err := io.WriteString(out, "half")
		return errors.Join(err, syscall.ENOSPC)
	}
	if err := replaceFile(t.Context(), filepath.Join(dir, ResultsFile), filepath.Join(dir, packed), full); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("error %v", err)
	}
	wantFiles(t, dir, ResultsFile)
	wantRecords(t, dir, 20, "after both")
}

// writeFile writes a file of a folder.
func writeFile(t *testing.T, dir, name, text string) {
	t.Helper()
	must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
}

// linesOf returns the lines of records from one number up to another.
func linesOf(t *testing.T, from, to int) string {
	t.Helper()
	var text bytes.Buffer
	write(t, &Writer{file: &buffered{&text}}, from, to)
	return text.String()
}

// compressed returns text in frames of at most size bytes.
func compressed(t *testing.T, text string, size int) string {
	t.Helper()
	var out bytes.Buffer
	must(t, compressFrames(&out, strings.NewReader(text), size))
	return out.String()
}

// TestDeathInConversion: whenever umpire dies while it converts a file, all records
// are read, and more are added. So they are where an earlier version has left tails.
func TestDeathInConversion(t *testing.T) {
	const n = 40
	all := linesOf(t, 0, n)
	whole := compressed(t, all, 2000)
	some := compressed(t, linesOf(t, 0, 25), 2000)
	tail := fmt.Sprint(packed, tailInfix, len(some))
	for name, files := range map[string]map[string]string{
		"nothing compressed yet":      {ResultsFile: all, "." + packed + ".part": ""},
		"half compressed":             {ResultsFile: all, "." + packed + ".part": whole[:len(whole)/2]},
		"compressed":                  {ResultsFile: all, "." + packed + ".part": whole},
		"compressed and renamed":      {ResultsFile: all, packed: whole},
		"original removed":            {packed: whole},
		"half decompressed":           {packed: whole, "." + ResultsFile + ".part": all[:len(all)/2]},
		"decompressed":                {packed: whole, "." + ResultsFile + ".part": all},
		"with a tail":                 {packed: some, tail: linesOf(t, 25, n)},
		"with a tail and a frame":     {packed: some + whole[:100], tail: linesOf(t, 25, n)},
		"with two tails":              {packed: some, tail: linesOf(t, 25, n), packed + tailInfix + "0": linesOf(t, 0, 25)},
		"with a tail, decompressed":   {packed: some, tail: linesOf(t, 25, n), ResultsFile: all},
		"decompressed, tail removed":  {packed: some, ResultsFile: all},
		"decompressed, frame is torn": {packed: whole[:len(whole)-9], ResultsFile: all},
		"with an empty tail":          {packed: whole, fmt.Sprint(packed, tailInfix, len(whole)): ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range files {
				writeFile(t, dir, file, text)
			}
			wantRecords(t, dir, n, "after death")
			if !Played(dir) {
				t.Error("the folder counts as empty")
			}
			plain, packedAgain := copyFiles(t, dir), copyFiles(t, dir)
			w := appendIn(t, packedAgain, true)
			wantFiles(t, packedAgain, ResultsFile)
			write(t, w, n, n+5)
			wantRecords(t, packedAgain, n+5, "continued")
			finish(t, w)
			wantRecords(t, packedAgain, n+5, "finished")
			wantFiles(t, packedAgain, packed)
			if _, ok := files[packed]; !ok {
				return
			}
			must(t, errorOf(DecompressFile(t.Context(), filepath.Join(plain, packed), false)))
			wantRecords(t, plain, n, "decompressed")
			wantFiles(t, plain, ResultsFile)
		})
	}
}

// TestShortFile: a file that is shorter than what tells frames from lines is lines.
func TestShortFile(t *testing.T) {
	for _, text := range []string{"", "{", "{}", "{}\n", "{ }\n"} {
		in, err := NewReader(strings.NewReader(text))
		must(t, err)
		if got, err := io.ReadAll(in); string(got) != text || err != nil {
			t.Errorf("%q: found %q, error %v", text, got, err)
		}
	}
}

// TestTwoFiles: of two results files in one folder none is lost, unless one holds
// all of the other.
func TestTwoFiles(t *testing.T) {
	for name, plain := range map[string]string{"less": linesOf(t, 0, 20), "nothing": "", "other": linesOf(t, 1, 50)} {
		dir := t.TempDir()
		writeFile(t, dir, ResultsFile, plain)
		writeFile(t, dir, packed, compressed(t, linesOf(t, 0, 30), 2000))
		path := filepath.Join(dir, ResultsFile)
		for way, err := range map[string]error{
			"Open": errorOf(Open(dir)), "Append": errorOf(Append(path)), "AppendIn": errorOf(AppendIn(t.Context(), dir, true)),
			"CompressFile": errorOf(CompressFile(t.Context(), path)), "DecompressFile": errorOf(DecompressFile(t.Context(), path+CompressedSuffix, true)),
		} {
			if err == nil || !strings.Contains(err.Error(), "found both "+path+" and ") {
				t.Errorf("%s, %s: error %v", name, way, err)
			}
		}
		wantFiles(t, dir, ResultsFile, packed)
		wantRecords(t, filepath.Join(dir, packed), 30, name)
	}
}

// TestTornCompressedFile cuts a compressed file at many bytes: what is whole can
// be read, a cut is noticed, and records can be added to what is whole.
func TestTornCompressedFile(t *testing.T) {
	const each = 10 // records of a frame
	n := testlevel.Times(2, 6, 6) * each
	var file string
	whole := map[int]int{0: 0} // records, by the end of the frame they end with
	var sizes []int
	for i := 0; i < n; i += each {
		frame := compressed(t, linesOf(t, i, i+each), 1<<20)
		for _, at := range []int{1, 4, 10, len(frame) / 2, len(frame) - 1, len(frame)} {
			sizes = append(sizes, len(file)+at)
		}
		file += frame
		whole[len(file)] = i + each
	}
	read := 0
	for _, size := range sizes {
		dir := t.TempDir()
		writeFile(t, dir, packed, file[:size])
		if size < 4 {
			continue // not even the magic number
		}
		ids, torn := readIDs(t, dir)
		records, isWhole := whole[size]
		if torn == isWhole || isWhole && len(ids) != records || len(ids) < read {
			t.Fatalf("%d bytes: %d records, torn %v; whole frames %v", size, len(ids), torn, isWhole)
		}
		read = len(ids)
		w := appendIn(t, dir, false)
		write(t, w, read, n)
		finish(t, w)
		wantRecords(t, dir, n, fmt.Sprintf("%d bytes, continued", size))
	}
	for _, at := range []int{0, 20, len(file)/2 + 20, len(file) - 1} {
		bad := []byte(file)
		bad[at] ^= 0x10
		path := filepath.Join(t.TempDir(), "x"+CompressedSuffix)
		must(t, os.WriteFile(path, bad, 0o644))
		in, err := Open(path)
		must(t, err)
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
	must(t, Compress(&packed, bytes.NewReader(text)))
	path := filepath.Join(t.TempDir(), "x"+CompressedSuffix)
	cut := false
	for size := packed.Len() - 1; size >= 4; size-- {
		must(t, os.WriteFile(path, packed.Bytes()[:size], 0o644))
		ids, torn := readIDs(t, path)
		if cut = cut || len(ids) == 1; !torn {
			t.Errorf("%d of %d bytes: read %d records, and not that the rest is cut off", size, packed.Len(), len(ids))
		}
	}
	if !cut {
		t.Error("the text was cut off nowhere between the first record and its newline")
	}
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
	line := func(n int) string { return linesOf(t, n, n+1) }
	frame := func(text string) string { return string(encoder().EncodeAll([]byte(text), nil)) }
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
		dir := t.TempDir()
		writeFile(t, dir, packed, file.text)
		w := appendIn(t, dir, true)
		write(t, w, file.n, 10)
		finish(t, w)
		wantRecords(t, dir, 10, fmt.Sprintf("%q", file.text))
	}
}

// TestConvert: a file is compressed and decompressed again, unless it is being
// written or an interrupt comes, and then nothing is lost.
func TestConvert(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, ResultsFile)
	w := appendIn(t, dir, false)
	write(t, w, 0, 50)
	if _, err := CompressFile(t.Context(), path); err == nil || !strings.Contains(err.Error(), "another umpire") {
		t.Errorf("a file being written: error %v", err)
	}
	finish(t, w)
	before, err := os.ReadFile(path)
	must(t, err)
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := CompressFile(ended, path); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: error %v", err)
	}
	wantFiles(t, dir, ResultsFile)
	if name, err := CompressFile(t.Context(), path); err != nil || name != path+CompressedSuffix {
		t.Errorf("compressed %s, %v", name, err)
	}
	if _, err := DecompressFile(ended, path+CompressedSuffix, true); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: error %v", err)
	}
	wantFiles(t, dir, packed)
	if name, err := DecompressFile(t.Context(), path+CompressedSuffix, false); err != nil || name != path {
		t.Errorf("decompressed %s, %v", name, err)
	}
	wantFiles(t, dir, ResultsFile)
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, before) {
		t.Errorf("the lines have changed, %v", err)
	}
}

func errorOf[T any](_ T, err error) error { return err }

// TestSummariesOfCompressed: summaries of compressed results are those of the
// lines, and a torn end is noticed.
func TestSummariesOfCompressed(t *testing.T) {
	var packed bytes.Buffer
	must(t, compressFrames(&packed, strings.NewReader(strings.Repeat(summarySample+"\n", 3000)), 1<<20))
	for _, cut := range []int{0, 1, 1000} {
		in, err := NewReader(bytes.NewReader(packed.Bytes()[:packed.Len()-cut]))
		must(t, err)
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
	must(t, compressFrames(&packed, strings.NewReader(strings.Join(text, "\n")), 3000))
	testDamage(t, packed.Bytes(), 4)
	packed.Reset()
	w := gzip.NewWriter(&packed)
	_, err := io.WriteString(w, strings.Join(text, "\n"))
	must(t, errors.Join(err, w.Close()))
	testDamage(t, packed.Bytes(), 10) // behind the header
}

// testDamage damages compressed data here and there from a byte on.
func testDamage(t *testing.T, packed []byte, from int) {
	t.Helper()
	found := 0
	for at := from; at < len(packed); at += 7 {
		bad := bytes.Clone(packed)
		bad[at] ^= 0x55
		in, err := NewReader(bytes.NewReader(bad))
		must(t, err)
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
