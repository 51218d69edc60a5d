package sandbox

import (
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"umpire/referee"
)

// The scarcest thing decides, and is named.
func TestRoomFor(t *testing.T) {
	var before unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Setrlimit(unix.RLIMIT_NOFILE, &before) }()
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 200, Max: before.Max}); err != nil {
		t.Fatal(err)
	}
	for _, level := range order {
		each := 16
		if level == referee.LevelNone {
			each = 8
		}
		want := Room{(200 - 64) / each, "200 open files"}
		if got := RoomFor(level); got != want {
			t.Errorf("%s: found %+v, expected %+v", level, got, want)
		}
	}
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 20, Max: before.Max}); err != nil {
		t.Fatal(err)
	}
	if got := RoomFor(referee.LevelBox); got.Programs != 0 {
		t.Errorf("with 20 open files: found %+v, expected no room", got)
	}
}

// A launch script with more descriptors than a message takes is refused before
// the fork server gets a part of it; a descriptor that is used often is sent
// once.
func TestTooManyFiles(t *testing.T) {
	p := newLaunchScript(0)
	for range 1000 {
		p.file(7)
	}
	if len(p.files) != 2 {
		t.Errorf("a descriptor goes along %d times", len(p.files)-1)
	}
	for fd := range 300 {
		p.file(10 + fd)
	}
	w := &forkServer{socket: -1}
	if err := w.send(p); err == nil || !strings.Contains(err.Error(), "needs 302 descriptors") {
		t.Errorf("found %v", err)
	}
}
