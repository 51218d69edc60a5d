package contestant

import (
	"os"
	"runtime"
	"testing"
)

// TestParkedCalls reads lines as the kernel writes them to /proc/PID/task/TID/syscall, with
// the numbers of each architecture's calls.
func TestParkedCalls(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(dir+"/fd", 0o755); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"0": "pipe:[7]", "1": "pipe:[8]", "3": "anon_inode:[eventfd]"} {
		if err := os.Symlink(to, dir+"/fd/"+name); err != nil {
			t.Fatal(err)
		}
	}
	const place = " 0xffffe0a9f6d0 0xffff8f2a3e20\n" // stack and program counter
	numbers := map[string]map[string]string{
		"amd64":   {"read": "0", "futex": "202", "wait4": "61", "waitid": "247", "pselect6": "270", "ppoll": "271", "nanosleep": "35", "clock_nanosleep": "230", "epoll_pwait": "281"},
		"arm64":   {"read": "63", "futex": "98", "wait4": "260", "waitid": "95", "pselect6": "72", "ppoll": "73", "nanosleep": "101", "clock_nanosleep": "115", "epoll_pwait": "22"},
		"riscv64": {"read": "63", "futex": "98", "wait4": "260", "waitid": "95", "pselect6": "72", "ppoll": "73", "nanosleep": "101", "clock_nanosleep": "115", "epoll_pwait": "22"},
	}[runtime.GOARCH]
	if numbers == nil {
		t.Skipf("no numbers of %s's calls stand here", runtime.GOARCH)
	}
	for _, c := range []struct {
		call, args    string
		parked, reads bool
	}{
		{"read", " 0x0 0xffff8f1c2000 0x400 0x0 0x0 0x0", true, true},
		{"read", " 0x3 0xffff8f1c2000 0x8 0x0 0x0 0x0", true, false},
		{"read", " 0x9 0xffff8f1c2000 0x8 0x0 0x0 0x0", false, false},                  // no such descriptor
		{"futex", " 0xffff8f1c2000 0x80 0x2 0x0 0x0 0x0", true, false},                 // FUTEX_WAIT_PRIVATE
		{"futex", " 0xffff8f1c2000 0x189 0x0 0x0 0x0 0xffffffff", true, false},         // FUTEX_WAIT_BITSET
		{"futex", " 0xffff8f1c2000 0x189 0x0 0xffffe0a9 0x0 0xffffffff", false, false}, // with a timeout
		{"futex", " 0xffff8f1c2000 0x81 0x1 0x0 0x0 0x0", false, false},                // FUTEX_WAKE
		{"wait4", " 0xffffffff 0xffffe0a9 0x0 0x0 0x0 0x0", true, false},
		{"waitid", " 0x0 0x0 0xffffe0a9 0x4 0x0 0x0", true, false},
		{"ppoll", " 0xffffe0a9 0x1 0x0 0x0 0x8 0x0", true, true},
		{"ppoll", " 0xffffe0a9 0x1 0xffffe0b9 0x0 0x8 0x0", false, true}, // with a timeout
		{"ppoll", " 0x0 0x0 0xffffe0b9 0x0 0x8 0x0", false, false},       // a sleep
		{"pselect6", " 0x1 0xffffe0a9 0x0 0x0 0x0 0xffffe0c9", true, true},
		{"pselect6", " 0x1 0xffffe0a9 0x0 0x0 0xffffe0b9 0xffffe0c9", false, true},
		{"pselect6", " 0x0 0x0 0x0 0x0 0xffffe0b9 0xffffe0c9", false, false},
		{"nanosleep", " 0xffffe0a9 0x0 0x0 0x0 0x0 0x0", false, false},
		{"clock_nanosleep", " 0x0 0x0 0xffffe0a9 0x0 0x0 0x0", false, false},
		{"epoll_pwait", " 0x4 0xffffe0a9 0x400 0xffffffff 0x0 0x8", false, true}, // until any file is ready, or a timer
		{"epoll_pwait", " 0x4 0xffffe0a9 0x400 0x64 0x0 0x8", false, true},
	} {
		call, ok := parseCall(numbers[c.call] + c.args + place)
		if !ok {
			t.Fatalf("%s%s is no call", c.call, c.args)
		}
		if parked, reads := call.parked(dir, pipeEnds{in: []string{"pipe:[7]"}}); parked != c.parked || (reads != nil) != c.reads {
			t.Errorf("%s%s: parked %v, reads %v; expected %v, %v", c.call, c.args, parked, reads, c.parked, c.reads)
		}
	}
	for _, line := range []string{"running\n", "-1 0xffffe0a9f6d0 0xffff8f2a3e20\n", ""} {
		if call, ok := parseCall(line); ok {
			t.Errorf("%q is %+v", line, call)
		}
	}
}
