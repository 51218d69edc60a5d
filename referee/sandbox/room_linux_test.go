package sandbox

import (
	"testing"

	"golang.org/x/sys/unix"

	"umpire/referee"
)

// The scarcest thing decides, and is named.
func TestRoomFor(t *testing.T) {
	var before unix.Rlimit
	must(t, unix.Getrlimit(unix.RLIMIT_NOFILE, &before))
	defer func() { _ = unix.Setrlimit(unix.RLIMIT_NOFILE, &before) }()
	must(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 200, Max: before.Max}))
	for _, level := range referee.Levels() {
		each := 16
		if level == referee.LevelNone {
			each = 8
		}
		want := Room{(200 - 64) / each, "200 open files"}
		if got := RoomFor(level); got != want {
			t.Errorf("%s: found %+v, expected %+v", level, got, want)
		}
	}
	must(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 20, Max: before.Max}))
	if got := RoomFor(referee.LevelBox); got.Programs != 0 {
		t.Errorf("with 20 open files: found %+v, expected no room", got)
	}
}
