//go:build unix

package contestant

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"umpire/protocols"
	"umpire/referee"
)

// exited and killed are wait statuses as Linux encodes them.
func exited(code int) syscall.WaitStatus         { return syscall.WaitStatus(code << 8) }
func killed(s syscall.Signal) syscall.WaitStatus { return syscall.WaitStatus(s) }

// TestVerdict has a row for every situation a contestant can be found in, and
// for the combinations in which the first cause must win.
func TestVerdict(t *testing.T) {
	second := time.Second
	for _, test := range []struct {
		name  string
		facts facts
		want  protocols.Kind // "": there may still be a reply
	}{
		{"thinking", facts{limit: second, wall: second / 2}, ""},
		{"thinking, no limit", facts{limit: -1, wall: time.Hour}, ""},
		{"at the limit exactly", facts{limit: second, wall: second}, ""},
		{"past the limit", facts{limit: second, wall: second + 1}, protocols.KindTime},
		{"nothing left", facts{limit: 0, wall: 1}, protocols.KindTime},
		{"past a CPU limit", facts{limit: second, cpuClock: true, cpu: second + 1}, protocols.KindTime},
		{"at the wall time of a CPU limit", facts{limit: second, cpuClock: true, wall: 3 * second, wallLimit: 3 * second}, ""},
		{"asleep under a CPU limit", facts{limit: second, cpuClock: true, wall: 3*second + 1, wallLimit: 3 * second}, protocols.KindTime},
		{"without a CPU under a CPU limit", facts{limit: second, cpuClock: true, wall: time.Minute, wait: 57 * second, wallLimit: 3 * second}, ""},
		{"without a CPU for most of it", facts{limit: second, wall: 3 * second, wait: 2 * second}, ""},
		{"others took a part of the time", facts{limit: second, wall: 3 * second, excused: 2 * second}, ""},
		{"others took a part, and more is its own", facts{limit: second, wall: 3*second + 1, excused: 2 * second}, protocols.KindTime},
		{"parked", facts{limit: second, parked: true}, protocols.KindIdle},
		{"stopped", facts{limit: second, stopped: true}, protocols.KindIdle},
		{"parked, no limit", facts{limit: -1, parked: true}, protocols.KindIdle},
		{"parked, time over as well", facts{limit: second, wall: 2 * second, parked: true}, protocols.KindIdle},
		{"ended with 0", facts{limit: second, exited: true}, protocols.KindCrash},
		{"ended with 3", facts{limit: second, exited: true, status: exited(3)}, protocols.KindCrash},
		{"ended in the middle of a line", facts{limit: second, exited: true, rest: []byte("6?")}, protocols.KindCrash},
		{"ended, time over as well", facts{limit: second, wall: 2 * second, exited: true}, protocols.KindCrash},
		{"segmentation fault", facts{limit: second, exited: true, status: killed(syscall.SIGSEGV)}, protocols.KindCrash},
		{"abort", facts{limit: second, exited: true, status: killed(syscall.SIGABRT)}, protocols.KindCrash},
		{"killed by a stranger", facts{limit: second, exited: true, status: killed(syscall.SIGKILL)}, protocols.KindCrash},
		{"killed at the memory limit", facts{limit: second, exited: true, status: killed(syscall.SIGKILL), oom: true}, protocols.KindMemory},
		{"forbidden system call", facts{limit: second, exited: true, status: killed(syscall.SIGSYS)}, protocols.KindSecurity},
		{"the signal of one, where none is forbidden", facts{limit: second, exited: true, status: killed(syscall.SIGSYS), level: referee.LevelNone}, protocols.KindCrash},
		{"CPU limit of the system", facts{limit: second, exited: true, status: killed(syscall.SIGXCPU), cpuMost: second, used: second}, protocols.KindTime},
		{"the signal of that, too early", facts{limit: second, exited: true, status: killed(syscall.SIGXCPU), cpuMost: second, used: second - 1}, protocols.KindCrash},
		{"the same without a limit", facts{limit: second, exited: true, status: killed(syscall.SIGXCPU), used: time.Hour}, protocols.KindCrash},
		{"too many files", facts{limit: second, exited: true, status: killed(syscall.SIGKILL), filled: true}, protocols.KindOutput},
		{"file size limit of the system", facts{limit: second, exited: true, status: killed(syscall.SIGXFSZ)}, protocols.KindOutput},
		{"output closed", facts{limit: second, eof: true}, protocols.KindCrash},
		{"output closed on the way out", facts{limit: second, eof: true, leaving: true}, ""},
		{"a long line", facts{limit: second, line: referee.MaxLine}, ""},
		{"too long a line", facts{limit: second, line: referee.MaxLine + 1}, protocols.KindOutput},
		{"too long a line, then ended", facts{limit: second, line: referee.MaxLine + 1, exited: true}, protocols.KindOutput},
		{"standard error below the cap", facts{limit: second, stderr: referee.MaxStderr}, ""},
		{"standard error above the cap", facts{limit: second, stderr: referee.MaxStderr + 1}, protocols.KindOutput},
		{"memory at the limit", facts{limit: second, memory: 100, memoryLimit: 100}, ""},
		{"memory above the limit", facts{limit: second, memory: 101, memoryLimit: 100}, protocols.KindMemory},
		{"memory above the limit, then ended", facts{limit: second, memory: 101, memoryLimit: 100, exited: true}, protocols.KindMemory},
		{"memory without a limit", facts{limit: second, memory: 1 << 40}, ""},
		{"whole: output, not ended", facts{limit: second, whole: true, eof: true}, ""},
		{"whole: ended well", facts{limit: second, whole: true, eof: true, exited: true}, ""},
		{"whole: ended with 1", facts{limit: second, whole: true, eof: true, exited: true, status: exited(1)}, protocols.KindCrash},
		{"whole: killed", facts{limit: second, whole: true, exited: true, status: killed(syscall.SIGSEGV)}, protocols.KindCrash},
		{"whole: a long line is none", facts{limit: second, whole: true, line: referee.MaxLine + 1}, ""},
		{"whole: output at the cap", facts{limit: second, whole: true, output: referee.MaxOutput}, ""},
		{"whole: output above the cap", facts{limit: second, whole: true, output: referee.MaxOutput + 1}, protocols.KindOutput},
		{"whole: closed its output, time over", facts{limit: second, whole: true, eof: true, wall: 2 * second}, protocols.KindTime},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got protocols.Kind
			if f := test.facts.verdict(); f != nil {
				got = f.Kind
				if f.Detail == "" {
					t.Error("no detail")
				}
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestUntimely: a reply that is late only because of the machine counts as in time, as far as
// all that the contestant has computed is charged; beyond that, and for umpire's stalls, it makes
// the match void. One that is late anyway has lost, and before it comes nothing is said.
func TestUntimely(t *testing.T) {
	second := time.Second
	for _, test := range []struct {
		name  string
		facts facts
		late  bool
		cause referee.Cause
	}{
		{"in time, though it waited", facts{limit: second, wall: second, wait: second / 2}, false, ""},
		{"late", facts{limit: second, wall: 2 * second}, true, ""},
		{"late, and it waited a little", facts{limit: second, wall: 2 * second, wait: second / 2}, true, ""},
		{"late since it waited", facts{limit: second, wall: 2 * second, wait: second}, false, ""},
		{"late since it waited long, where CPU time can be hidden", facts{limit: second, wall: 2*second + 2, wait: second + 2}, false, referee.CauseMachine},
		{"late since it waited long", facts{limit: second, wall: 9 * second, cpu: second, wait: 8 * second, level: referee.LevelStrict}, false, ""},
		{"late since one of its threads waited", facts{limit: second, wall: 2 * second, cpu: 2 * second, wait: second, level: referee.LevelStrict}, false, referee.CauseMachine},
		{"late since it waited earlier", facts{limit: second, wall: 2 * second, waited: second}, false, referee.CauseMachine},
		{"late, though it waited earlier", facts{limit: second, wall: 2*second + 1, waited: second}, true, ""},
		{"no limit", facts{limit: -1, wall: time.Hour, wait: second}, false, ""},
		{"in time, but for a stall", facts{limit: second, wall: 4 * second, stall: 3 * second}, false, ""},
		{"late in spite of a stall", facts{limit: second, wall: 4*second + 1, stall: 3 * second}, true, ""},
		{"it computed while umpire did not run", facts{limit: second, wall: 4 * second, cpu: 3 * second, stall: 3 * second, doubt: 3 * second}, false, referee.CauseStall},
		{"and more than that", facts{limit: second, wall: 6 * second, cpu: 5 * second, stall: 3 * second, doubt: 3 * second}, true, ""},
		{"it did so earlier", facts{limit: second, wall: 2 * second, doubtful: second}, false, referee.CauseStall},
		{"a stall and the machine", facts{limit: second, wall: 3 * second, doubtful: second, wait: second}, false, referee.CauseStall},
		{"CPU time used while umpire did not run", facts{limit: second, cpuClock: true, wallLimit: -1, wall: 3 * second, cpu: 3 * second, stall: 3 * second, doubt: 2 * second}, false, referee.CauseStall},
		{"CPU time used anyway", facts{limit: second, cpuClock: true, wallLimit: -1, wall: 3 * second, cpu: 3 * second, wait: second}, true, ""},
		{"asleep while umpire did not run, CPU time limited", facts{limit: second, cpuClock: true, wallLimit: 3 * second, wall: 9 * second, stall: 6 * second}, false, ""},
		{"the bound of wall time where CPU time is limited", facts{limit: second, cpuClock: true, wallLimit: 3 * second, wall: 9 * second, stall: 5 * second, doubt: second}, true, ""},
	} {
		f := &test.facts
		late, void := f.late(), f.untimely()
		var cause referee.Cause
		if void != nil {
			cause = void.Cause
		}
		if (late != nil) != test.late || cause != test.cause {
			t.Errorf("%s: found failure %v, void %v, expected late %v, cause %q", test.name, late, void, test.late, test.cause)
		}
	}
}

// TestLateSaysWhy checks the reasons a late contestant is given.
func TestLateSaysWhy(t *testing.T) {
	second := time.Second
	for want, f := range map[string]facts{
		"it was ready and had no CPU for 1.500 s of 2.000 s: is the machine overloaded?": {limit: second, wall: 2 * second, wait: 3 * second / 2},
		"is the output flushed?": {limit: second, wall: 2 * second, cpu: second / 100},
		"it is seat 2's turn":    {seat: 2, limit: second, wall: 2 * second, cpu: second / 100},
		"it slept, or waits for a lock or a process, or did not flush this reply, or waits for a line that is not sent: it is seat 2's turn": {
			seat: 2, replied: true, limit: second, wall: 2 * second, cpu: second / 100},
		"is the output flushed? Or it slept, or waits for a lock or a process, or": {limit: second, wall: 2 * second, cpu: second / 100},
		"it used 1.000 s of CPU time: too slow, or an endless loop?":               {limit: second, wall: 9 * second / 4, cpu: second, wait: 6 * second / 5},
		"it used 1.050 s of CPU time: too slow, or":                                {limit: second, wall: 30 * second, cpu: 21 * second / 20, wait: 289 * second / 10},
		"it used 2.000 s of CPU time: its output counts only once it has ended":    {limit: second, whole: true, output: 1, wall: 2 * second, cpu: 2 * second},
		`CPU time: it wrote "5" without a newline`:                                 {replied: true, limit: second, wall: 2 * second, cpu: second / 100, rest: []byte("5")},
		"used only 0.400 s":                   {limit: second, wall: 2 * second, cpu: 2 * second / 5, quiet: 3 * second / 2},
		`it wrote "6" without a newline`:      {limit: second, wall: 2 * second, cpu: second / 100, rest: []byte("6")},
		"no reply within the 1.000 s left":    {limit: second, wall: 2 * second, cpu: 2 * second},
		"no reply within the 0.000001 s left": {limit: 1000, wall: second, cpu: second},
		"it used 2.000 s":                     {limit: second, cpuClock: true, cpu: 2 * second},
	} {
		if got := f.describeLate().Detail; !strings.Contains(got, want) {
			t.Errorf("got %q, want %q in it", got, want)
		}
	}
	waits := facts{seat: 2, limit: second, parked: true, replied: true}
	if got := waits.verdict().Detail; !strings.HasSuffix(got, "; it did not flush this reply, or waits for a line that is not sent: it is seat 2's turn") {
		t.Errorf("one that has answered before, and reads: got %q", got)
	}
}
