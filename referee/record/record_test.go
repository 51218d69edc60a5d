package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
	"umpire/referee"
	"umpire/referee/testlevel"
)

var toys = []protocols.Game{protocoltest.Sum(), protocoltest.Morra(), protocoltest.Relay()}

// sample is the record of a match of Relay in which seat 1 sends bytes that are
// no UTF-8 and seat 3 is late.
func sample(t testing.TB) Record {
	t.Helper()
	g := protocoltest.Relay()
	c, err := g.Parse("100\n7")
	must(t, err)
	limits := protocols.Limits{Time: time.Second, Startup: time.Second, Memory: 64 << 20}
	ms := time.Millisecond
	setup := referee.Setup{Case: c, Seats: 3, Limits: limits}
	played, err := setup.Replay([]referee.Event{
		{Seat: 1, Reply: "ro\xffl", Wall: 3 * ms},
		{Seat: 2, Reply: "hold", Wall: 1100 * ms, CPU: 5 * ms, Wait: ms},
		{Seat: 2, Reply: "roll", Wall: 2 * ms},
		{Seat: 2, Reply: "hold", Wall: 2 * ms},
		{Seat: 3, Fail: &protocols.Failure{Kind: protocols.KindTime, Detail: "late"}},
	}, referee.Watcher{})
	must(t, err)
	played.Seats[0].Usage = referee.Usage{Stderr: []byte("tr\xffce"), Memory: 12345, CPU: 7 * ms}
	r := Record{
		Game: g.Name, Umpire: "0", Isolation: "none", Case: Case{Name: "x/1", Group: "x", Points: 2, Text: c.String()},
		Limits: NewLimits(limits, ""), Seats: []Seat{{Bot: "a", Digest: "1"}, {Bot: "b", Digest: "2"}, {Bot: "c", Digest: "3", House: true}},
	}
	r.CPUs = 2
	r.Finish(played, nil, time.Date(2026, 1, 2, 15, 4, 5, 678_900_000, time.UTC), 1200*ms)
	return r
}

func us(n int64) *int64 { return &n }

func encode(t testing.TB, v any) Line {
	t.Helper()
	b, err := json.Marshal(v)
	must(t, err)
	return Line{File: "f", Number: 1, Bytes: b, Whole: true}
}

func TestRecordForm(t *testing.T) {
	got := string(encode(t, sample(t)).Bytes)
	for _, want := range []string{
		`"v":1,"id":"`, `"started":"2026-01-02T15:04:05.678Z"`, `"wall_us":1200000`, `"cpus":2`,
		`"case":{"name":"x/1","group":"x","points":2,"text":"100\n7"}`,
		`"limits":{"time_us":1000000,"move_us":0,"start_us":1000000,"clock":"wall","memory_bytes":67108864}`,
		`{"bot":"a","digest":"1","house":false,"verdict":"foul","detail":"`,
		`{"seat":1,"reply_b64":"cm//bA==","wall_us":3000,"cpu_us":0,"wait_us":0`,
		`{"seat":2,"reply":"hold","wall_us":1100000,"cpu_us":5000,"wait_us":1000,"charged_us":100000}`,
		`{"seat":3,"fail":"time","detail":"late"`,
		`"stderr":"tr�ce"`, `"error":""`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("found no %s in\n%s", want, got)
		}
	}
}

func TestVerifyAccepts(t *testing.T) {
	r := sample(t)
	for name, line := range map[string]Line{
		"own": encode(t, r),
		"by hand": {Bytes: []byte(`{"game":"morra","case":{"text":"1 1"},"seats":[{},{}],` +
			`"events":[{"seat":1,"reply":"1"},{"seat":2,"reply":"2"}]}`)},
		"umpire's error": {Bytes: []byte(`{"game":"morra","case":{"text":"1 1"},"seats":[{},{}],"events":[],"error":"x"}`)},
	} {
		judged, err := Verify(line, toys)
		if err != nil || !judged.Valid {
			t.Errorf("%s: %+v, error %v", name, judged, err)
		}
	}
	older := sample(t)
	older.Seats[0].Detail = `sent "ro\xffl", expected roll or hold`
	if judged, _ := Verify(encode(t, older), toys); !judged.Valid {
		t.Errorf("a detail in former words: %+v", judged)
	}
	waited := sample(t)
	waited.Events[1].ChargedUS = us(99_000)
	waited.Seats[1].ChargedUS -= 1000
	if judged, err := Verify(encode(t, waited), toys); err != nil || !judged.Valid {
		t.Errorf("a wait that is not charged: why %q, error %v", judged.Why, err)
	}
	judged, _ := Verify(encode(t, r), toys)
	want := []SeatVerification{{Score: protocols.Points(0), Place: 3, Verdict: "foul"}, {Score: r.Seats[1].Score, Place: 1, Verdict: "ok"}, {Score: protocols.Points(0), Place: 2, Verdict: "time"}}
	if diff := cmp.Diff(want, judged.Seats); diff != "" {
		t.Errorf("recomputed (-want +got):\n%s", diff)
	}
}

// TestVerifyNamesTheField changes one field at a time.
func TestVerifyNamesTheField(t *testing.T) {
	for want, change := range map[string]func(r *Record){
		"seats[1].score":      func(r *Record) { r.Seats[1].Score = r.Seats[1].Score.Plus(protocols.Points(1)) },
		"seats[2].place":      func(r *Record) { r.Seats[2].Place = 1 },
		"seats[0].verdict":    func(r *Record) { r.Seats[0].Verdict = "ok" },
		"seats[0].detail":     func(r *Record) { r.Seats[0].Detail = "nothing" },
		"seats[1].replies":    func(r *Record) { r.Seats[1].Replies = 9 },
		"seats[1].wall_us":    func(r *Record) { r.Seats[1].WallUS = 5 },
		"seats[1].charged_us": func(r *Record) { r.Seats[1].ChargedUS = 5 },
		"events[2].wall_us":   func(r *Record) { r.Events[2].WallUS = 950_000; r.Seats[1].WallUS = 0 },
		"events[0]":           func(r *Record) { r.Events[0].ReplyB64 = nil },
		"events[1]":           func(r *Record) { r.Events[1].Seat = 3 },
		"events[4]":           func(r *Record) { r.Events[4].Fail = "foul" },
		"events:":             func(r *Record) { r.Events = r.Events[:3] },
		"events[5]":           func(r *Record) { r.Events = append(r.Events, r.Events[1]) },
		"case.text":           func(r *Record) { r.Case.Text = "1000\n7" },
		"seats:":              func(r *Record) { r.Seats = r.Seats[:1] },
		"game":                func(r *Record) { r.Game = "chess" },
		"id":                  func(r *Record) { r.ID = "0" },
		"seats[1].peak_bytes": func(r *Record) { r.Seats[1].PeakBytes = 64<<20 + 1 },
		"events[1].charged_us: found 1, its time gives 100000": func(r *Record) { r.Events[1].ChargedUS = us(1) },
		"events[1].charged_us: found 98000, its time gives 100000": func(r *Record) {
			r.Events[1].ChargedUS = us(98_000) // it waited for 1,000
		},
		"events[2].charged_us: found 3000, its time gives 2000": func(r *Record) { r.Events[2].ChargedUS = us(3000) },
		"scale: found 3, expected 0.5 to 2":                     func(r *Record) { r.Scale = 3 },
		"events[2].charged_us: 269000 are charged, limits.move_us, times scale 0.5, allows 200000": func(r *Record) {
			r.Limits.Pondering, r.Limits.TimeUS, r.Limits.StartUS, r.Limits.MoveUS, r.Scale, r.Events[2].ChargedUS = "charge", 0, 2e6, 400_000, 0.5, us(269_000)
		},
		"events[2].charged_us: 1000001 are charged in all, limits.time_us allows 1000000": func(r *Record) {
			r.Limits.Pondering, r.Events[2].ChargedUS = "charge", us(900_001)
		},
		"events[2].charged_us: 269000 are charged, limits.move_us allows 200000": func(r *Record) {
			r.Limits.Pondering, r.Limits.MoveUS, r.Events[2].ChargedUS = "charge", 200_000, us(269_000)
		},
		"events[2].cpu_us: 1500000 are charged in all": func(r *Record) {
			r.Limits.Clock = "cpu"
			r.Events[1].ChargedUS, r.Events[2].CPUUS = nil, 1_500_000
		},
		"started": func(r *Record) { r.Started = "yesterday" },
		"voids[0].seat: found 4, expected 1 to 3":                          func(r *Record) { r.Voids = []Void{{Cause: "stall", Seat: 4}} },
		"seats[2].cpu_us: found one, expected none of a human player":      func(r *Record) { r.Seats[2].Kind, r.Seats[2].CPUUS = KindHuman, 1 },
		"seats[2].peak_bytes: found one, expected none of a remote player": func(r *Record) { r.Seats[2].Kind, r.Seats[2].PeakBytes = KindRemote, 1 },
		"seats[2].stderr: found one, expected none of a remote player":     func(r *Record) { r.Seats[2].Kind, r.Seats[2].StderrAfter = KindRemote, "x" },
		"case.points: found -1, expected 0 or more":                        func(r *Record) { r.Case.Points = -1 },
		"events[2].stall_us: found 2001, wall_us allows 2000":              func(r *Record) { r.Events[2].StallUS = 2001 },
		"seats[1]: found events of 25001 us of CPU time in all":            func(r *Record) { r.Seats[1].CPUUS, r.Events[2].CPUUS = 5000, 20_001 },
		"seats[1]: found events of 1000005000 us of CPU time in all": func(r *Record) {
			r.CPUs, r.WallUS, r.Seats[1].CPUUS, r.Events[2].CPUUS = 2, 1_200_000, 0, 1e9
		},
		"events[2].wait_us: found 10000000, wall_us allows 2000": func(r *Record) { r.Events[2].WaitUS = 1e7 },
		"events[2].charged_us: found 5, its cpu_us gives at least 1000000": func(r *Record) {
			r.Limits.Pondering, r.Events[2].WallUS, r.Events[2].CPUUS, r.Events[2].ChargedUS = "freeze", 2_500_000, 2_000_000, us(5)
		},
		"seats[1]: found events of 905000 us of CPU time in all": func(r *Record) {
			r.Limits.Pondering, r.Limits.TimeUS, r.Events[2].ChargedUS, r.Seats[1].ChargedUS, r.Seats[1].CPUUS = "freeze", 2e6, us(902_003), 1_004_003, 5867
		},
		"events[4].fail: found time, but limits allows the 0 that are charged": func(r *Record) {
			r.Events[4].WallUS, r.Seats[2].WallUS = 1000, 1000
		},
		"events[4].fail: found time, limits has neither": func(r *Record) { r.Limits.TimeUS = 0 },
		"events[3]: is compile, but seat 2 had replied":  func(r *Record) { r.Events[3].Reply, r.Events[3].Fail = nil, "compile" },
		"events[2]: is a reply of several lines": func(r *Record) {
			lines := "roll\nroll"
			r.Events[2].Reply = &lines
		},
	} {
		r := sample(t)
		change(&r)
		judged, err := Verify(encode(t, r), toys)
		if err != nil || judged.Valid || !strings.HasPrefix(judged.Why, want) {
			t.Errorf("%s: valid %v, why %q, error %v", want, judged.Valid, judged.Why, err)
		}
	}
	broken := []byte(`{"game":"morra","case":{"text":"1 1"},"seats":[{"verdict":"ok"},{}],"events":[],"error":"x"}`)
	if judged, _ := Verify(Line{Bytes: broken}, toys); judged.Valid || !strings.HasPrefix(judged.Why, "seats[0].verdict") {
		t.Errorf("a verdict beside umpire's error: %+v", judged)
	}
}

// TestVerifyPossibleTimes: a seat's replies fit into the match, and its CPU time
// into that of all CPUs meanwhile, but for rounding and a tick.
func TestVerifyPossibleTimes(t *testing.T) {
	for _, test := range []struct {
		wall, cpu int64
		cpus      int
		umpire    string
		want      string
	}{
		{1_200_000, 7_000, 2, "0", ""},
		{1_104_000, 0, 2, "0", ""},
		{1_103_997, 0, 2, "0", ""}, // three replies, each rounded
		{1_103_996, 0, 2, "0", "seats[1]: found replies of 1104000 us in all, the match's wall_us allows 1103996"},
		{0, 0, 2, "0", "seats[0]: found replies of 3000 us in all, the match's wall_us allows 0"},
		{0, 5_000_000, 0, "", ""}, // it does not tell how long the match took
		{1_200_000, 2_444_000, 2, "0", ""},
		{1_200_000, 2_444_001, 2, "0", "seats[0].cpu_us: found 2444001, the match's wall_us 1200000 and cpus 2 allow 2444000"},
		{1_200_000, 2_444_001, 0, "0", ""}, // of an earlier version
		{1_200_000, 1_222_001, 1, "", "seats[0].cpu_us: found 1222001, the match's wall_us 1200000 and cpus 1 allow 1222000"},
	} {
		r := sample(t)
		r.WallUS, r.CPUs, r.Umpire, r.Seats[0].CPUUS = test.wall, test.cpus, test.umpire, test.cpu
		if judged, err := Verify(encode(t, r), toys); err != nil || judged.Why != test.want {
			t.Errorf("%+v: %+v, error %v", test, judged, err)
		}
	}
}

// TestVerifyCharges accepts what pondering costs within the limits, and that
// others' computing is not charged; where nothing is told of either, only the
// times themselves.
func TestVerifyCharges(t *testing.T) {
	for _, test := range []struct {
		pondering     string
		first, second *int64 // charged for seat 2's first and second reply
		sum           int64
		valid         bool
	}{
		{"", us(100_000), nil, 104_000, true},
		{"", nil, nil, 104_000, true},
		{"", us(0), nil, 4_000, false},
		{"allow", us(0), nil, 4_000, false},
		{"charge", us(100_000), us(269_000), 371_000, true},
		{"charge", us(0), us(269_000), 271_000, true},
		{"freeze", us(0), us(1), 2_001, true},
		{"freeze", us(0), us(301_000), 303_000, false},
	} {
		r := sample(t)
		r.Limits.Pondering, r.Limits.MoveUS = test.pondering, 300_000
		r.Events[1].ChargedUS, r.Events[2].ChargedUS, r.Seats[1].ChargedUS = test.first, test.second, test.sum
		r.ID = r.Identity()
		if judged, err := Verify(encode(t, r), toys); err != nil || judged.Valid != test.valid {
			t.Errorf("%+v: %+v, error %v", test, judged, err)
		}
	}
}

// TestVerifyLeftOut: what a seat's replies are not charged for, others must have computed, or
// umpire must have waited; it may also have looked at them, but not for most of a long time.
func TestVerifyLeftOut(t *testing.T) {
	for _, test := range []struct {
		wait, charged, others int64
		kind, want            string
	}{
		{0, 10_000_000, 5_000, "", ""},
		{0, 4_000_001, 5_000, "", ""},
		{0, 100, 5_000, "", "seats[0].charged_us: leaves out 3999900 of its replies, of which others have computed at most 15000"},
		{9_000_000, 100, 5_000, "", ""},
		{0, 100, 4_000_000, "", ""},
		{0, 100, 0, "", ""}, // nobody knows
		{0, 100, 0, KindRemote, "seats[0].charged_us: leaves out 3999900 of its replies, of which others have computed at most 0"},
	} {
		r := Record{
			Game: "morra", Umpire: "0", Case: Case{Text: "1 1"}, CPUs: 1, WallUS: 20_000_000,
			Limits: NewLimits(protocols.Limits{Time: 20 * time.Second}, referee.PonderFreeze),
			Seats:  []Seat{{Verdict: "ok", Replies: 1, WallUS: 10_000_000, CPUUS: 9, ChargedUS: test.charged}, {Verdict: "ok", Kind: test.kind, CPUUS: test.others}},
		}
		one, two := "1", "2"
		r.Events = []Event{{Seat: 1, Reply: &one, WallUS: 10_000_000, WaitUS: test.wait, ChargedUS: &test.charged}, {Seat: 2, Reply: &two}}
		if err := r.compareTimes(0, &r.Seats[0].WallUS, &r.Seats[0].ChargedUS); test.want == "" && err != nil || test.want != "" && (err == nil || err.Error() != test.want) {
			t.Errorf("%+v: %v", test, err)
		}
	}
}

// TestVerifyLate: who has lost by time has passed a limit, or the CPU time of its processes has.
func TestVerifyLate(t *testing.T) {
	for _, test := range []struct {
		limits  protocols.Limits
		charged int64
		change  func(*Record)
		valid   bool
	}{
		{protocols.Limits{Time: time.Second}, 1_000_001, nil, true},
		{protocols.Limits{Time: time.Second}, 999_000, nil, false},
		{protocols.Limits{Time: time.Second}, 999_000, func(r *Record) { r.Seats[0].CPUUS = 1_000_000 }, true},
		{protocols.Limits{Time: time.Second}, 999_000, func(r *Record) { r.Scale = 0.5 }, true},
		{protocols.Limits{Time: time.Second}, 999_000, func(r *Record) { r.Seats[0].Kind = KindRemote }, true},
		{protocols.Limits{Time: time.Second, CPU: true}, 999_000, nil, true},
		{protocols.Limits{PerMove: time.Second}, 1_000_000, nil, true},
		{protocols.Limits{PerMove: time.Second}, 900_000, nil, false},
		{protocols.Limits{Time: time.Second}, 0, nil, true}, // of an earlier version
		{protocols.Limits{}, 900_000, nil, false},
		{protocols.Limits{}, 900_000, func(r *Record) { r.Umpire = "" }, true},
	} {
		r := Record{Umpire: "0", WallUS: 2_000_000, Limits: NewLimits(test.limits, ""), Seats: make([]Seat, 2)}
		r.Events = []Event{{Seat: 1, Fail: "time", WallUS: test.charged}}
		if test.change != nil {
			test.change(&r)
		}
		if err := r.compareTimes(0, nil, nil); (err == nil) != test.valid {
			t.Errorf("%+v of %+v: %v, expected valid %v", test.charged, test.limits, err, test.valid)
		}
	}
}

func TestIDIsThatOfTheMatch(t *testing.T) {
	r := sample(t)
	id := r.Identity()
	for name, change := range map[string]func(r *Record){
		"started": func(r *Record) { r.Started = "2027-01-01T00:00:00Z" },
		"times":   func(r *Record) { r.WallUS++; r.Events[0].WallUS++ },
		"CPUs":    func(r *Record) { r.CPUs++ },
		"names":   func(r *Record) { r.Seats[0].Bot = "z"; r.Case.Name = "y" },
	} {
		r := sample(t)
		if change(&r); r.Identity() != id {
			t.Errorf("%s change the id", name)
		}
	}
	for name, change := range map[string]func(r *Record){
		"bots": func(r *Record) { r.Seats[0].Digest = "9" }, "seats": func(r *Record) { r.Seats[0], r.Seats[1] = r.Seats[1], r.Seats[0] },
		"case": func(r *Record) { r.Case.Text = "99\n7" }, "limits": func(r *Record) { r.Limits.TimeUS++ },
		"repetition": func(r *Record) { r.Repetition = 2 }, "game": func(r *Record) { r.Game = "sum" },
	} {
		r := sample(t)
		if change(&r); r.Identity() == id {
			t.Errorf("%s do not change the id", name)
		}
	}
}

// TestAppendEndsTheLastLine: a torn one is cut off, and one that lacks no more
// than its newline is kept, whatever is in it.
func TestAppendEndsTheLastLine(t *testing.T) {
	r := sample(t)
	whole := append(encode(t, r).Bytes, '\n')
	for cut := range whole {
		if cut%testlevel.Times(9, 3, 1) != 0 && cut != len(whole)-1 {
			continue
		}
		path := filepath.Join(t.TempDir(), "results.jsonl")
		torn := append(bytes.Clone(whole), whole[:cut]...)
		must(t, os.WriteFile(path, torn, 0o644))
		w, err := Append(path)
		must(t, err)
		must(t, errors.Join(w.Write(r), w.Close()))
		got, err := os.ReadFile(path)
		must(t, err)
		want := append(bytes.Clone(whole), whole...)
		if cut == len(whole)-1 {
			want = append(want, whole...)
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("cut after %d bytes: file has %d bytes, want %d", cut, len(got), len(want))
		}
	}
	path := filepath.Join(t.TempDir(), "results.jsonl")
	for before, after := range map[string]string{`{"v":99}`: "{\"v\":99}\n", string(whole) + "{\"v\":99}\x00\x00": string(whole)} {
		must(t, os.WriteFile(path, []byte(before), 0o644))
		w, err := Append(path)
		must(t, err)
		must(t, w.Close())
		if got, _ := os.ReadFile(path); string(got) != after {
			t.Errorf("%q became %q, expected %q", before, got, after)
		}
	}
}

func TestReadSaysWhereItFailed(t *testing.T) {
	good := string(encode(t, sample(t)).Bytes)
	for _, test := range []struct {
		text    string
		records int
		want    string
		torn    bool
	}{
		{good + "\n\n" + good + "\n", 2, "", false},
		{good, 1, "", false},
		{good + "\n" + good[:50], 1, "name:2: not a match record", true},
		{good + "\n" + good[:50] + "\n" + good + "\n", 1, "name:2: not a match record", false},
		{good + "\n[]\n", 1, "name:2: not a match record", false},
		{good + "\n[]", 1, "name:2: not a match record: found [], expected an object", false},
		{good + "\n[{", 1, "name:2: not a match record: [0]: byte 3: ", false},
		{good + "\n" + good + good[:50], 1, "name:2: not a match record: byte ", false},
		{good + "\n" + `{"v":1,"id":5}`, 1, "name:2: not a match record: id: found 5, expected a string", false},
		{good + "\n" + `{"v":1,"id":5,"g`, 1, "name:2: not a match record", true},
		{good + "\n" + good[:50] + "\x00\x00", 1, "name:2: not a match record", true},
		{good + "\n" + good + "\x00\x00", 1, "name:2: not a match record", true},
	} {
		records := 0
		var failed error
		for _, err := range Read("name", strings.NewReader(test.text)) {
			if failed != nil {
				t.Errorf("%.80q: the sequence goes on after an error", test.text)
			}
			if failed = err; err == nil {
				records++
			}
		}
		if records != test.records || (failed == nil) != (test.want == "") || errors.Is(failed, ErrTorn) != test.torn ||
			failed != nil && !strings.HasPrefix(failed.Error(), test.want) {
			t.Errorf("%.80q: %d records, error %v; want %d, %q", test.text, records, failed, test.records, test.want)
		}
	}
}

func FuzzVerify(f *testing.F) {
	f.Add(encode(f, sample(f)).Bytes)
	f.Add([]byte(`{"game":"sum","case":{"text":"1\n5"},"seats":[{}],"events":[{"seat":1,"reply":"5"}]}`))
	f.Add([]byte(`{"game":"sum","case":{"text":"1\n5"},"seats":[{"verdict":"wrong"}],"events":[{"seat":1,"reply":"6","reply_bytes":9,"reply_sha256":"00"}]}`))
	f.Add([]byte(`{"game":"sum","case":{"text":"1\n5"},"seats":[{}],"events":[{"seat":1,"reply_gzip":"H4sIAAAAAAAA/zNVAAAYhVCmAQAAAA=="}]}`))
	f.Add([]byte(`{"game":"sum","case":{"text":"1\n5"},"seats":[null],"events":[{"seat":-1,"fail":"time"}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		judged, err := Verify(Line{Bytes: b}, toys)
		if judged.Valid == (judged.Why != "") || err != nil && judged.Valid {
			t.Errorf("valid %v, why %q", judged.Valid, judged.Why)
		}
		if strings.Contains(judged.Why, "defect of umpire") {
			t.Error(judged.Why)
		}
	})
}

// must ends the test if what it needs has failed.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestTook: of a submission to a problem package the time that counts is what it took, unless it
// was late by wall time.
func TestTook(t *testing.T) {
	for _, row := range []struct {
		name, format, verdict string
		wall, charged, want   int64
	}{
		{"a game's", FormatUmpire, "ok", 1500, 3, 1500},
		{"a package's", "cms", "ok", 1500, 3, 3},
		{"late", "kattis", "time", 2500, 1010, 1010},
		{"late by wall time", "kattis", "time", 3000, 3, 3000},
	} {
		r := Record{Package: &Package{Format: row.format}, Limits: Limits{TimeUS: 1000}, Seats: []Seat{{Verdict: row.verdict, WallUS: row.wall, ChargedUS: row.charged}}}
		if found := r.Took(1); found != row.want {
			t.Errorf("%s: found %d, expected %d", row.name, found, row.want)
		}
	}
}
