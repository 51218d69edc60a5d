package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"umpire/referee"
	"umpire/referee/record"
	"umpire/referee/sandbox/sandboxtest"
	"umpire/referee/testlevel"
)

// fair runs umpire as its user does, with bots made of testdata/fair/player.c.
type fair struct {
	*testing.T
	dir, umpire, player string
}

// atLevels runs a test at the strongest level that this machine has, and
// thoroughly at every one.
func atLevels(t *testing.T, test func(f fair, level string)) {
	testlevel.Needs(t, testlevel.Default)
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip(err)
	}
	f := fair{T: t, dir: t.TempDir()}
	f.umpire, f.player = link(t, os.Args[0], filepath.Join(f.dir, "umpire")), filepath.Join(f.dir, "player")
	if out, err := exec.Command(gcc, "-O1", "-o", f.player, "testdata/fair/player.c").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	levels := append(sandboxtest.Levels(), string(referee.LevelNone))
	if testlevel.Current() < testlevel.Thorough {
		levels = levels[:1]
	}
	for _, level := range levels {
		t.Run(level, func(t *testing.T) {
			f := f
			f.T = t
			test(f, level)
		})
	}
}

// match plays a match and returns its record, which must be valid.
func (f fair) match(level string, args ...string) record.Record {
	f.Helper()
	run := func(stdin []byte, args ...string) []byte {
		cmd := exec.Command(f.umpire, args...)
		cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+f.dir)
		cmd.Stdin = bytes.NewReader(stdin)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			f.Fatalf("umpire %q: %v\n%s%s", args, err, out, stderr.String())
		}
		return out
	}
	line := run(nil, append([]string{"match", "ioiwari", "--case", "4 4 4 2 2 2 2", "--isolation", level, "--json", "--quiet", "--memory", "0"}, args...)...)
	run(line, "verify", "-")
	var r record.Record
	must(f, json.Unmarshal(line, &r))
	return r
}

// TestOpponentsComputingCostsNothing lets a bot compute in four children, which
// have left its session, while its opponent needs its CPU: by default they are
// stopped, and with `--pondering charge` what they take is theirs.
func TestOpponentsComputingCostsNothing(t *testing.T) {
	const work, charged = 400 * time.Millisecond, 200 * time.Millisecond // of CPU time
	us := func(n int64) time.Duration { return time.Duration(n) * time.Microsecond }
	atLevels(t, func(f fair, level string) {
		honest, burner := "honest="+f.player+" 400", "burner="+f.player+" 0 0 4"
		r := f.match(level, "--time", "100s", honest, burner)
		if r.Limits.Pondering != "freeze" || r.Seats[0].Verdict != "ok" || r.Seats[1].Verdict != "ok" {
			f.Fatalf("pondering %s, %+v", r.Limits.Pondering, r.Seats)
		}
		// Not stopped, it would use four times the work.
		if used := us(r.Seats[1].CPUUS); used > work {
			f.Errorf("the burner has used %v of CPU time", used)
		}

		r = f.match(level, "--time", "100s", "--pondering", "charge", "honest="+f.player+" 200", burner)
		if r.Seats[0].Verdict != "ok" || r.Seats[1].Verdict != "ok" {
			f.Fatalf("%+v", r.Seats)
		}
		if found := us(r.Seats[1].ChargedUS); found < charged {
			f.Errorf("the burner was charged %v, its opponent has computed %v", found, charged)
		}
		if wall, found := us(r.Seats[0].WallUS), us(r.Seats[0].ChargedUS); wall-found < charged {
			f.Errorf("the opponent was charged %v of %v", found, wall)
		}
	})
}

// TestClockOfChildren limits the CPU time of a bot that lets children compute,
// and waits for them asleep.
func TestClockOfChildren(t *testing.T) {
	atLevels(t, func(f fair, level string) {
		r := f.match(level, "--time", "200ms", "--clock", "cpu", "kids="+f.player+" 200 3", "@greedy")
		if s := r.Seats[0]; s.Verdict != "time" || !strings.Contains(s.Detail, "s of CPU time left: it used ") {
			f.Errorf("%s: %s", s.Verdict, s.Detail)
		}
		r = f.match(level, "--time", "20s", "--clock", "cpu", "kids="+f.player+" 200 3", "@greedy")
		if s := r.Seats[0]; s.Verdict != "ok" || s.ChargedUS < 600_000 {
			f.Errorf("%s, charged %d µs of 3 times 200 ms", s.Verdict, s.ChargedUS)
		}
		r = f.match("none", "--time", "20s", "--clock", "cpu", "kids="+f.player+" 500 -1", "@greedy")
		if s := r.Seats[0]; s.Verdict != "ok" || s.CPUUS < 250_000 {
			f.Errorf("%s, used %d µs, expected about 500 ms", s.Verdict, s.CPUUS)
		}
	})
}
