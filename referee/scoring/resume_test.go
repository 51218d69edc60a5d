package scoring

import (
	"reflect"
	"testing"

	"umpire/referee/record"
)

// TestResume: what a program has played under any name is taken over, and what
// it has not, or umpire failed to play, is missing.
func TestResume(t *testing.T) {
	stored := func(name, digest, id, why string) *record.Record {
		r := solo(name, "g/1", 1, "ok")
		r.Seats[0].Digest, r.ID, r.Error = digest, id, why
		return r
	}
	r := results(stored("old name", "1", "played", ""), stored("old name", "1", "failed", "no memory"), stored("b", "2", "other", ""))
	wanted := Wanted{Name: "new name", Digest: "1"}
	for _, id := range []string{"failed", "played", "new"} {
		wanted.Matches = append(wanted.Matches, Entry{stored("new name", "1", id, ""), 1})
	}
	if missing, _ := r.Resume([]Wanted{wanted}, true); !reflect.DeepEqual(missing, [][]int{{0, 1, 2}}) {
		t.Errorf("found %v missing under its own name, expected all", missing)
	}
	r = results(stored("old name", "1", "played", ""), stored("old name", "1", "failed", "no memory"), stored("b", "2", "other", ""))
	missing, planned := r.Resume([]Wanted{wanted, {Name: "b", Digest: "2"}}, false)
	if !reflect.DeepEqual(missing, [][]int{{0, 2}, nil}) {
		t.Errorf("found %v missing, expected matches 0 and 2 of the first", missing)
	}
	first := r.Submissions[0]
	if have := first.matches["board g/1"]; first.Name != "new name" || len(have) != 1 || have[0].Record.ID != "played" {
		t.Errorf("found %s with %v, expected new name with the match it has played", first.Name, have)
	}
	if all := planned.Submissions[0].matches["board g/1"]; len(all) != 3 {
		t.Errorf("found %d matches planned, expected 3", len(all))
	}
	if n := len(r.Submissions[1].matches); n != 0 {
		t.Errorf("found %d cases of a submission of which no match is wanted, expected none", n)
	}
}
