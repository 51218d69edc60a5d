package interaction

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/referee"
)

func ends(seat, status int) referee.Exchange {
	return referee.Exchange{Seat: seat, Ended: true, Exit: status}
}

func killed(seat int, signal string) referee.Exchange {
	return referee.Exchange{Seat: seat, Ended: true, Signal: signal}
}

func fails(seat int, kind protocols.Kind) referee.Exchange {
	return referee.Exchange{Seat: seat, Fail: &protocols.Failure{Kind: kind, Detail: "detail"}}
}

func says(seat int) referee.Exchange { return referee.Exchange{Seat: seat, Text: "text\n"} }

// TestRows: each row of the verdict, what overrides it, and the order of events.
func TestRows(t *testing.T) {
	const bot, judge = 1, 0
	list := func(seen ...referee.Exchange) []referee.Exchange { return seen }
	for _, row := range []struct {
		name string
		seen []referee.Exchange
		want string // a verdict, or "judge: " and part of the error
	}{
		{"accepted", list(says(bot), says(judge), ends(bot, 0), ends(judge, 42)), "ok"},
		{"the judge accepts first, and the contestant ends well", list(ends(judge, 42), ends(bot, 0)), "ok"},
		{"closed outputs change nothing", list(referee.Exchange{Seat: bot, EOF: true}, referee.Exchange{Seat: judge, EOF: true}, ends(bot, 0), ends(judge, 42)), "ok"},
		{"rejected", list(ends(bot, 0), ends(judge, 43)), "wrong"},
		{"the judge rejects first", list(ends(judge, 43)), "wrong"},
		{"the judge rejects first, whatever the contestant did then", list(ends(judge, 43), killed(bot, "SIGSEGV")), "wrong"},
		{"a crash before the judge rejects", list(ends(bot, 1), ends(judge, 43)), "crash"},
		{"a crash that the judge does not mind", list(ends(bot, 1), ends(judge, 42)), "crash"},
		{"a crash after the judge accepts", list(ends(judge, 42), killed(bot, "SIGABRT")), "crash"},
		{"a crash whose judge goes on too long", list(ends(bot, 1)), "crash"},
		{"a forbidden system call", list(killed(bot, "SIGSYS"), ends(judge, 43)), "security"},
		{"the kernel's limit of CPU time", list(killed(bot, "SIGXCPU"), ends(judge, 43)), "time"},
		{"late", list(fails(bot, "time"), ends(judge, 43)), "time"},
		{"late after the judge accepts", list(ends(judge, 42), fails(bot, "time")), "time"},
		{"parked", list(fails(bot, "idle"), ends(judge, 43)), "idle"},
		{"too much memory, and a bad end", list(fails(bot, "memory"), killed(bot, "SIGKILL"), ends(judge, 43)), "memory"},
		{"too much output", list(fails(bot, "output"), ends(judge, 43)), "output"},
		{"not compiled", list(fails(bot, "compile")), "compile"},
		{"a judge's status that says nothing", list(ends(bot, 0), ends(judge, 0)), "judge: exit status 0"},
		{"such a status after a crash", list(ends(bot, 1), ends(judge, 1)), "judge: exit status 1"},
		{"such a status before the contestant ended", list(ends(judge, 1)), "judge: exit status 1"},
		{"a killed judge", list(ends(bot, 0), killed(judge, "SIGSEGV")), "judge: killed by SIGSEGV"},
		{"a judge over its limits", list(ends(bot, 0), fails(judge, "time"), killed(judge, "SIGKILL")), "judge: detail"},
		{"no end of the judge", list(ends(bot, 0)), "judge: has not ended"},
		{"no end of the contestant", list(ends(judge, 42)), "error: the contestant has not ended"},
		{"two passes", list(ends(bot, 0), ends(judge, 42), referee.Exchange{Pass: 2}, ends(bot, 0), ends(judge, 42)), "ok"},
		{"the second pass rejected", list(ends(bot, 0), ends(judge, 42), referee.Exchange{Pass: 2}, ends(bot, 0), ends(judge, 43)), "wrong"},
		{"the second pass crashed", list(ends(bot, 0), ends(judge, 42), referee.Exchange{Pass: 2}, ends(bot, 1)), "crash"},
		{"a pass after a rejected one", list(ends(bot, 0), ends(judge, 43), referee.Exchange{Pass: 2}, ends(bot, 0), ends(judge, 42)), "error: events[2].pass"},
		{"a pass left out", list(ends(bot, 0), ends(judge, 42), referee.Exchange{Pass: 3}), "error: events[2].pass"},
		{"two ends", list(ends(bot, 0), ends(bot, 0)), "error: events[1]: ends a second time"},
		{"another seat", list(ends(2, 0)), "error: events[0]: found seat 2"},
	} {
		r, err := Judge(Kattis, 0, row.seen)
		found := string(r.Verdict)
		if failed, ok := errors.AsType[*JudgeError](err); ok {
			found = "judge: " + failed.Why
		} else if err != nil {
			found = "error: " + err.Error()
		}
		kind, part, _ := strings.Cut(row.want, ": ")
		if !strings.HasPrefix(found, kind) || !strings.Contains(found, part) {
			t.Errorf("%s: found %s, expected %s", row.name, found, row.want)
		}
	}
}

// TestCheckerRows: what a checker, which looks at what an interactive judge has written, adds.
func TestCheckerRows(t *testing.T) {
	const bot, judge = 1, 0
	list := func(more ...referee.Exchange) []referee.Exchange {
		return append([]referee.Exchange{ends(judge, 0), ends(bot, 0)}, more...)
	}
	half, _ := protocols.ParseScore("0.5")
	for _, row := range []struct {
		name   string
		format Format
		seen   []referee.Exchange
		want   string
	}{
		{"no checker", Polygon, list(), "ok 1"},
		{"the checker accepts", Polygon, list(ends(judge, 0)), "ok 1"},
		{"the checker gives points", Polygon, list(referee.Exchange{Ended: true, Exit: 7, Score: &half}), "ok 0.5"},
		{"the checker rejects", Polygon, list(ends(judge, 1)), "wrong"},
		{"the checker's status says nothing", Polygon, list(ends(judge, 3)), "judge: its checker: it ended with exit status 3"},
		{"the checker is killed", Polygon, list(killed(judge, "SIGSEGV")), "judge: its checker: it was killed"},
		{"the checker is late", Polygon, list(fails(judge, "time")), "judge: its checker: detail"},
		{"a second checker", Polygon, list(ends(judge, 0), ends(judge, 0)), "error: events[3]: ends a second time"},
		{"a checker in another format", Kattis, []referee.Exchange{ends(judge, 42), ends(bot, 0), ends(judge, 42)}, "error: events[2]: ends a second time"},
		{"the judge rejected, whatever a checker says", Polygon, []referee.Exchange{ends(judge, 1), ends(bot, 0), ends(judge, 0)}, "wrong"},
		{"a crash, whatever a checker says", Polygon, []referee.Exchange{ends(judge, 0), ends(bot, 1), ends(judge, 0)}, "crash"},
	} {
		r, err := Judge(row.format, 0, row.seen)
		found := fmt.Sprint(r.Verdict, " ", r.Score)
		if failed, ok := errors.AsType[*JudgeError](err); ok {
			found = "judge: " + failed.Why
		} else if err != nil {
			found = "error: " + err.Error()
		}
		if !strings.HasPrefix(found, row.want) {
			t.Errorf("%s: found %s, expected %s", row.name, found, row.want)
		}
	}
}

// TestPrintedScores: what a judge that prints a score says, of one process or of two.
func TestPrintedScores(t *testing.T) {
	prints := func(score string) referee.Exchange {
		s, _ := protocols.ParseScore(score)
		return referee.Exchange{Ended: true, Score: &s}
	}
	list := func(seen ...referee.Exchange) []referee.Exchange { return seen }
	for _, row := range []struct {
		name string
		seen []referee.Exchange
		want string
	}{
		{"accepted", list(ends(1, 0), prints("0.5")), "ok 0.5"},
		{"rejected", list(ends(1, 0), prints("0")), "wrong"},
		{"rejected first", list(prints("0"), killed(1, "SIGSEGV")), "wrong"},
		{"no number", list(ends(1, 0), ends(0, 0)), "judge: the first line that it printed is no number"},
		{"no number before the end", list(ends(0, 0)), "judge: the first line"},
		{"a negative number", list(ends(1, 0), prints("-1")), "judge: "},
		{"a crash, whatever it prints", list(ends(1, 2), prints("1")), "crash"},
		{"a crash, and no number", list(ends(1, 2), ends(0, 0)), "crash"},
		{"a crash, and a bad status", list(ends(1, 2), ends(0, 1)), "judge: it ended with exit status 1"},
		{"two processes", list(ends(2, 0), ends(1, 0), prints("1")), "ok 1"},
		{"the second crashes", list(ends(1, 0), ends(2, 3), prints("1")), "crash"},
		{"the second has not ended", list(ends(1, 0), referee.Exchange{To: 2, Text: "x"}, prints("1")), "error: the contestant has not ended"},
		{"rejected while the second runs", list(ends(1, 0), says(2), prints("0")), "wrong"},
		{"together late", list(ends(1, 0), fails(2, "time"), prints("1")), "time"},
		{"words for nobody", list(referee.Exchange{To: 65, Text: "x"}), "error: events[0]: found 65"},
		{"a process too many", list(ends(65, 0)), "error: events[0]: found seat 65"},
		{"words after the end", list(ends(1, 0), says(1)), "error: events[1]: goes on after its end"},
		{"output closed after the end", list(fails(1, "time"), referee.Exchange{Seat: 1, EOF: true}), "error: events[1]: goes on after its end"},
	} {
		r, err := Judge(CMS, 0, row.seen)
		found := fmt.Sprint(r.Verdict, " ", r.Score)
		if failed, ok := errors.AsType[*JudgeError](err); ok {
			found = "judge: " + failed.Why
		} else if err != nil {
			found = "error: " + err.Error()
		}
		if !strings.HasPrefix(found, row.want) {
			t.Errorf("%s: found %s, expected %s", row.name, found, row.want)
		}
	}
	for n, want := range []string{"ok", "ok", "error: the contestant has not ended"} {
		found := ""
		if r, err := Judge(CMS, n, list(ends(1, 0), prints("1"))); err != nil {
			found = "error: " + err.Error()
		} else {
			found = string(r.Verdict)
		}
		if found != want {
			t.Errorf("%d processes: found %s, expected %s", n, found, want)
		}
	}
	if _, err := Judge(Kattis, 0, list(referee.Exchange{To: 1, Text: "x"})); err == nil {
		t.Error("found a process in a format that has none")
	}
}

// TestStatuses: no exit status but those of the format's table says anything.
func TestStatuses(t *testing.T) {
	testlib := map[int]Answer{0: Accept, 7: Accept, 1: Reject, 2: Reject, 4: Reject, 5: Reject, 8: Reject}
	for status := range 256 {
		codeJam := Reject
		if status == 0 {
			codeJam = Accept
		}
		for format, want := range map[Format]Answer{
			Kattis: map[int]Answer{42: Accept, 43: Reject}[status], Polygon: testlib[status], Testlib: testlib[status], CodeJam: codeJam, "other": None,
		} {
			if found := format.Answer(status, nil); found != want {
				t.Errorf("%s: status %d: found %v, expected %v", format, status, found, want)
			}
		}
	}
}

func FuzzJudge(f *testing.F) {
	f.Add([]byte{1, 0, 42, 7})
	f.Add([]byte{1, 1, 12, 2}) // a further run after a crash
	f.Fuzz(func(t *testing.T, data []byte) {
		var seen []referee.Exchange
		for i := 0; i+1 < len(data); i += 2 {
			seat := int(data[i] & 3)
			seen = append(seen, []referee.Exchange{ends(seat, int(data[i+1])), killed(seat, "SIGKILL"), fails(seat, protocols.Kinds[int(data[i+1])%len(protocols.Kinds)]), {Pass: int(data[i+1])}}[data[i]>>2&3])
		}
		r, err := Judge(Kattis, 0, seen)
		if (r.Verdict == "") == (err == nil) {
			t.Errorf("found verdict %q and error %v, expected one of both", r.Verdict, err)
		}
		again, _ := Judge(Kattis, 0, seen)
		if fmt.Sprint(again) != fmt.Sprint(r) {
			t.Errorf("found %v, then %v", r, again)
		}
	})
}
