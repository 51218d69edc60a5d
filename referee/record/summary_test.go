package record

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/referee/testlevel"
)

const summarySample = `{"v":1,"id":"0c1f18bbb1a77251","game":"ioiwari","umpire":"0.1.0","started":"2026-11-21T01:45:06.136Z","wall_us":8379,"isolation":"none","repetition":1,"case":{"name":"official/01","group":"official","points":4,"text":"4 4 4 2 2 2 2"},"limits":{"time_us":1000000,"move_us":0,"start_us":0,"clock":"wall","memory_bytes":268435456},"seats":[{"bot":"@greedy","digest":"fe","house":false,"verdict":"ok","detail":"","score":7,"place":2,"wall_us":4853,"cpu_us":3967,"charged_us":4853,"peak_bytes":0,"replies":4,"stderr":"a \"b\" \\"},{"bot":"bo\u0062","digest":"04","house":false,"verdict":"foul","detail":"","score":-13,"place":1,"wall_us":82,"cpu_us":3068,"charged_us":82,"peak_bytes":6217728,"replies":3,"stderr":""}],"events":[{"seat":1,"reply":"6","wall_us":4742,"cpu_us":2108,"wait_us":3577},{"seat":2,"reply":"3","wall_us":51,"cpu_us":19,"wait_us":0},{"seat":1,"reply":"2","wall_us":13,"cpu_us":6,"wait_us":0},{"seat":2,"fail":"time","detail":"x","wall_us":900,"cpu_us":4,"wait_us":0}],"error":""}`

func TestScan(t *testing.T) {
	var s Scanner
	var b Summary
	must(t, s.Scan([]byte(summarySample), &b))
	want := []SummarySeat{
		{Bot: "@greedy", Digest: "fe", Verdict: "ok", Score: protocols.Points(7), Place: 2, Replies: 4, WallUS: 4853, SlowestUS: 4742},
		{Bot: "bob", Digest: "04", Verdict: "foul", Score: protocols.Points(-13), Place: 1, Replies: 3, WallUS: 82, SlowestUS: 900, RanOut: true, Late: 1},
	}
	if fmt.Sprint(b.Seats) != fmt.Sprint(want) || b.Game != "ioiwari" || b.Failed {
		t.Errorf("found %+v, expected %+v", b, want)
	}
	if b.Key != Key("0c1f18bbb1a77251", "@greedy", "bob") {
		t.Error("the key is not that of id and names")
	}
	again := b
	for _, change := range []struct {
		from, to  string
		key, deal bool // stay the same
		play      bool
	}{
		{`"bot":"@greedy"`, `"bot":"carl"`, false, true, true},
		{`"id":"0`, `"id":"1`, false, true, true},
		{`"4 4 4 2`, `"4 4 4 3`, true, false, true},
		{`"repetition":1`, `"repetition":2`, true, true, true},
		{`"repetition":1,`, ``, true, true, true},
		{`"repetition":1`, `"seed":"7","repetition":1`, true, false, true},
		{`"repetition":1`, `"seed":"0","repetition":1`, true, true, true},
		{`"repetition":1`, `"seed":"0","talk":"say 1 six","repetition":1`, true, true, true},
		{`"repetition":1`, `"talk":"say 1 six","seed":"7","repetition":1`, true, false, false},
		{`"time_us":1000000`, `"time_us":2000000`, true, false, true},
		{`"score":7`, `"score":8`, true, true, true},
		{`"reply":"6"`, `"reply":"5"`, true, true, false},
		{`"reply":"6"`, `"reply":"\t06 \r"`, true, true, true},
		{`"reply":"6"`, `"reply":"\u0036"`, true, true, true},
		{`"reply":"6"`, `"reply":"60"`, true, true, false},
		{`"fail":"time"`, `"reply":"time"`, true, true, false},
		{`"seat":2,"reply":"3"`, `"seat":1,"reply":"3"`, true, true, false},
		{`"fail":"time"`, `"fail":"idle"`, true, true, false},
		{`"wall_us":51`, `"wall_us":52`, true, true, true},
	} {
		must(t, s.Scan([]byte(strings.Replace(summarySample, change.from, change.to, 1)), &b))
		if (b.Key == again.Key) != change.key || (b.Deal() == again.Deal()) != change.deal || (b.Play == again.Play) != change.play {
			t.Errorf("%s for %s: key the same %v, deal the same %v, play the same %v", change.to, change.from,
				b.Key == again.Key, b.Deal() == again.Deal(), b.Play == again.Play)
		}
		if strings.Contains(change.to, "seed") && b.PairingKey != again.PairingKey {
			t.Errorf("%s for %s: another case", change.to, change.from)
		}
	}
	own := func(replies, reply, score string) uint64 {
		facts := `"package":{"format":"umpire","digest":"d","facts":{"min_seats":2,"max_seats":2,"replies":"` + replies + `"}},"seats"`
		line := strings.NewReplacer(`"seats"`, facts, `"reply":"6"`, `"reply":"`+reply+`"`, `"score":7`, `"score":`+score).Replace(summarySample)
		must(t, s.Scan([]byte(line), &b))
		return b.Play
	}
	if own("", "6", "7") != own("", "6 ", "7") || own("", "6", "7") == own("", "6 ", "8") || own("bytes", "6", "7") == own("bytes", "6 ", "7") {
		t.Error("an own game: replies are not told apart as its judge reads them")
	}
	for _, wrong := range []string{`{}`, `{"game":"x"}`, `{"game":"x","seats":[{}]}`, `[]`, `nonsense`, summarySample + "x", summarySample[:200]} {
		if err := s.Scan([]byte(wrong), &b); err == nil {
			t.Errorf("%.30s: no error", wrong)
		}
	}
	if err := s.Scan([]byte(`{"game":"x","seats":[{}],"error":"no"}`), &b); err != nil || !b.Failed || b.Key != 0 {
		t.Errorf("a failed one: %v, %+v", err, b)
	}
	crashed := strings.Replace(summarySample, `"fail":"time"`, `"fail":"crash"`, 1)
	if err := s.Scan([]byte(crashed), &b); err != nil || b.Seats[1].SlowestUS != 51 || b.Seats[1].Late != 0 || b.Seats[1].LostUS != 900 {
		t.Errorf("a crash: %v, %+v", err, b)
	}
	late := `{"events":[{"seat":1,"reply":"","wall_us":9}],"game":"x","id":null,"seats":[{"place":1}]}`
	if err := s.Scan([]byte(late), &b); err != nil || b.Seats[0].SlowestUS != 9 {
		t.Errorf("events before seats: %v, %+v", err, b)
	}
	void := `{"voids":[{"cause":"machine","seat":1,"detail":"x"},{"cause":"memory"}],"game":"x","seats":[{"place":1}]}`
	checkScan(t, []byte(void))
	if err := s.Scan([]byte(void), &b); err != nil || len(b.Seats[0].Voided) != 1 || b.Seats[0].Voided["machine"] != 1 {
		t.Errorf("voids: %v, %+v", err, b)
	}
}

// checkScan fails the test unless a line is scanned just if it is read as a record
// with seats and a result, and what is scanned is what encoding/json reads.
func checkScan(t *testing.T, line []byte) {
	t.Helper()
	var s Scanner
	var b Summary
	r, err := Line{Bytes: line}.Record()
	if err == nil && !json.Valid(line) {
		t.Fatalf("took %q, which is not JSON", line)
	}
	if (Line{Bytes: line}).inForm() && err != nil {
		t.Fatalf("%q is in the form of a record, but %v", line, err)
	}
	var want Record
	if werr := json.Unmarshal(line, &want); err == nil && (werr != nil || !reflect.DeepEqual(r, want)) {
		t.Fatalf("%q: found %+v, encoding/json reads %+v, %v", line, r, want, werr)
	}
	usable := err == nil && r.Game != "" && len(r.Seats) > 0 && !lacksOutcome(line)
	for _, seat := range r.Seats {
		usable = usable && (seat.Place > 0 || r.Error != "")
	}
	if err := s.Scan(line, &b); usable != (err == nil) {
		t.Fatalf("%q: the record is of use: %v; the summary: %v", line, usable, err)
	}
	if !usable {
		return
	}
	if b.Game != r.Game || b.Case != r.Case.Name || b.Failed != (r.Error != "") || b.Key != r.Key() || len(b.Seats) != len(r.Seats) {
		t.Fatalf("%q: found %+v, encoding/json reads %+v", line, b, r)
	}
	for i, seat := range r.Seats {
		want := SummarySeat{Bot: seat.Bot, Digest: seat.Digest, Verdict: seat.Verdict, Score: seat.Score, Place: seat.Place, Replies: seat.Replies, WallUS: seat.WallUS}
		if seat.Verdict == "compile" {
			want.Detail = seat.Detail
		}
		for _, e := range r.Events {
			late := e.Fail == "time"
			switch {
			case e.Seat != i+1:
			case e.Fail != "" && !late:
				want.LostUS += e.WallUS
			default:
				if late && e.WallUS > 0 {
					want.Late++
				}
				if e.WallUS > want.SlowestUS {
					want.SlowestUS, want.RanOut = e.WallUS, late
				}
			}
		}
		for _, v := range r.Voids {
			if v.Seat == i+1 {
				if want.Voided == nil {
					want.Voided = make(map[string]int)
				}
				want.Voided[v.Cause]++
			}
		}
		if !reflect.DeepEqual(b.Seats[i], want) {
			t.Fatalf("%q: seat %d is %+v, encoding/json reads %+v", line, i+1, b.Seats[i], want)
		}
	}
}

// lacksOutcome reports whether encoding/json finds that umpire has written a line,
// and that a seat's outcome is not all there.
func lacksOutcome(line []byte) bool {
	var r struct {
		V             int
		Umpire, Error string
		Seats         []struct {
			Verdict               *string
			Score, Place, Replies *int
		}
	}
	_ = json.Unmarshal(line, &r)
	for _, s := range r.Seats {
		if s.Verdict == nil || *s.Verdict == "" || s.Score == nil || s.Place == nil || s.Replies == nil {
			return r.V > 0 && r.Umpire != "" && r.Error == ""
		}
	}
	return false
}

// oddPieces are pieces of JSON that are easily taken for something else.
var oddPieces = []string{
	" ", "\t", "0", "00", "-0", "-", "1e3", "1.0", "999999999999", "1000000000000", "9999999999999", "18446744073709551617", "17", "16", "null", "true",
	`"`, `\`, `\"`, `\u0041`, `\ud800`, "\x00", "\x1f", "\x7f", "\xff", "é", "\u2028", "{", "}", "[", "]", ",", ":", `"seat":`, `"Seat":`, `"seat":1,`,
	`"wall_us":7,`, `"x":{"y":[1]},`, `{"seat":1,"reply":"","wall_us":1,"cpu_us":1,"wait_us":1},`, `,"charged_us":5`, `,"charged_us":null`, `"reply":null,`,
	`"fail":"time",`, `"events":[],`, "\n", "\r", "\ufeff",
}

// TestDamagedLines puts odd pieces at every few bytes of a line, and cuts it off
// there.
func TestDamagedLines(t *testing.T) {
	for i := 0; i < len(summarySample); i += testlevel.Times(71, 7, 7) {
		for _, piece := range oddPieces {
			checkScan(t, []byte(summarySample[:i]+piece+summarySample[i:]))
			checkScan(t, []byte(summarySample[:i]+piece+summarySample[i+1:]))
			checkScan(t, []byte(summarySample[:i]+piece))
		}
	}
}

// TestFlippedBits: a line of which one bit is wrong is refused, or read as
// encoding/json reads it.
func TestFlippedBits(t *testing.T) {
	line := []byte(summarySample)
	for i := 0; i < len(line); i += testlevel.Times(11, 1, 1) {
		for bit := range 8 {
			line[i] ^= 1 << bit
			checkScan(t, line)
			line[i] ^= 1 << bit
		}
	}
}

// FuzzScan: see checkScan.
func FuzzScan(f *testing.F) {
	f.Add([]byte(summarySample))
	f.Add([]byte(`{"game":"x","seats":[{"place":1}],"events":[{"seat":1,"wall_us":3}]}`))
	f.Add([]byte(`{"limits":{"a":[1,2.5e3,true,null,{}],"clock":"cpu"},"game":"\u00e9","seats":[null],"error":"x"}`))
	f.Add([]byte(`{"game":"x","seats":[{"score":-0,"place":1,"Score":7,"place":2}]}`))
	f.Add([]byte(`{"game":"x","seat\u0073":[{"place":1e0,"x":01,"y":"\ud800"}],"case":{"points":1e999}}`))
	for _, piece := range oddPieces {
		f.Add([]byte(strings.Replace(summarySample, `"reply"`, piece+`"reply"`, 1)))
	}
	f.Fuzz(checkScan)
}

// TestSummaries: the summaries come in order, whatever the number of goroutines, and
// errors name their lines.
func TestSummaries(t *testing.T) {
	var file strings.Builder
	n := testlevel.Times(1000, 3000, 3000)
	for i := range n {
		fmt.Fprintf(&file, "%s\n", strings.Replace(summarySample, `"score":7`, fmt.Sprintf(`"score":%d`, i), 1))
		if i%100 == 0 {
			file.WriteString("\n")
		}
	}
	for _, jobs := range []int{1, 2, 7} {
		next := 0
		torn, err := Summaries("f", strings.NewReader(file.String()+summarySample[:300]), jobs, func(b *Summary) error {
			if b.Seats[0].Score != protocols.Points(next) {
				t.Fatalf("%d jobs: found record %v, expected %d", jobs, b.Seats[0].Score, next)
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
	if torn, err := Summaries("f", strings.NewReader(summarySample), 1, func(*Summary) error { return nil }); torn || err != nil {
		t.Errorf("a whole last line without a newline: torn %v, %v", torn, err)
	}
}

func BenchmarkScan(b *testing.B) {
	var s Scanner
	var summary Summary
	summarySample := []byte(strings.ReplaceAll(strings.Replace(summarySample, "bo\\u0062", "bob", 1), `a \"b\" \\`, ""))
	b.SetBytes(int64(len(summarySample)))
	b.ReportAllocs()
	for b.Loop() {
		must(b, s.Scan(summarySample, &summary))
	}
}
