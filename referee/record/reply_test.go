package record

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/testlevel"
)

// summed is the record of a match of Sum with that output, and what came to
// light after it.
func summed(t *testing.T, output string, late ...referee.Event) Record {
	t.Helper()
	g := toys[0]
	c, err := g.Parse("1\n5")
	must(t, err)
	limits := protocols.Limits{Time: time.Second}
	played, err := referee.Setup{Case: c, Seats: 1, Limits: limits}.Replay(append([]referee.Event{{Seat: 1, Reply: output, Wall: time.Millisecond}}, late...), referee.Watcher{})
	must(t, err)
	r := Record{
		Game: g.Name, Umpire: "0", Isolation: "none", Case: Case{Name: "x", Text: c.String()},
		Limits: NewLimits(limits, ""), Seats: []Seat{{Bot: "a", Digest: "1"}},
	}
	r.Finish(played, nil, time.Now(), time.Millisecond)
	return r
}

// TestLongOutputs: what is right is kept whole however long it is, of the rest
// only the beginning; both can be verified as far as that goes.
func TestLongOutputs(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	right := "5" + strings.Repeat("\n", MaxReply)
	r := summed(t, right)
	if r.Seats[0].Verdict != "ok" || r.Events[0].Reply != nil || r.Events[0].ReplyGzip == nil {
		t.Fatalf("verdict %s, event %+v", r.Seats[0].Verdict, r.Events[0])
	}
	line := encode(t, r)
	if len(line.Bytes) > 64<<10 {
		t.Errorf("a line of %d bytes", len(line.Bytes))
	}
	if judged, err := Verify(line, toys); err != nil || !judged.Valid || judged.Unchecked != "" {
		t.Errorf("%+v, error %v", judged, err)
	}
	if e, err := r.Events[0].event(); err != nil || e.Reply != right || e.Cut != nil {
		t.Errorf("reads as %d bytes, cut %v, error %v", len(e.Reply), e.Cut, err)
	}

	for name, output := range map[string]string{
		"text": strings.Repeat("é 7\n", MaxReply), "bytes": strings.Repeat("\xff7\n", MaxReply),
	} {
		r := summed(t, output)
		e := r.Events[0]
		sum := fmt.Sprintf("%x", sha256.Sum256([]byte(output)))
		if r.Seats[0].Verdict != "wrong" || e.ReplyBytes != int64(len(output)) || e.ReplySHA256 != sum || e.ReplyGzip != nil {
			t.Errorf("%s: verdict %s, %d bytes, digest %s", name, r.Seats[0].Verdict, e.ReplyBytes, e.ReplySHA256)
		}
		line := encode(t, r)
		if len(line.Bytes) > 100<<10 {
			t.Errorf("%s: a line of %d bytes", name, len(line.Bytes))
		}
		judged, err := Verify(line, toys)
		if want := fmt.Sprintf("of %d bytes are kept", len(output)); err != nil || !judged.Valid || !strings.Contains(judged.Unchecked, want) {
			t.Errorf("%s: %+v, error %v, expected %s", name, judged, err, want)
		}
		got, err := e.event()
		if err != nil || !strings.HasPrefix(output, got.Reply) || len(got.Reply) < 60<<10 {
			t.Errorf("%s: reads as %d bytes, error %v", name, len(got.Reply), err)
		}
		compared := referee.Compared{Recorded: got, Live: referee.Event{Reply: output}}
		if !compared.Same() {
			t.Errorf("%s: the same output differs", name)
		}
		if compared.Live.Reply = output[:len(output)-1] + "8"; compared.Same() {
			t.Errorf("%s: another output is the same", name)
		}
	}
}

// TestLongOutputBeforeLateFailure: a verdict that the output did not decide
// leaves the output whole, so that score and verdict can be verified.
func TestLongOutputBeforeLateFailure(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	memory := referee.Event{Seat: 1, Fail: &protocols.Failure{Kind: protocols.KindMemory, Detail: "used too much memory"}}
	for name, output := range map[string]string{"right": "5" + strings.Repeat("\n", MaxReply), "wrong": strings.Repeat("7\n", MaxReply)} {
		r := summed(t, output, memory)
		if r.Seats[0].Verdict != "memory" || r.Cut() {
			t.Errorf("%s: verdict %s, cut %v", name, r.Seats[0].Verdict, r.Cut())
		}
		if judged, err := Verify(encode(t, r), toys); err != nil || !judged.Valid || judged.Unchecked != "" {
			t.Errorf("%s: %+v, error %v", name, judged, err)
		}
	}
}

func TestCutRepliesThatAreRefused(t *testing.T) {
	bomb := pack(strings.Repeat("\n", referee.MaxOutput+1))
	for want, change := range map[string]func(r *Record){
		"seats[0].verdict: found \"ok\" with a reply that is cut":         func(r *Record) { r.Seats[0].Verdict = "ok" },
		"events[0]: reply_bytes: found 5, expected":                       func(r *Record) { r.Events[0].ReplyBytes = 5 },
		"events[0]: reply_bytes: found 16777217, expected":                func(r *Record) { r.Events[0].ReplyBytes = referee.MaxOutput + 1 },
		"events[0]: reply_sha256: found \"00\"":                           func(r *Record) { r.Events[0].ReplySHA256 = "00" },
		"events[0]: reply_gzip: found more than 16777216 bytes":           func(r *Record) { r.Events[0] = Event{Seat: 1, ReplyGzip: &bomb} },
		"events[0]: found 2 of reply, reply_b64, reply_gzip and fail":     func(r *Record) { r.Events[0].ReplyGzip = &bomb },
		"events[0].wall_us: 2000000 are charged, limits.move_us allows 1": func(r *Record) { r.Events[0].WallUS, r.Limits.MoveUS = 2e6, 1 },
	} {
		r := summed(t, strings.Repeat("7 ", MaxReply))
		r.ID = ""
		change(&r)
		judged, err := Verify(encode(t, r), toys)
		if err != nil || judged.Valid || !strings.HasPrefix(judged.Why, want) {
			t.Errorf("%s: valid %v, why %q, error %v", want, judged.Valid, judged.Why, err)
		}
	}
}
