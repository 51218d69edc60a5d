package record

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// indexed is a results file with an index.
type indexed struct {
	t      *testing.T
	path   string
	finder Finder
}

func newIndexed(t *testing.T, name string) *indexed {
	dir := t.TempDir()
	return &indexed{t, filepath.Join(dir, name), Finder{Folder: filepath.Join(dir, "index"), Now: time.Now().Add(time.Hour), Jobs: 2, Min: 1}}
}

// write replaces the file's content, in place.
func (x *indexed) write(text string) {
	x.t.Helper()
	if strings.HasSuffix(x.path, CompressedSuffix) {
		var packed bytes.Buffer
		if err := compressFrames(&packed, strings.NewReader(text), 5000); err != nil {
			x.t.Fatal(err)
		}
		text = packed.String()
	}
	if err := os.WriteFile(x.path, []byte(text), 0o644); err != nil {
		x.t.Fatal(err)
	}
}

// same fails the test unless looking up ids by the index gives what reading the
// whole file gives; usable says whether there must be an index.
func (x *indexed) same(usable bool, ids ...string) {
	x.t.Helper()
	for _, id := range ids {
		lines, ok := x.finder.Lines(x.path, id)
		if ok != usable {
			x.t.Fatalf("id %s: an index %v, expected %v", id, ok, usable)
		}
		if !ok {
			continue
		}
		var got []string
		for line, err := range lines {
			got = append(got, describe(line, err, id)...)
		}
		in, err := Open(x.path)
		if err != nil {
			x.t.Fatal(err)
		}
		var want []string
		for line, err := range Lines(x.path, in) {
			want = append(want, describe(line, err, id)...)
		}
		_ = in.Close()
		if !slices.Equal(got, want) {
			x.t.Fatalf("id %s: found %q by the index, expected %q", id, got, want)
		}
	}
}

// describe returns what a reader learns from a line who is looking for an id.
func describe(line Line, err error, id string) []string {
	var r Record
	if err == nil {
		r, err = line.Record()
	}
	switch {
	case err != nil:
		return []string{err.Error()}
	case !strings.HasPrefix(r.ID, id):
		return nil
	}
	return []string{fmt.Sprintf("%s:%d %s", line.File, line.Number, line.Bytes)}
}

// lineOf returns a line with an id; the number makes it another one.
func lineOf(id string, number int) string {
	return fmt.Sprintf(`{"id":%q,"game":"x","wall_us":%d,"seats":[{"place":1}]}`+"\n", id, number)
}

// someLines returns lines with the ids of the numbers in a range, in no order.
func someLines(from, to int) string {
	var text strings.Builder
	for i := from; i < to; i++ {
		text.WriteString(lineOf(idOf(i), i))
		if i%50 == 0 {
			text.WriteString("  \r\n\n ")
		}
	}
	return text.String()
}

func idOf(n int) string { return fmt.Sprintf("%08x", uint32(n)*2654435761) }

// TestIndex: an index gives what the file gives, whatever happens to the file.
func TestIndex(t *testing.T) {
	for _, name := range []string{"a.jsonl", "a.jsonl.zst"} {
		t.Run(name, func(t *testing.T) {
			x := newIndexed(t, name)
			ids := []string{idOf(0), idOf(1), idOf(777), idOf(2999), idOf(3500), idOf(50000), "0", idOf(5)[:5], "zz", "ffffffff1", "<&>", "\u2028"}
			text := someLines(0, 3000) + lineOf("<&>", 1) + lineOf("\u2028", 2) + lineOf(strings.Repeat("0", MaxName), 3)
			x.write(text)
			x.same(true, ids...)
			x.same(true, ids...) // from the index as it was stored
			x.write(text + someLines(3000, 4000) + lineOf(idOf(1), 7))
			x.same(true, ids...)
			x.write(text + someLines(3000, 4000) + lineOf(idOf(1), 7) + someLines(4001, 4002))
			x.same(true, ids...)
			x.write(someLines(10, 4000)) // other content
			x.same(true, ids...)
			x.write(someLines(500, 600))
			x.same(true, ids...)
			x.write("")
			x.same(false, ids...)
			broken := someLines(0, 100) + "nonsense\n" + someLines(100, 1500) + `{"v":2,"id":"9"}` + "\n" + lineOf("\x00", 1)
			for _, text := range []string{broken, broken + "more nonsense\n"} {
				x.write(text)
				x.same(true, "9", "\x00", idOf(0))
				x.same(true, idOf(1499), "zz") // from the index as it was stored
			}
			x.write(someLines(0, 100) + strings.Repeat("nonsense\n", maxFound+1))
			x.same(false, ids[0])
		})
	}
}

// TestIndexOfGrowingFile: lines are found while they are being written, and the
// index grows with the file.
func TestIndexOfGrowingFile(t *testing.T) {
	x := newIndexed(t, "a.jsonl")
	text := someLines(0, 400)
	for end := len(text) - 100; end <= len(text); end++ {
		x.write(text[:end])
		x.same(true, idOf(0), idOf(398), idOf(399))
	}
	x.write(text + "nonsense")
	x.same(true, idOf(0))
}

// TestIndexOfUnsettledFile: a change that the file's times do not show is
// noticed if it came soon after the index was made.
func TestIndexOfUnsettledFile(t *testing.T) {
	x := newIndexed(t, "a.jsonl")
	now := time.Now()
	x.finder.Now = now
	for n := range 3 {
		x.write(strings.Repeat(lineOf(idOf(n), 1), 3)) // always of one size
		if err := os.Chtimes(x.path, now, now); err != nil {
			t.Fatal(err)
		}
		x.same(true, idOf(0), idOf(1), idOf(2))
		if i, err := openIndex(indexPath(x.finder.Folder, x.path)); err != nil || i.dir.Settled {
			t.Fatalf("the index of a file that has just been written counts as settled; %v", err)
		}
	}
	x.finder.Now = now.Add(time.Minute)
	x.same(true, idOf(0), idOf(2))
	if i, err := openIndex(indexPath(x.finder.Folder, x.path)); err != nil || !i.dir.Settled {
		t.Fatalf("the index of a file that is a minute old does not count as settled; %v", err)
	}
}

// TestIndexOfChangedFile: a change of one byte anywhere is noticed, also where
// somebody resets the file's time.
func TestIndexOfChangedFile(t *testing.T) {
	x := newIndexed(t, "a.jsonl")
	text := someLines(0, 400)
	x.write(text)
	info, err := os.Stat(x.path)
	if err != nil {
		t.Fatal(err)
	}
	x.same(true, idOf(0))
	x.awaitTimeAfter(info.ModTime())
	for n := 0; n < 400; n += 57 {
		at := strings.Index(text, idOf(n))
		changed := text[:at] + "1234567" + text[at+7:]
		x.write(changed + someLines(400, 400+n))
		if err := os.Chtimes(x.path, info.ModTime(), info.ModTime()); err != nil {
			t.Fatal(err)
		}
		x.same(true, idOf(n), "1234567", idOf(n+1), idOf(401))
	}
}

// awaitTimeAfter waits until the file system gives a file that changes a later time
// than that: it counts in steps of milliseconds on many systems.
func (x *indexed) awaitTimeAfter(then time.Time) {
	x.t.Helper()
	other := x.path + ".other"
	for end := time.Now().Add(time.Minute); ; {
		if err := os.WriteFile(other, []byte("x"), 0o644); err != nil {
			x.t.Fatal(err)
		}
		info, err := os.Stat(other)
		if err != nil {
			x.t.Fatal(err)
		}
		if info.ModTime().After(then) {
			return
		}
		if time.Now().After(end) {
			x.t.Fatalf("files still change at %v", then)
		}
	}
}

// TestDamagedIndex: an index with any wrong byte, or cut off anywhere, is made
// again.
func TestDamagedIndex(t *testing.T) {
	x := newIndexed(t, "a.jsonl.zst")
	x.write(someLines(0, 2500))
	x.same(true, idOf(0))
	path := indexPath(x.finder.Folder, x.path)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 60 {
		bad := bytes.Clone(good)
		switch at := random.IntN(len(bad)); n % 3 {
		case 0:
			bad = bad[:at]
		case 1:
			bad[at] ^= 1 << random.IntN(8)
		default:
			bad[max(0, len(bad)-1-random.IntN(2000))] ^= 1 << random.IntN(8) // directory and trailer
		}
		if err := os.WriteFile(path, bad, 0o644); err != nil {
			t.Fatal(err)
		}
		x.same(true, idOf(random.IntN(2500)), idOf(random.IntN(2500)), "a")
	}
	for _, text := range []string{"", "x", indexMagic} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		x.same(true, idOf(7))
	}
}

// TestIndexOfOtherFile: the index of one file is not used for another that takes
// its place.
func TestIndexOfOtherFile(t *testing.T) {
	x := newIndexed(t, "a.jsonl")
	x.write(someLines(0, 100))
	x.same(true, idOf(0))
	other := x.path + "2"
	if err := os.WriteFile(other, []byte(someLines(100, 200)), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(other, x.path); err != nil {
		t.Fatal(err)
	}
	x.same(true, idOf(0), idOf(150))
}

// TestIndexOfWriter: records are found at every moment of a compressed file that
// is being written, and after it.
func TestIndexOfWriter(t *testing.T) {
	x := newIndexed(t, "a.jsonl.zst")
	for range 2 {
		w := appendSmall(t, x.path)
		write(t, w, 0, 1)
		for n := 1; n < 60; n++ {
			write(t, w, n, n+1)
			if w.archive.length > 0 {
				x.same(true, numbered(0).ID, numbered(n).ID, numbered(n/2).ID)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		x.same(true, numbered(0).ID, numbered(59).ID, "7")
	}
	if err := os.Truncate(x.path, 2000); err != nil {
		t.Fatal(err)
	}
	x.same(false, numbered(0).ID)
}

// TestNoPlaceForIndex: where no index can be stored, records are found all the
// same.
func TestNoPlaceForIndex(t *testing.T) {
	x := newIndexed(t, "a.jsonl")
	x.write(someLines(0, 100))
	x.finder.Folder = filepath.Join(x.path, "below a file")
	x.same(true, idOf(0), idOf(99))
	x.finder.Folder, x.finder.Min = filepath.Dir(x.path), 0
	x.same(false, idOf(0)) // too small to need one
}

// TestUnusedIndexes: an index that nobody uses goes away.
func TestUnusedIndexes(t *testing.T) {
	x := newIndexed(t, "a.jsonl")
	x.write(someLines(0, 100))
	x.same(true, idOf(0))
	y := newIndexed(t, "b.jsonl")
	y.finder.Folder, y.finder.Now = x.finder.Folder, x.finder.Now.Add(keepIndex+time.Hour)
	y.write(someLines(0, 100))
	y.same(true, idOf(0))
	left, err := os.ReadDir(x.finder.Folder)
	if err != nil || len(left) != 1 || left[0].Name() != filepath.Base(indexPath(x.finder.Folder, y.path)) {
		t.Errorf("found %v, %v, expected the index of %s alone", left, err, y.path)
	}
}
