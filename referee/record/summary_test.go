package record

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

const briefSample = `{"v":1,"id":"0c1f18bbb1a77251","game":"ioiwari","umpire":"0.1.0","started":"2026-11-21T01:45:06.136Z","wall_us":8379,"isolation":"none","repetition":1,"case":{"name":"official/01","group":"official","points":4,"text":"4 4 4 2 2 2 2"},"limits":{"time_us":1000000,"move_us":0,"start_us":0,"clock":"wall","memory_bytes":268435456},"seats":[{"bot":"@greedy","digest":"fe","house":false,"verdict":"ok","detail":"","score":7,"place":2,"wall_us":4853,"cpu_us":3967,"charged_us":4853,"peak_bytes":0,"replies":4,"stderr":"a \"b\" \\"},{"bot":"bo\u0062","digest":"04","house":false,"verdict":"foul","detail":"","score":-13,"place":1,"wall_us":82,"cpu_us":3068,"charged_us":82,"peak_bytes":6217728,"replies":3,"stderr":""}],"events":[{"seat":1,"reply":"6","wall_us":4742,"cpu_us":2108,"wait_us":3577},{"seat":2,"reply":"3","wall_us":51,"cpu_us":19,"wait_us":0},{"seat":1,"reply":"2","wall_us":13,"cpu_us":6,"wait_us":0},{"seat":2,"fail":"time","detail":"x","wall_us":900,"cpu_us":4,"wait_us":0}],"error":""}`

func TestScan(t *testing.T) {
	var s Scanner
	var b Summary
	if err := s.Scan([]byte(briefSample), &b); err != nil {
		t.Fatal(err)
	}
	want := []SummarySeat{
		{Bot: "@greedy", Digest: "fe", Verdict: "ok", Score: 7, Place: 2, Replies: 4, WallUS: 4853, SlowestUS: 4742},
		{Bot: "bob", Digest: "04", Verdict: "foul", Score: -13, Place: 1, Replies: 3, WallUS: 82, SlowestUS: 900, RanOut: true, Late: 1},
	}
	if fmt.Sprint(b.Seats) != fmt.Sprint(want) || b.Game != "ioiwari" || b.Failed {
		t.Errorf("found %+v, expected %+v", b, want)
	}
	if b.Key != Key("0c1f18bbb1a77251", "@greedy", "bob") {
		t.Error("the key is not that of id and names")
	}
	again := b
	for _, change := range []struct {
		from, to   string
		key, block bool // stay the same
	}{
		{`"bot":"@greedy"`, `"bot":"carl"`, false, true},
		{`"id":"0`, `"id":"1`, false, true},
		{`"4 4 4 2`, `"4 4 4 3`, true, false},
		{`"repetition":1`, `"repetition":2`, true, false},
		{`"repetition":1,`, ``, true, true},
		{`"time_us":1000000`, `"time_us":2000000`, true, false},
		{`"score":7`, `"score":8`, true, true},
	} {
		if err := s.Scan([]byte(strings.Replace(briefSample, change.from, change.to, 1)), &b); err != nil {
			t.Fatal(err)
		}
		if (b.Key == again.Key) != change.key || (b.PairingKey == again.PairingKey) != change.block {
			t.Errorf("%s for %s: key the same %v, block the same %v", change.to, change.from, b.Key == again.Key, b.PairingKey == again.PairingKey)
		}
	}
	for _, wrong := range []string{`{}`, `{"game":"x"}`, `{"game":"x","seats":[{}]}`, `[]`, `nonsense`, briefSample + "x", briefSample[:200]} {
		if err := s.Scan([]byte(wrong), &b); err == nil {
			t.Errorf("%.30s: no error", wrong)
		}
	}
	if err := s.Scan([]byte(`{"game":"x","seats":[{}],"error":"no"}`), &b); err != nil || !b.Failed || b.Key != 0 {
		t.Errorf("a failed one: %v, %+v", err, b)
	}
	crashed := strings.Replace(briefSample, `"fail":"time"`, `"fail":"crash"`, 1)
	if err := s.Scan([]byte(crashed), &b); err != nil || b.Seats[1].SlowestUS != 51 || b.Seats[1].Late != 0 || b.Seats[1].LostUS != 900 {
		t.Errorf("a crash: %v, %+v", err, b)
	}
	late := `{"events":[{"seat":1,"reply":"","wall_us":9}],"game":"x","id":null,"seats":[{"place":1}]}`
	if err := s.Scan([]byte(late), &b); err != nil || b.Seats[0].SlowestUS != 9 {
		t.Errorf("events before seats: %v, %+v", err, b)
	}
}

// FuzzScan: a brief is made of just those lines that are read as records and
// have seats and a result, and says the same as the record.
func FuzzScan(f *testing.F) {
	f.Add([]byte(briefSample))
	f.Add([]byte(`{"game":"x","seats":[{"place":1}],"events":[{"seat":1,"wall_us":3}]}`))
	f.Add([]byte(`{"limits":{"a":[1,2.5e3,true,null,{}],"clock":"cpu"},"game":"\u00e9","seats":[null],"error":"x"}`))
	f.Add([]byte(`{"game":"x","seats":[{"score":-0,"place":1,"Score":7,"place":2}]}`))
	f.Add([]byte(`{"game":"x","seat\u0073":[{"place":1e0,"x":01,"y":"\ud800"}],"case":{"points":1e999}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		var s Scanner
		var b Summary
		r, err := Line{Bytes: line}.Record()
		if err == nil && !json.Valid(line) {
			t.Fatalf("took %q, which is not JSON", line)
		}
		if check(line) == nil && err != nil {
			t.Fatalf("%q is in the form of a record, but %v", line, err)
		}
		usable := err == nil && r.Game != "" && len(r.Seats) > 0
		for _, seat := range r.Seats {
			usable = usable && (seat.Place > 0 || r.Error != "")
		}
		if err := s.Scan(line, &b); usable != (err == nil) {
			t.Fatalf("%q: the record is of use: %v; the brief: %v", line, usable, err)
		}
		if !usable {
			return
		}
		var bots []string
		for i, seat := range r.Seats {
			bots = append(bots, seat.Bot)
			want := b.Seats[i] // for what the events say
			want.Bot, want.Digest, want.Verdict = seat.Bot, seat.Digest, seat.Verdict
			if want.Detail = ""; seat.Verdict == "compile" {
				want.Detail = seat.Detail
			}
			want.Score, want.Place, want.Replies, want.WallUS = seat.Score, seat.Place, seat.Replies, seat.WallUS
			if b.Seats[i] != want {
				t.Errorf("%q: seat %d is %+v, expected %+v", line, i+1, b.Seats[i], want)
			}
		}
		if b.Game != r.Game || b.Failed != (r.Error != "") || len(b.Seats) != len(r.Seats) || (b.Key != 0) != (r.ID != "") ||
			r.ID != "" && b.Key != Key(r.ID, bots...) {
			t.Errorf("%q gives %+v", line, b)
		}
	})
}

// TestBriefs: the briefs come in order, whatever the number of goroutines, and
// errors name their lines.
func TestBriefs(t *testing.T) {
	var file strings.Builder
	const n = 3000
	for i := range n {
		fmt.Fprintf(&file, "%s\n", strings.Replace(briefSample, `"score":7`, fmt.Sprintf(`"score":%d`, i), 1))
		if i%100 == 0 {
			file.WriteString("\n")
		}
	}
	for _, jobs := range []int{1, 2, 7} {
		next := 0
		torn, err := Summaries("f", strings.NewReader(file.String()+briefSample[:300]), jobs, func(b *Summary) error {
			if b.Seats[0].Score != next {
				t.Fatalf("%d jobs: found record %d, expected %d", jobs, b.Seats[0].Score, next)
			}
			next++
			return nil
		})
		if next != n || !torn || err != nil {
			t.Errorf("%d jobs: %d records, torn %v, error %v", jobs, next, torn, err)
		}
		_, err = Summaries("f", strings.NewReader(file.String()+"{}\n"+file.String()), jobs, func(*Summary) error { return nil })
		if want := fmt.Sprintf("f:%d: not a match record: found no game", n+n/100+1); err == nil || err.Error() != want {
			t.Errorf("%d jobs: error %v, expected %s", jobs, err, want)
		}
		wrong := fmt.Errorf("enough")
		if _, err = Summaries("f", strings.NewReader(file.String()), jobs, func(*Summary) error { return wrong }); err != wrong {
			t.Errorf("%d jobs: error %v, expected %v", jobs, err, wrong)
		}
	}
	if torn, err := Summaries("f", strings.NewReader(briefSample), 1, func(*Summary) error { return nil }); torn || err != nil {
		t.Errorf("a whole last line without a newline: torn %v, %v", torn, err)
	}
}

func BenchmarkScan(b *testing.B) {
	var s Scanner
	var brief Summary
	briefSample := []byte(strings.ReplaceAll(strings.Replace(briefSample, "bo\\u0062", "bob", 1), `a \"b\" \\`, ""))
	b.SetBytes(int64(len(briefSample)))
	b.ReportAllocs()
	for b.Loop() {
		if err := s.Scan(briefSample, &brief); err != nil {
			b.Fatal(err)
		}
	}
}
