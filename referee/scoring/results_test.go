package scoring

import (
	"reflect"
	"slices"
	"testing"

	"umpire/referee/record"
)

// The first record of an id counts that umpire did not fail to play.
func TestResultsSameMatch(t *testing.T) {
	failed := solo("a", "g/1", 0, "")
	failed.Error = "no memory"
	for name, row := range map[string]struct {
		records []*record.Record
		x       float64
		matches int
	}{
		"played again":      {[]*record.Record{solo("a", "g/1", 1, "ok"), solo("a", "g/1", 2, "ok")}, 1, 1},
		"played after all":  {[]*record.Record{failed, solo("a", "g/1", 1, "ok")}, 1, 1},
		"failed afterwards": {[]*record.Record{solo("a", "g/1", 1, "ok"), failed}, 1, 1},
		"without id":        {[]*record.Record{noID(solo("a", "g/1", 1, "ok")), noID(solo("a", "g/1", 2, "ok"))}, 1.5, 2},
	} {
		entries := results(row.records...).Submissions[0].matches["board g/1"]
		if x := FactsOf(entries, 1, 1).X; x != row.x || len(entries) != row.matches {
			t.Errorf("%s: found X %v of %d matches, expected %v of %d", name, x, len(entries), row.x, row.matches)
		}
	}
}

func noID(r *record.Record) *record.Record {
	r.ID = ""
	return r
}

// The house is no submission; a program in two seats has two entries.
func TestResultsSeats(t *testing.T) {
	r := duel("a", "g/1", 2, 5, 1)
	got := results(r)
	if len(got.Submissions) != 1 || got.Submissions[0].Name != "a" {
		t.Errorf("found %v, expected a alone", got.Submissions)
	}
	r.Seats[0].House, r.Seats[0].Bot, r.Seats[0].Digest = false, "a", "a"
	if s := results(r).Submissions; len(s) != 1 || !slices.EqualFunc(s[0].matches["board g/1"], []int{1, 2}, func(e Entry, seat int) bool { return e.Seat == seat }) {
		t.Errorf("found %v, expected seats 1 and 2", s)
	}
}

func TestResultsPut(t *testing.T) {
	rec := func(name, digest string) *record.Record {
		r := solo(name, "g/1", 1, "ok")
		r.Seats[0].Digest, r.ID = digest, digest
		return r
	}
	r := results(rec("bob", "2"), rec("alice", "old"), rec("alice", "1"), rec("alice", "0"))
	e, ok := r.Find("any", "old", "board g/1", "old", 1)
	if !ok {
		t.Fatal("found no record of what was stored")
	}
	if _, ok := r.Find("any", "new", "board g/1", "old", 1); ok {
		t.Error("found another program's record")
	}
	mine := NewSubmission("carol", "old") // the same program under another name
	mine.Add(e)
	r.Order(mine, NewSubmission("alice", "1"))
	var got []string
	for _, s := range r.Submissions {
		got = append(got, r.Called(s.Name, s.Digest))
	}
	if want := []string{"carol", "alice#1", "alice#0", "alice#old", "bob"}; !reflect.DeepEqual(got, want) {
		t.Errorf("found %v, expected %v", got, want)
	}
}
