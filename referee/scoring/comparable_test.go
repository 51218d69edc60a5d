package scoring

import (
	"testing"

	"umpire/referee/record"
)

// against is the record of a match in which the house's bot was another.
func against(r *record.Record, house, digest string) *record.Record {
	for i := range r.Seats {
		if r.Seats[i].House {
			r.Seats[i].Bot, r.Seats[i].Digest = house, digest
		}
	}
	return r
}

// ofFolder is the record of a match in a game of a folder.
func ofFolder(r *record.Record) *record.Record {
	r.Package = &record.Package{Digest: "1"}
	return r
}

// dealt is the record of a match whose judge drew from a seed.
func dealt(r *record.Record, seed string) *record.Record {
	r.ID, r.Seed = r.ID+seed, seed
	return r
}

// What differs among matches that can be compared all the same: the opponent's name and a
// digest that is missing, or of a tool's other version, and several deals, if all have played them.
func TestComparable(t *testing.T) {
	task := Task{Set: set("g:1:1"), Formula: compile(t, "X")}
	meeting := func(a, b, seed string) *record.Record {
		r := dealt(duel(a, "g/1", 1, 6, 1), a+b+seed)
		r.Seed, r.Seats[1] = seed, record.Seat{Bot: b, Digest: b, Verdict: "ok", Place: 2}
		return r
	}
	for name, records := range map[string][]*record.Record{
		"one opponent under two names": {against(duel("a", "g/1", 1, 6, 1), "@h", "1"), against(duel("b", "g/1", 1, 6, 1), "@h-2", "1")},
		"no digest":                    {against(duel("a", "g/1", 1, 6, 1), "@house", "1"), duel("b", "g/1", 1, 6, 1)},
		"an opponent compiled anew":    {ofFolder(against(duel("a", "g/1", 1, 6, 1), "@h", "1")), ofFolder(against(duel("b", "g/1", 1, 6, 1), "@h", "2"))},
		"both on two deals": {
			dealt(solo("a", "g/1", 2, "ok"), "7"), dealt(solo("a", "g/1", 10, "ok"), "8"), dealt(solo("b", "g/1", 12, "ok"), "8"), dealt(solo("b", "g/1", 0, "ok"), "7"),
		},
		"those who met": {meeting("a", "b", "1"), meeting("b", "c", "2"), meeting("c", "a", "3"), meeting("b", "a", "4"), meeting("c", "b", "5"), meeting("a", "c", "6")},
	} {
		scores, err := task.Score(results(records...))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, s := range scores.Submissions {
			if want := map[bool]float64{true: 3, false: 6}[name == "those who met"]; s.Score != want {
				t.Errorf("%s: %s scores %v, expected %v", name, s.Bot, s.Score, want)
			}
		}
	}
}
