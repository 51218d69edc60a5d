package settings

import (
	"strings"
	"testing"
	"time"

	"umpire/protocols"
)

// TestUnits: one value has one canonical form, however it is written; what is
// none is refused, and stays as it is.
func TestUnits(t *testing.T) {
	for _, c := range []struct {
		setting    Setting
		text, want string
	}{
		{Time, "1.5", "1.5s"},
		{Time, "1500ms", "1.5s"},
		{Time, "0", "0s"},
		{Time, "1m0.5s", "1m0.5s"},
		{Time, "soon", "soon"},
		{Memory, "1K", "1024 bytes"},
		{Memory, "1kib", "1024 bytes"},
		{Memory, "0", "0 bytes"},
		{Memory, "1024", "1024"}, // bytes?
		{Clock, "cpu", "cpu"},
	} {
		if got := c.setting.Canonical(c.text); got != c.want {
			t.Errorf("%s %q: found %q, expected %q", c.setting.Flag(), c.text, got, c.want)
		}
	}
	for _, text := range []string{"", "-1s", "1e3", "1_000", "inf", "0.1us", "2y", "9000h"} {
		if d, err := ParseDuration(text); err == nil {
			t.Errorf("%q: found %v, expected an error", text, d)
		}
	}
	for _, text := range []string{"", "-1M", "1e3", "1T", "0.1B", "2000000G", "512"} {
		if n, err := ParseSize(text); err == nil {
			t.Errorf("%q: found %d, expected an error", text, n)
		}
	}
}

// TestLimits: what is set changes the game's limits, and nothing else does.
func TestLimits(t *testing.T) {
	set := func(words ...string) func(string) (string, bool) {
		return func(name string) (string, bool) {
			for i := 0; i < len(words); i += 2 {
				if words[i] == name {
					return words[i+1], true
				}
			}
			return "", false
		}
	}
	game := protocols.Limits{Time: time.Second, Startup: time.Minute, Memory: 7}
	change, err := Limits(set("time-per-move", "100ms", "clock", "cpu", "memory", "1M", "isolation", "box"))
	if err != nil {
		t.Fatal(err)
	}
	want := protocols.Limits{Time: time.Second, PerMove: 100 * time.Millisecond, Startup: time.Minute, CPU: true, Memory: 1 << 20}
	if got := change(game); got != want {
		t.Errorf("found %+v, expected %+v", got, want)
	}
	for name, want := range map[string]string{
		"time": "--time: found \"x\", expected a time", "clock": "--clock: found \"x\", expected wall or cpu", "memory": "--memory: found \"x\", expected a size",
	} {
		if _, err := Limits(set(name, "x")); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: found error %v, expected %q", name, err, want)
		}
	}
}

// TestHelp: help names every choice.
func TestHelp(t *testing.T) {
	if got, want := Affinity.Usage(), "`auto|off`: give each match its own CPU"; got != want {
		t.Errorf("found %q, expected %q", got, want)
	}
	if N.Flag() != "-n" || Jobs.Flag() != "--jobs" {
		t.Errorf("found %s and %s, expected -n and --jobs", N.Flag(), Jobs.Flag())
	}
}
