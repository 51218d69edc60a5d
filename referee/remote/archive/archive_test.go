package archive

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
	"umpire/referee/record"
	"umpire/referee/remote"
)

// TestArchiveOfCompressedResults: finished matches are found while the results of a
// compressed run are being written, after that, and when it is resumed.
func TestArchiveOfCompressedResults(t *testing.T) {
	dir := t.TempDir()
	ids := []string{"a", "b", "c"}
	find := func(archive *Archive, n int) {
		t.Helper()
		for _, id := range ids[:n] {
			if r, ok, err := archive.Record(id); !ok || err != nil || r.ID != id {
				t.Errorf("record %s of %d: found %q, %v, %v", id, n, r.ID, ok, err)
			}
		}
	}
	for n, id := range ids {
		w, err := record.AppendIn(t.Context(), dir, true)
		if err != nil {
			t.Fatal(err)
		}
		archive, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		find(archive, n)
		r := record.Record{ID: id, Game: "toy"}
		line, err := w.WriteLine(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := archive.Add(r, line); err != nil {
			t.Fatal(err)
		}
		find(archive, n+1)
		if err := w.Finish(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(dir, record.ResultsFile+record.CompressedSuffix)); err != nil {
			t.Error(err)
		}
		find(archive, n+1)
	}
}

// TestMatchesOfOneID: each of several matches with one id is found, the first by the
// id.
func TestMatchesOfOneID(t *testing.T) {
	archive, err := Open("")
	if err != nil {
		t.Fatal(err)
	}
	for _, names := range [][2]string{{"a", "b"}, {"b", "a"}, {"a", "c"}} {
		r := record.Record{ID: "12", Game: "toy", Seats: []record.Seat{{Bot: names[0]}, {Bot: names[1]}}}
		line, err := json.Marshal(r)
		if err == nil {
			err = archive.Add(r, line)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	found := make(map[string]string)
	for _, e := range archive.entries {
		id := e.info().ID
		r, ok, err := archive.Record(id)
		if !ok || err != nil {
			t.Fatalf("match %s: %v, %v", id, ok, err)
		}
		found[r.Seats[0].Bot+r.Seats[1].Bot] = id[:2]
	}
	if want := map[string]string{"ab": "12", "ba": "12", "ac": "12"}; !reflect.DeepEqual(found, want) {
		t.Errorf("found %v", found)
	}
	if r, ok, err := archive.Record("12"); !ok || err != nil || r.Seats[1].Bot != "b" {
		t.Errorf("12 is %v, %v, %v, expected the first match", r.Seats, ok, err)
	}
}

// TestEntry: what is packed comes out again.
func TestEntry(t *testing.T) {
	for _, info := range []remote.MatchInfo{
		{ID: "1", Game: "toy", State: remote.Void, Detail: "nobody came", Seats: []remote.SeatSeen{}},
		{
			ID: "match", Record: "0123456789abcdef", Game: "ВМЪКНИ", State: remote.Over, Steps: 1000,
			Seats:   []remote.SeatSeen{{Seat: 1, Player: "a", Kind: remote.Human, Verdict: "ok", LeftMS: -1}, {Seat: 2, Player: "字", LeftMS: 1 << 40}},
			Results: []remote.Result{{Seat: 1, Player: "a", Verdict: "ok", Score: protocols.Points(-5), Place: 2}, {Seat: 2, Player: "字", Detail: "no\nline", Place: 1}},
		},
	} {
		e := newEntry(info, 1<<40, 1<<20)
		if got := e.info(); !reflect.DeepEqual(got, info) {
			t.Errorf("found %+v\nexpected %+v", got, info)
		}
		if offset, size := e.line(); offset != 1<<40 || size != 1<<20 {
			t.Errorf("found offset %d and size %d", offset, size)
		}
	}
}

// TestListed: finished matches are listed newest first, those of a player or of a
// game alone without looking at the others, from any match on.
func TestListed(t *testing.T) {
	const matches = keptInMemory + 30
	archive, err := Open("")
	if err != nil {
		t.Fatal(err)
	}
	player := func(n int) string { return fmt.Sprint("p", n%7) }
	game := func(n int) string { return fmt.Sprint("g", n%3) }
	for n := range matches {
		r := record.Record{ID: fmt.Sprint(n), Game: game(n), Seats: []record.Seat{{Bot: player(n)}, {Bot: player(n / 7)}}}
		if err := archive.Add(r, []byte("{}\n")); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		before, player, game string
		from                 int
	}{
		{"", "", "", matches}, {"", "p3", "", matches}, {"", "", "g1", matches}, {"500", "", "", 500}, {"500", "p3", "", 500}, {"501", "", "g2", 501}, {"", "nobody", "", matches},
	} {
		var want, got []string
		for n := test.from - 1; n >= matches-keptInMemory; n-- {
			if (test.player == "" || player(n) == test.player || player(n/7) == test.player) && (test.game == "" || game(n) == test.game) {
				want = append(want, fmt.Sprint(n))
			}
		}
		end, ok := archive.Position(test.before)
		for info := range archive.Before(end, test.player, test.game) {
			got = append(got, info.ID)
		}
		if !ok || !slices.Equal(got, want) {
			t.Errorf("%+v: found %v (%v), expected %v", test, got, ok, want)
		}
	}
	end, _ := archive.Position("")
	for info := range archive.Before(end, "p3", "g1") {
		if !slices.ContainsFunc(info.Seats, func(s remote.SeatSeen) bool { return s.Player == "p3" }) && info.Game != "g1" {
			t.Errorf("match %s has neither the player nor the game", info.ID)
		}
	}
	if _, ok := archive.Position("7"); ok {
		t.Error("a match that was removed is still known")
	}
}

// TestArchiveIsSmall: the archive of a run of very many matches stays small, and
// knows which of them have been played before.
func TestArchiveIsSmall(t *testing.T) {
	const matches, most = 20_000, 300 // bytes each
	archive, err := Open(filepath.Join(t.TempDir(), record.ResultsFile))
	if err != nil {
		t.Fatal(err)
	}
	before := heap()
	r := record.Record{Game: protocoltest.Sum().Name, Case: record.Case{Text: "1\n1"}}
	for n := range matches {
		r.Case.Name = fmt.Sprint("case-", n)
		r.Case.Text = fmt.Sprintf("1\n%d", n)
		r.Seats = []record.Seat{{Bot: fmt.Sprint("bot-", n%300), Verdict: "ok", Digest: "d"}, {Bot: fmt.Sprint("bot-", n%299), Verdict: "illegal", Digest: "e"}}
		r.ID = r.Identity()
		if err := archive.Add(r, []byte("{}\n")); err != nil {
			t.Fatal(err)
		}
	}
	if each := (heap() - before) / matches; each > most {
		t.Errorf("found %d bytes a match, expected at most %d", each, most)
	}
	if n := archive.Next(r); n != 2 {
		t.Errorf("played again: found repetition %d, expected 2", n)
	}
	if n := archive.Next(r); n != 3 {
		t.Errorf("played a third time: found repetition %d, expected 3", n)
	}
	if n := len(archive.entries); n != matches {
		t.Errorf("found %d matches, expected %d", n, matches)
	}
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
