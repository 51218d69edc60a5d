package tournament

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/record"
	"umpire/referee/strength"
)

// drawer is a Runner whose matches are draws from the bots' strengths, the same for the
// same match, and end in any order.
type drawer struct {
	rng    *rand.Rand
	alike  bool // repetitions of a case are alike
	most   int  // matches that are played; then it is interrupted
	played []string
}

var errInterrupted = fmt.Errorf("interrupted")

func (d *drawer) Run(_ context.Context, fixtures iter.Seq[arena.Fixture], done func(int, record.Record) error) error {
	list := slices.Collect(fixtures)
	for _, n := range d.rng.Perm(len(list)) {
		if d.most--; d.most < 0 {
			return errInterrupted
		}
		f := list[n]
		r := f.Record()
		a, b := f.Seats[0].Bot, f.Seats[1].Bot
		repetition := f.Repetition
		if d.alike {
			repetition = 1
		}
		luck := rand.New(rand.NewPCG(uint64(a[0])<<8|uint64(b[0]), uint64(f.Case.Name[0])<<16|uint64(repetition)))
		places := []int{1, 2}
		if luck.Float64() < 0.5+0.2*float64(int(a[0])-int(b[0])) { // lower numbers are stronger
			places = []int{2, 1}
		}
		reply := fmt.Sprint(luck.Uint64())
		r.Events = []record.Event{{Seat: 1, Reply: &reply}}
		for i := range r.Seats {
			r.Seats[i].Verdict, r.Seats[i].Place = "ok", places[i]
		}
		d.played = append(d.played, fmt.Sprint(a, " ", b, " ", f.Case.Name, " ", f.Repetition))
		if err := done(n, r); err != nil {
			return err
		}
	}
	return nil
}

// untilRun makes a run of bots, each stronger than the next.
func untilRun(t *testing.T, bots, cases int, goal string) (*Run, *[]Look) {
	t.Helper()
	var texts []string
	var list []arena.Fixture
	for i := range cases {
		texts = append(texts, string(rune('a'+i)))
		list = append(list, arena.Fixture{Game: "ioiwari", Case: record.Case{Name: texts[i], Text: texts[i]}})
	}
	plan, err := Config{Until: goal}.Plan(bots, 2, texts, protocols.ByWins)
	must(t, err)
	var ids []referee.Identity
	for i := range bots {
		ids = append(ids, referee.Identity{Name: strconv.Itoa(i), Digest: strconv.Itoa(i)})
	}
	run, looks := NewRun(plan, ids, list), &[]Look{}
	run.Decided = func(l Look) error { *looks = append(*looks, l); return nil }
	return run, looks
}

// play plays a run, and returns its records.
func play(t *testing.T, run *Run, d *drawer) (list []record.Record, err error) {
	t.Helper()
	run.Runner = d
	run.Store = func(r record.Record) ([]byte, error) { list = append(list, r); return json.Marshal(r) }
	return list, run.Play(t.Context())
}

// TestUntilResumes: what is played depends neither on the order in which matches end nor on
// interruptions, and is followed where it is recorded.
func TestUntilResumes(t *testing.T) {
	run, looks := untilRun(t, 4, 5, "sure")
	whole := &drawer{rng: rand.New(rand.NewPCG(1, 1)), most: 1 << 30}
	all, err := play(t, run, whole)
	if d, pairs := run.Ended(); err != nil || d != strength.Decided || 2*pairs != len(all) || len(run.Order().Tied()) > 0 {
		t.Fatalf("found %q after %d pairs and %d matches: %v", d, pairs, len(all), err)
	}
	var played []string
	var lines []record.Record
	var recorded []Look
	for start := 0; ; start++ {
		run, more := untilRun(t, 4, 5, "sure")
		run.Record(recorded)
		for _, r := range lines {
			line, err := json.Marshal(r)
			must(t, err)
			var scan record.Scanner
			var b record.Summary
			must(t, scan.Scan(line, &b))
			must(t, run.AddPlayed(&b))
		}
		part := &drawer{rng: rand.New(rand.NewPCG(2, uint64(start))), most: 37}
		list, err := play(t, run, part)
		played, lines, recorded = append(played, part.played...), append(lines, list...), append(recorded, *more...)
		if err == nil {
			break
		}
		if err != errInterrupted || start > 100 {
			t.Fatalf("start %d: %v", start, err)
		}
	}
	slices.Sort(played)
	slices.Sort(whole.played)
	if !slices.Equal(played, whole.played) {
		t.Errorf("in parts %d matches were played, at once %d, or others", len(played), len(whole.played))
	}
	if len(recorded) != len(*looks) {
		t.Errorf("in parts %d decisions were recorded, at once %d", len(recorded), len(*looks))
	}
}

// TestUntilRepeats: bots that play the same again on all cases have no more pairs to play.
func TestUntilRepeats(t *testing.T) {
	run, looks := untilRun(t, 3, 6, "10elo")
	all, err := play(t, run, &drawer{rng: rand.New(rand.NewPCG(1, 1)), alike: true, most: 1 << 30})
	if d, _ := run.Ended(); err != nil || d != strength.Undecided {
		t.Fatalf("found %q: %v", d, err)
	}
	if most := 2 * 3 * (6 + probes); len(all) > most {
		t.Errorf("found %d matches, expected at most %d", len(all), most)
	}
	other, _ := untilRun(t, 3, 6, "10elo")
	wrong := (*looks)[1]
	wrong.Next = [][3]int{{0, 3, 1}}
	other.Record([]Look{(*looks)[0], wrong})
	if _, err := play(t, other, &drawer{rng: rand.New(rand.NewPCG(1, 1)), most: 1 << 30}); err == nil {
		t.Error("found no error for a decision about a bot that is not there")
	}
}

// TestLooksFile: a line that was cut off is dropped, and replaced by the next one.
func TestLooksFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, LooksFile)
	for n := range 3 {
		must(t, AddLook(dir, Look{Played: n, Next: [][3]int{{0, 1, 1}}}))
		text, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(name, append(text, []byte(`{"bots":"a much longer line than the next`+string(bytes.Repeat([]byte("!"), 300)))...), 0o600)
		}
		must(t, err)
		if looks, err := ReadLooks(dir); err != nil || len(looks) != n+1 || looks[n].Played != n {
			t.Fatalf("found %v: %v", looks, err)
		}
	}
	must(t, os.WriteFile(name, []byte("{}\n{\n"), 0o600))
	if _, err := ReadLooks(dir); err == nil {
		t.Error("found no error in a broken line")
	}
}
