package record

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// fullDisk takes so many bytes and no more.
type fullDisk struct {
	*os.File
	left int
}

func (d *fullDisk) Write(b []byte) (int, error) {
	if len(b) <= d.left {
		d.left -= len(b)
		return d.File.Write(b)
	}
	n, _ := d.File.Write(b[:d.left])
	d.left = 0
	return n, syscall.ENOSPC
}

// TestFullDisk: a full disk is an error; all records before it stay whole, and
// one that comes when there is room again is whole, too.
func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.jsonl")
	w, err := Append(path)
	must(t, err)
	disk := &fullDisk{w.file.(*os.File), 1000}
	w.file = disk
	written, failed := 0, 0
	for i := range 20 {
		if i == 15 {
			disk.left = 1 << 20
		}
		if err := w.Write(Record{Game: "toy", Umpire: strings.Repeat("x", 10*i)}); err == nil {
			written++
		} else if failed++; !strings.Contains(err.Error(), "no space left") {
			t.Errorf("error %v, expected no space left", err)
		}
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	f, err := os.Open(path)
	must(t, err)
	defer f.Close()
	read := 0
	for r, err := range Read(path, f) {
		if err != nil || r.Game != "toy" {
			t.Errorf("record %d: %v", read, err)
		}
		read++
	}
	if read != written || failed == 0 || written < 7 {
		t.Errorf("read %d of %d records, %d were refused", read, written, failed)
	}
}

// TestWithdraw: the records of some workers leave the results file, in which others
// follow, and are kept beside it.
func TestWithdraw(t *testing.T) {
	dir := t.TempDir()
	w, err := AppendIn(t.Context(), dir, false)
	must(t, err)
	write := func(id, worker string) {
		t.Helper()
		must(t, w.Write(Record{V: 1, ID: id, Game: "g", Worker: worker, Seats: []Seat{{}}}))
	}
	write("1", "lab")
	write("2", "")
	write("3", "mill")
	for _, want := range []int{2, 0} {
		var n int
		if w, n, err = w.Withdraw(t.Context(), dir, []string{"lab", "mill"}); err != nil || n != want {
			t.Fatalf("withdrew %d records, error %v, expected %d", n, err, want)
		}
	}
	write("1", "other")
	must(t, w.Close())
	for name, want := range map[string]string{ResultsFile: "2 1other", WithdrawnFile: "1lab 3mill"} {
		f, err := os.Open(filepath.Join(dir, name))
		must(t, err)
		var got []string
		for r, err := range Read(name, f) {
			must(t, err)
			got = append(got, r.ID+r.Worker)
		}
		f.Close()
		if strings.Join(got, " ") != want {
			t.Errorf("%s: found %q, expected %s", name, got, want)
		}
	}
}
