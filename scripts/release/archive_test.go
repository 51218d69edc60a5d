package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"testing"
	"time"
)

// TestArchives: the files are in an archive with their contents and permissions, with
// the date of the commit, and nobody's name.
func TestArchives(t *testing.T) {
	files := []file{{"umpire", []byte("code"), 0o755}, {"completion/_umpire", []byte("text\n"), 0o644}}
	date := time.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC)
	want := []string{"umpire-1/umpire -rwxr-xr-x code", "umpire-1/completion/_umpire -rw-r--r-- text\n"}
	for name, write := range map[string]func(io.Writer, string, []file, time.Time) error{"tar": writeTar, "zip": writeZip} {
		var out bytes.Buffer
		if err := write(&out, "umpire-1", files, date); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var got []string
		see := func(path, mode string, modified time.Time, in io.Reader) {
			data, err := io.ReadAll(in)
			if err != nil || !modified.Equal(date) {
				t.Errorf("%s: %s is of %v, error %v", name, path, modified, err)
			}
			got = append(got, path+" "+mode+" "+string(data))
		}
		if name == "tar" {
			unzipped, err := gzip.NewReader(&out)
			if err != nil {
				t.Fatal(err)
			}
			archive := tar.NewReader(unzipped)
			for h, err := archive.Next(); err != io.EOF; h, err = archive.Next() {
				if err != nil || h.Uid != 0 || h.Uname != "" {
					t.Fatalf("found %+v, error %v", h, err)
				}
				see(h.Name, h.FileInfo().Mode().String(), h.ModTime, archive)
			}
		} else {
			archive, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range archive.File {
				in, err := f.Open()
				if err != nil {
					t.Fatal(err)
				}
				see(f.Name, f.Mode().String(), f.Modified, in)
			}
		}
		if len(got) != len(want) || got[0] != want[0] || got[1] != want[1] {
			t.Errorf("%s: found %q, expected %q", name, got, want)
		}
	}
}

// TestPartOf: a symbol is of the longest module path that begins its name.
func TestPartOf(t *testing.T) {
	modules := []string{"umpire", "example.org/a", "example.org/a/v2"}
	for symbol, want := range map[string]string{
		"umpire/referee.Play": "umpire", "umpired.Run": "Go's standard library", "example.org/a/v2/b.(*T).F": "example.org/a/v2",
		"example.org/a/b.F": "example.org/a", "type:.eq.[2]string": "Go's tables of functions and types", "net/http.Get": "Go's standard library",
	} {
		if got := partOf(symbol, modules); got != want {
			t.Errorf("%s: found %s, expected %s", symbol, got, want)
		}
	}
}
