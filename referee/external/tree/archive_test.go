package tree

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// entry is a member of an archive.
type entry struct {
	name, text string
	mode       fs.FileMode
}

func pack(t *testing.T, entries ...entry) string {
	t.Helper()
	var buf bytes.Buffer
	out := zip.NewWriter(&buf)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		h.SetMode(e.mode | 0o644)
		w, err := out.CreateHeader(h)
		if err == nil && !strings.HasSuffix(e.name, "/") {
			_, err = w.Write([]byte(e.text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "sum.zip")
	if err := os.WriteFile(name, buf.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestUnpack: files keep their bytes and whether they are programs; a second time nothing
// is unpacked.
func TestUnpack(t *testing.T) {
	archive := pack(t, entry{"top/", "", fs.ModeDir}, entry{"top/a/run", "x", 0o755}, entry{"top/b", "y", 0}, entry{"top/a/link", "../b", fs.ModeSymlink})
	below := t.TempDir()
	root, dir, err := Unpack(t.Context(), archive, below)
	if err != nil || dir != filepath.Join(root, "top") || filepath.Base(root) != "sum" {
		t.Fatalf("found %s, %v", dir, err)
	}
	info, err := os.Stat(filepath.Join(dir, "a", "run"))
	text, readErr := os.ReadFile(filepath.Join(dir, "a", "link"))
	if err != nil || readErr != nil || info.Mode().Perm() != 0o755 || string(text) != "y" {
		t.Errorf("found %v, %q, %v, %v", info, text, err, readErr)
	}
	if err := os.WriteFile(filepath.Join(dir, "b"), []byte("kept"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, again, err := Unpack(t.Context(), archive, below); err != nil || again != dir {
		t.Errorf("found %s, %v", again, err)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "b")); string(text) != "kept" {
		t.Errorf("unpacked a second time")
	}
}

// TestHostileArchive: nothing is written outside, and bounds hold.
func TestHostileArchive(t *testing.T) {
	many := make([]entry, maxEntries+1)
	for i := range many {
		many[i] = entry{name: fmt.Sprint(i, "/"), mode: fs.ModeDir}
	}
	for _, test := range []struct {
		want    string
		entries []entry
	}{
		{`entry "../out": expected a relative path`, []entry{{"../out", "x", 0}}},
		{`entry "a/../../out": expected a relative path`, []entry{{"a/../../out", "x", 0}}},
		{`entry "/out": expected a relative path`, []entry{{"/out", "x", 0}}},
		{`entry "a\\..\\..\\out": expected a relative path`, []entry{{`a\..\..\out`, "x", 0}}},
		{`entry "c:out": expected a relative path`, []entry{{"c:out", "x", 0}}},
		{`entry "a": is there twice`, []entry{{"a", "x", 0}, {"a", "y", 0}}},
		{`entry "l": is a link to "/etc/passwd"`, []entry{{"l", "/etc/passwd", fs.ModeSymlink}}},
		{`entry "a/l": is a link to "../../out"`, []entry{{"a/l", "../../out", fs.ModeSymlink}}},
		{`entry "l": `, []entry{{"l", "d", fs.ModeSymlink}, {"l/x", "x", 0}}},
		{`entry "pipe": is neither a file, a folder nor a link`, []entry{{"pipe", "", fs.ModeNamedPipe}}},
		{`entry "disk": is neither a file, a folder nor a link`, []entry{{"disk", "", fs.ModeDevice}}},
		{"unpacks to more than 4 GiB, or than 200 times its size", []entry{{"bomb", strings.Repeat("0", 4<<20), 0}}},
		{"found 100001 entries, expected at most 100000", many},
	} {
		below := t.TempDir()
		_, dir, err := Unpack(t.Context(), pack(t, test.entries...), filepath.Join(below, "cache"))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("found %s, %v\nexpected %s", dir, err, test.want)
		}
		if list, _ := filepath.Glob(filepath.Join(below, "cache", "*", "*")); len(list) > 0 {
			t.Errorf("%s: left %v", test.want, list)
		}
		if _, err := os.Lstat(filepath.Join(below, "out")); err == nil {
			t.Errorf("%s: wrote outside", test.want)
		}
	}
	text := filepath.Join(t.TempDir(), "text.kpp")
	if err := os.WriteFile(text, []byte("no archive"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Unpack(t.Context(), text, t.TempDir()); err == nil || !strings.Contains(err.Error(), "is not a zip archive") {
		t.Errorf("found %v", err)
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	f.Fuzz(func(t *testing.T, data []byte) {
		name := filepath.Join(t.TempDir(), "x.zip")
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
		_, _, _ = Unpack(t.Context(), name, t.TempDir())
	})
}
