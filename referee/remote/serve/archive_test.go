package serve

import (
	"testing"

	"umpire/referee/record"
)

// TestArchiveOfCompressedResults: finished matches are found in compressed
// results while they are being written, after that, and after a restart.
func TestArchiveOfCompressedResults(t *testing.T) {
	dir := t.TempDir()
	ids := []string{"a", "b", "c"}
	find := func(archive *Archive, n int) {
		t.Helper()
		for _, id := range ids[:n] {
			if r, ok, err := archive.record(id); !ok || err != nil || r.ID != id {
				t.Errorf("record %s of %d: found %q, %v, %v", id, n, r.ID, ok, err)
			}
		}
	}
	for n, id := range ids {
		archive, err := OpenArchive(dir)
		if err != nil {
			t.Fatal(err)
		}
		find(archive, n)
		w, err := record.AppendIn(t.Context(), dir, true)
		if err != nil {
			t.Fatal(err)
		}
		r := record.Record{ID: id, Game: "toy"}
		line, err := w.WriteLine(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := archive.Add(r, line); err != nil {
			t.Fatal(err)
		}
		find(archive, n+1)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		find(archive, n+1)
	}
}
