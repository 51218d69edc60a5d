package record

import (
	"bytes"
	"strings"
	"testing"
)

// TestSpoolLimit: of more records than fit those that failed are kept first, in
// their order, and never part of one. Where names are given, these alone are kept, in the
// order of the names.
func TestSpoolLimit(t *testing.T) {
	s, err := NewSpool(t.TempDir())
	must(t, err)
	defer s.Close()
	var all string
	names := make(map[string]string) // by id
	for _, r := range []Record{
		{ID: "1", Seats: []Seat{{Verdict: "ok"}}, Events: []Event{}},
		{ID: "2", Seats: []Seat{{Verdict: "time"}}, Events: []Event{}},
		{ID: "3", Seats: []Seat{{Verdict: "time", House: true}, {Verdict: "ok"}}, Events: []Event{}},
		{ID: "4", Seats: []Seat{{Verdict: ""}}, Events: []Event{}, Error: "no room"},
		{ID: "5", Seats: []Seat{{Verdict: "ok"}}, Events: []Event{}},
	} {
		must(t, s.Write(r))
		all += r.ID
		names[r.ID] = r.FullName()
	}
	ids := func(limit int64, only ...string) (ids string, size int64) {
		t.Helper()
		var kept bytes.Buffer
		must(t, s.Copy(&kept, limit, only))
		size = int64(kept.Len())
		for r, err := range Read("kept", &kept) {
			must(t, err)
			ids += r.ID
		}
		return ids, size
	}
	whole := s.writer.size
	if got, n := ids(whole); got != all || n != whole {
		t.Errorf("kept %s, %d bytes, expected %s, %d bytes", got, n, all, whole)
	}
	if got, n := ids(whole - 1); !strings.HasPrefix(got, "24") || len(got) != 4 || n >= whole {
		t.Errorf("kept %s, %d bytes, expected all but one of %d bytes, 2 and 4 first", got, n, whole)
	}
	if got, _ := ids(whole, names["5"], names["2"], names["1"]); got != "521" {
		t.Errorf("kept %s, expected 5, 2 and 1, in this order", got)
	}
	if got, _ := ids(whole / 2); !strings.HasPrefix(got, "24") {
		t.Errorf("kept %s, expected 2 and 4 first", got)
	}
	if got, n := ids(10); got != "" || n != 0 {
		t.Errorf("kept %s, %d bytes, expected nothing in 10 bytes", got, n)
	}
}
