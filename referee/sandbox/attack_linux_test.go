package sandbox

import (
	"slices"
	"strings"
	"syscall"

	"umpire/referee"
)

// attack is a program of testdata/attacks and what is expected of it.
type attack struct {
	name   string
	args   []string
	limits Limits

	// What it gets away with, as it says itself, parted by semicolons, at
	// none, at basic, and at box and strict. "*" is anything: the level does
	// not promise to prevent it. "-" is never run.
	none, basic, box string

	deadly  bool // above none a forbidden system call ends it: verdict security
	memory  bool // the memory limit ends it: verdict memory
	crash   bool // a signal of its own ends it at every level: verdict crash
	kill    bool // the test kills it in the end: verdict time
	stops   bool // it stops itself: verdict idle
	fills   bool // at basic it writes too much before it is found out: verdict output
	forks   bool // at basic, of umpire's own user, it makes too many processes before it is found out: verdict security
	channel bool // the test looks for traces while it runs
	cpu     bool // its children use 0.4 s
}

// attacks is the corpus.
var attacks = slices.Concat([]attack{
	{name: "fork_bomb", none: "-", forks: true},
	{name: "fork_bomb.py", none: "-", forks: true},
	{name: "kill_parent", none: "-"},
	{name: "kill_all", none: "-"},
	{name: "kill_others", none: "-"},
	{name: "signal_supervisor", none: "-"},
	{name: "tamper_supervisor", none: "-"},
	{name: "child_storm", none: "-"},
	{name: "kernel_settings", none: "-"},
	{name: "trace", none: "*", deadly: true},
	{name: "read_memory", none: "*", deadly: true},
	{name: "read_proc", none: "*"},
	{name: "secrets", none: "*"},
	{name: "secrets.py", none: "*"},
	{name: "write_outside", none: "*"},
	{name: "fill_disk", none: "-", basic: "*", fills: true},
	{name: "many_files", none: "-", basic: "*", fills: true},
	{name: "hide_disk", args: []string{"open"}, none: "-", basic: "*", fills: true},
	{name: "hide_disk", args: []string{"mapped"}, none: "-", basic: "*", fills: true},
	{name: "hide_disk", args: []string{"unreadable"}, none: "-", basic: "*", fills: true},
	{name: "hide_disk", args: []string{"deep"}, none: "-", basic: "*", fills: true},
	{name: "hide_disk", args: []string{"reserved"}, none: "-", basic: "*", fills: true},
	{name: "hide_disk", args: []string{"leader"}, none: "-", basic: "*", fills: true},
	{name: "hide_disk", args: []string{"table"}, none: "-", basic: "*", fills: true},
	{name: "hide_disk", args: []string{"sent"}, none: "-"},
	{name: "hide_disk", args: []string{"undumpable"}, none: "-"},
	{name: "priority", none: "-"},
	{name: "many_descriptors", none: "*"},
	{name: "memory_one", limits: Limits{Memory: 64 << 20}, memory: true},
	{name: "memory_children", limits: Limits{Memory: 64 << 20}, memory: true},
	{name: "memory_shared", limits: Limits{Memory: 64 << 20}, memory: true},
	{name: "memory_leader", limits: Limits{Memory: 64 << 20}, memory: true},
	{name: "memory_tables", limits: Limits{Memory: 64 << 20}, memory: true},
	{name: "memory_sockets", limits: Limits{Memory: 64 << 20}, memory: true},
	{name: "memory_memfd", limits: Limits{Memory: 64 << 20}, none: "memory"},
	{name: "cpu_children", cpu: true},
	{name: "daemon_quiet"},
	{name: "daemon_pipes"},
	{name: "fork_chain"},
	{name: "network", none: "*"},
	{name: "channels", none: "*", channel: true},
	{name: "limits", none: "*"},
	{name: "refused", none: "*"},
	{name: "stop_self", kill: true, stops: true},
	{name: "ignore_signals", kill: true},
	{name: "stack_overflow", crash: true},
	{name: "core_dump", none: "*", crash: true},
	{name: "core_dump", args: []string{"0"}, none: "*", crash: true},
	{name: "symlink", none: "-"},
	{name: "terminal", none: "*"},
}, forbidden(
	"ptrace", "keyctl", "add_key", "unshare", "clone", "setns", "mount", "open_tree_attr", "umount", "bpf", "userfaultfd",
	"process_vm_writev", "open_by_handle_at", "init_module", "kexec_load", "chroot",
))

func forbidden(names ...string) []attack {
	var list []attack
	for _, name := range names {
		list = append(list, attack{name: "forbidden", args: []string{name}, none: "-", deadly: true})
	}
	return list
}

func (a attack) title() string { return strings.Join(append([]string{a.name}, a.args...), "/") }

// fillsUntilFound reports whether it is killed once a look finds what it has
// written: what holds files between two looks alone is not found.
func (a attack) fillsUntilFound(level referee.Level) bool {
	return a.fills && level == referee.LevelBasic
}

// expected lists the effects that it may have; ok is false if any.
func (a attack) expected(level referee.Level) (got string, ok bool) {
	switch level {
	case referee.LevelNone:
		return a.none, a.none != "*"
	case referee.LevelBasic:
		if a.forks && !ownUIDs() {
			return "", false
		}
		return a.basic, a.basic != "*"
	}
	return a.box, true
}

// ending says how it ended, in the words of verdicts.
func ending(exit Exit, killed bool) string {
	switch {
	case exit.Err != nil:
		return "void"
	case exit.Status.CoreDump():
		return "core"
	case exit.OutOfMemory:
		return "memory"
	case exit.OutOfDisk:
		return "output"
	case exit.OutOfProcesses:
		return "security"
	case killed:
		return "killed"
	case exit.Status.Signaled() && exit.Status.Signal() == syscall.SIGSYS:
		return "security"
	case exit.Status != 0:
		return "crash"
	}
	return "ok"
}

// ends is how it is expected to end.
func (a attack) ends(level referee.Level) string {
	switch {
	case a.deadly && level != referee.LevelNone:
		return "security"
	case a.memory:
		return "memory"
	case a.fillsUntilFound(level):
		return "output"
	case a.forks && level == referee.LevelBasic && !ownUIDs():
		return "security"
	case a.kill:
		return "killed"
	case a.crash:
		return "crash"
	}
	return "ok"
}

// verdict is that of a match, given how it ends; "" is any.
func (a attack) verdict(level referee.Level) string {
	switch end := a.ends(level); {
	case a.stops:
		return "idle"
	case end == "killed":
		return "time"
	default:
		return end
	}
}
