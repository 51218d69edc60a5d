package shell

import (
	"bytes"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"umpire/referee/report"
)

// shows is what progress writes, with a fake clock.
type shows struct {
	t *testing.T
	*Progress
	text *bytes.Buffer
}

// onTerminal starts the progress of so many matches on a terminal of some columns.
func onTerminal(t *testing.T, total, columns int) shows {
	text := new(bytes.Buffer)
	status := &Status{out: text, columns: func() int { return columns }}
	return shows{t, StartProgress(status, nil, "matches", total, false), text}
}

// plain starts the progress of so many matches elsewhere.
func plain(t *testing.T, total int, silent bool) shows {
	text := new(bytes.Buffer)
	return shows{t, StartProgress(nil, report.NewPrinter(text), "matches", total, silent), text}
}

// after lets time pass, and counts so many matches then.
func (s shows) after(d time.Duration, matches int) {
	time.Sleep(d)
	synctest.Wait()
	for range matches {
		s.Count()
	}
}

var cursorMoves = regexp.MustCompile(`\r?\x1b\[[0-9]*[A-Z]`)

// expect checks what has been written since the last time, without what moves the
// cursor.
func (s shows) expect(want ...string) {
	s.t.Helper()
	s.one.Lock()
	defer s.one.Unlock()
	var got []string
	for _, line := range strings.FieldsFunc(cursorMoves.ReplaceAllString(s.text.String(), "\n"), func(r rune) bool { return r == '\n' }) {
		got = append(got, strings.TrimSpace(line))
	}
	s.text.Reset()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		s.t.Errorf("found %q, expected %q", got, want)
	}
}

// TestPlainProgress: where nothing can be redrawn, a line comes every ten seconds
// at most, with a match, and none during short work.
func TestPlainProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := plain(t, 100, false)
		p.after(9999*time.Millisecond, 20)
		p.expect()
		p.after(time.Millisecond, 5)
		p.expect("matches 21/100, 2.1 matches/s, 38s left")
		p.after(9*time.Second, 4)
		p.expect()
		p.State = func() string { return "alice leads" }
		p.after(time.Second, 11)
		p.expect("matches 30/100, 1.5 matches/s, 47s left, alice leads")
		p.Follow(func() (string, float64) { return "2 workers", 10 })
		p.after(time.Minute, 1)
		p.expect("matches 41/100, 2 workers, 10.0 matches/s, 6s left, alice leads")
		p.End()
		p.expect()

		quiet := plain(t, 10, true)
		quiet.after(time.Hour, 10)
		quiet.End()
		quiet.expect()
	})
}

// TestResumedProgress: what was done in an earlier run counts, but is no part of
// the rate; nothing is said of the end of a work whose total nobody knows.
func TestResumedProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := plain(t, 0, false)
		p.Add(100, 50)
		p.after(10*time.Second, 1)
		p.expect("matches 51/100, 0.1 matches/s, 8m10s left")
		if done, total := p.Counts(); done != 51 || total != 100 {
			t.Errorf("found %d of %d", done, total)
		}
		open := plain(t, 0, false)
		open.after(10*time.Second, 1)
		open.expect("matches 1, 0.1 matches/s")
	})
}

// TestTerminalProgress: on a terminal the line is redrawn every second, and with a
// match ten times a second at most; it is gone at the end.
func TestTerminalProgress(t *testing.T) {
	// The runtime's goroutine for signals belongs to no bubble.
	running := make(chan os.Signal, 1)
	signal.Notify(running, os.Interrupt)
	defer signal.Stop(running)
	synctest.Test(t, func(t *testing.T) {
		p := onTerminal(t, 4, 80)
		p.after(99*time.Millisecond, 1)
		p.expect()
		p.after(time.Millisecond, 1)
		p.expect("matches ████████████░░░░░░░░░░░░ 2/4, 20.0 matches/s, 0s left")
		p.after(50*time.Millisecond, 1)
		p.expect()
		p.after(850*time.Millisecond-1, 0)
		p.expect()
		p.after(1, 0)
		p.expect("matches ██████████████████░░░░░░ 3/4, 3.0 matches/s, 0s left")
		p.after(2*time.Second, 0)
		p.expect("matches ██████████████████░░░░░░ 3/4, 1.5 matches/s, 1s left", "matches ██████████████████░░░░░░ 3/4, 1.0 matches/s, 1s left")
		p.End()
		p.expect()
		p.after(time.Hour, 0)
		p.expect()

		for columns, want := range map[int]string{20: "matches ░░░░░░ 0/4", 19: "matches 0/4"} { // no bar where it would be too short
			narrow := onTerminal(t, 4, columns)
			narrow.after(time.Second, 0)
			narrow.expect(want)
			narrow.End()
		}
	})
}
