// Package seccomp makes filters of system calls as BPF programs. It sets none:
// it knows no process, only the facts that a filter depends on.
package seccomp

import (
	"maps"
	"math"
	"slices"
	"sync"

	"golang.org/x/sys/unix"
)

// selfOnly calls take a process number first, by which processes of the same
// user, umpire among them, could be changed; 0, the caller itself, is allowed.
var selfOnly = []uintptr{
	unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETATTR,
}

const newNamespaces = unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWNS |
	unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP

const (
	actionKill   = unix.SECCOMP_RET_KILL_PROCESS
	actionEPERM  = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	actionENOSYS = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	actionENOTTY = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOTTY)
	actionENOMEM = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOMEM)
	actionEINVAL = unix.SECCOMP_RET_ERRNO | uint32(unix.EINVAL)
	actionENOLCK = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOLCK)
	actionIgnore = uint32(unix.SECCOMP_RET_ERRNO) // error 0: says that it has been done
	actionAllow  = unix.SECCOMP_RET_ALLOW
)

// Where the kernel puts the facts of a call that a filter sees.
const (
	offNumber = 0
	offArch   = 4
	offArgs   = 16
)

// OwnPID stands in a filter for the number of the process that installs it,
// which whoever sets the filter fills in. No process has it.
const OwnPID = 1<<31 - 1

// metadata lists calls that Landlock does not guard: a program could close its owner's
// files to their owner.
var metadata = []uintptr{
	unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT,
	unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_SETXATTRAT,
	unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR, unix.SYS_REMOVEXATTRAT,
	unix.SYS_FILE_SETATTR,
}

// filter is a BPF program being assembled.
type filter []unix.SockFilter

func (f *filter) add(code uint16, jt, jf uint8, k uint32) {
	*f = append(*f, unix.SockFilter{Code: code, Jt: jt, Jf: jf, K: k})
}

func (f *filter) load(offset uint32) { f.add(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, 0, 0, offset) }
func (f *filter) ret(action uint32)  { f.add(unix.BPF_RET|unix.BPF_K, 0, 0, action) }
func (f *filter) skip(n int)         { f.add(unix.BPF_JMP|unix.BPF_JA, 0, 0, uint32(n)) }

func (f *filter) and(bits uint32) { f.add(unix.BPF_ALU|unix.BPF_AND|unix.BPF_K, 0, 0, bits) }

// unless skips the next n instructions if what is loaded is not k.
func (f *filter) unless(k uint32, n int) { f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, 0, uint8(n), k) }

// below skips the next n instructions if what is loaded is less than k.
func (f *filter) below(k uint32, n int) { f.add(unix.BPF_JMP|unix.BPF_JGE|unix.BPF_K, 0, uint8(n), k) }

// reaches skips the next n instructions if what is loaded is at least k.
func (f *filter) reaches(k uint32, n int) {
	f.add(unix.BPF_JMP|unix.BPF_JGE|unix.BPF_K, uint8(n), 0, k)
}

// without skips the next n instructions if what is loaded has none of the bits.
func (f *filter) without(bits uint32, n int) {
	f.add(unix.BPF_JMP|unix.BPF_JSET|unix.BPF_K, 0, uint8(n), bits)
}

// rules say for each call that is in a list what is to be done: a block of
// instructions that ends with an answer.
type rules map[uintptr]filter

func answer(action uint32) (f filter) {
	f.ret(action)
	return f
}

// only answers with one action if an argument has one of the values, or with
// the other.
func only(arg int, then, otherwise uint32, values ...uint32) (f filter) {
	f.load(uint32(offArgs + 8*arg)) // the low half, on little endian machines
	for _, v := range values {
		f.unless(v, 1)
		f.ret(then)
	}
	f.ret(otherwise)
	return f
}

func (r rules) each(calls []uintptr, action uint32) {
	for _, nr := range calls {
		r[nr] = answer(action)
	}
}

// span is a row of calls, one number after the other, with the same rule: from a number
// to that of the next span.
type span struct {
	from uintptr
	rule filter
}

// spans returns the rules in the order of the calls' numbers, and between them the one
// of all that have none.
func (r rules) spans(unlisted filter) (list []span) {
	add := func(from uintptr, rule filter) {
		if len(list) == 0 || !slices.Equal(list[len(list)-1].rule, rule) {
			list = append(list, span{from, rule})
		}
	}
	next := uintptr(0)
	for _, nr := range slices.Sorted(maps.Keys(r)) {
		if nr > next {
			add(next, unlisted)
		}
		add(nr, r[nr])
		next = nr + 1
	}
	add(next, unlisted)
	return list
}

// search finds the rule for the loaded number of a call. The kernel runs the
// filter for every number when it is set, to remember what is always allowed:
// a list of a hundred comparisons would take a tenth of a millisecond.
func search(spans []span) (f filter) {
	if len(spans) == 1 {
		return spans[0].rule
	}
	middle := len(spans) / 2
	left, right := search(spans[:middle]), search(spans[middle:])
	if from := uint32(spans[middle].from); len(left) <= math.MaxUint8 {
		f.reaches(from, len(left))
	} else {
		f.below(from, 1)
		f.skip(len(left))
	}
	return slices.Concat(f, left, right)
}

// Key holds all that a filter depends on.
type Key struct {
	// SharedNamespaces: the program is in umpire's own namespaces, as at basic,
	// and kept by Landlock. The filter closes what that leaves open.
	SharedNamespaces bool
	// Writes: the program was given a folder to write in, as a compiler is. No
	// other may lock files, since two contestants could talk by locks on a file
	// both may read.
	Writes bool
	// OwnUser: the program runs as umpire's own user.
	OwnUser bool
	// BoundsShared: no control group counts memory that is shared without a file, which
	// stands in no process's account once it is not mapped. A mapping of it has MaxShared
	// bytes at most.
	BoundsShared bool
	// Landlock is the version of Landlock, used with SharedNamespaces alone.
	Landlock int
	// KillsUnlisted: a call that is in no list kills the program. It is for tests, which
	// find by it what an honest program calls beyond the lists.
	KillsUnlisted bool
}

// Filters makes filters, and remembers those it has made. Its zero value is ready, and
// may be used by several goroutines.
type Filters struct{ made sync.Map }

// For returns the filter of a key, which is not to be changed. Where it says OwnPID,
// the program's number is to be put.
func (s *Filters) For(k Key) []unix.SockFilter {
	f, ok := s.made.Load(k)
	if !ok {
		f, _ = s.made.LoadOrStore(k, newFilter(k))
	}
	return f.([]unix.SockFilter)
}

func newFilter(k Key) []unix.SockFilter {
	unlisted := actionENOSYS
	if k.KillsUnlisted {
		unlisted = actionKill
	}
	r := rules{}
	r.each(allowList, actionAllow)
	r.each(slices.Concat(killList, killListHere), actionKill)
	r.each(slices.Concat(epermList, epermListHere), actionEPERM)
	r.each(enosysList, actionENOSYS)
	r.each(einvalList, actionEINVAL)
	r.arguments()
	if !k.Writes {
		r.locks()
	}
	if k.BoundsShared {
		r[unix.SYS_MMAP] = boundedShare()
	}
	if k.SharedNamespaces {
		r.sharedNamespaces(k)
	}
	var f filter
	f.load(offArch)
	f.unless(auditArch, 1)
	f.skip(1)
	f.ret(actionKill)
	f.load(offNumber)
	f.foreign()
	return append(f, search(r.spans(answer(unlisted)))...)
}

// arguments adds the calls that depend on their arguments.
func (r rules) arguments() {
	var clone filter
	clone.load(offArgs)
	clone.without(newNamespaces, 1)
	clone.ret(actionKill)
	clone.ret(actionAllow)
	r[unix.SYS_CLONE] = clone
	for _, nr := range []uintptr{unix.SYS_SOCKET, unix.SYS_SOCKETPAIR} {
		r[nr] = only(0, actionAllow, actionEPERM, unix.AF_UNIX)
	}
	for _, nr := range selfOnly {
		r[nr] = only(0, actionAllow, actionEPERM, 0)
	}
	r[unix.SYS_SCHED_SETSCHEDULER] = scheduler()
	r[unix.SYS_PRLIMIT64] = prlimit()
	r[unix.SYS_SETRLIMIT] = only(0, actionIgnore, actionAllow, unix.RLIMIT_CORE)
	r[unix.SYS_SETPRIORITY] = priority()
	r[unix.SYS_PRCTL] = prctl(unix.PR_SCHED_CORE, unix.PR_SET_SECCOMP)
	// The space for filters is the whole machine's.
	r[unix.SYS_SECCOMP] = only(0, actionEPERM, actionAllow, unix.SECCOMP_SET_MODE_FILTER)
	r[unix.SYS_SETSOCKOPT] = only(2, actionEPERM, actionAllow, unix.SO_ATTACH_FILTER, unix.SO_ATTACH_BPF,
		unix.SO_ATTACH_REUSEPORT_CBPF, unix.SO_ATTACH_REUSEPORT_EBPF)
	// What others will read again is to stay in memory.
	r[unix.SYS_FADVISE64] = only(3, actionIgnore, actionAllow, unix.FADV_DONTNEED)
	// Typing into, or driving, the terminal that umpire runs in.
	r[unix.SYS_IOCTL] = ioctl(unix.TIOCSTI, tioclinux)
}

// ioctl allows the commands of terminals, pipes and sockets but those refused. Those of
// files could leave flags and numbers in a file for the next match.
func ioctl(refused ...uint32) (f filter) {
	f = only(1, actionEPERM, actionAllow, refused...).unanswered()
	f.and(0xff00) // who a command belongs to
	for _, family := range []uint32{unix.TIOCSTI & 0xff00, siocspgrp & 0xff00} {
		f.unless(family, 1)
		f.ret(actionAllow)
	}
	f.ret(actionENOTTY)
	return f
}

// MaxShared is the size of the largest mapping of shared memory without a file, in bytes,
// where it is bounded.
const MaxShared = 4 << 20

// boundedShare allows mappings of shared memory without a file up to MaxShared.
func boundedShare() (f filter) {
	f.load(offArgs + 8*3)
	f.without(unix.MAP_ANONYMOUS, 6)
	f.without(unix.MAP_SHARED, 5)
	f.load(offArgs + 8 + 4)
	f.unless(0, 2)
	f.load(offArgs + 8)
	f.below(MaxShared+1, 1)
	f.ret(actionENOMEM)
	f.ret(actionAllow)
	return f
}

// scheduler allows the caller, named as 0, a policy of its own. Mono names its
// threads by number, which a filter can't tell from another's, and gives each the
// ordinary policy, which it has already: it is told that it has been done.
func scheduler() filter {
	return append(only(0, actionAllow, actionEPERM, 0).unanswered(), only(1, actionIgnore, actionEPERM, unix.SCHED_NORMAL)...)
}

// prlimit allows limits of the caller itself. That of cores stays as it is: to a
// core_pattern that is a program 0, to which it could be lowered, means no limit.
// Some runtimes lower it, and are told that it has been done.
func prlimit() (f filter) {
	f.load(offArgs)
	f.unless(0, 1)
	f.skip(1)
	f.ret(actionEPERM)
	f.load(offArgs + 8)
	f.unless(unix.RLIMIT_CORE, 6)
	f.load(offArgs + 16) // the address of the new limit
	f.unless(0, 3)
	f.load(offArgs + 16 + 4)
	f.unless(0, 1)
	f.ret(actionAllow) // it only asks
	f.ret(actionIgnore)
	f.ret(actionAllow)
	return f
}

// prctl allows the options in the list but those refused. Others give EINVAL, as on a kernel
// that does not have them: some take memory that stands in no process's account.
func prctl(refused ...uint32) filter {
	return append(only(0, actionEPERM, actionAllow, refused...).unanswered(), only(0, actionAllow, actionEINVAL, prctlOptions...)...)
}

// priority allows that of the caller itself, not of a group or of a user.
func priority() (f filter) {
	f.load(offArgs)
	f.unless(unix.PRIO_PROCESS, 3)
	f.load(offArgs + 8)
	f.unless(0, 1)
	f.ret(actionAllow)
	f.ret(actionEPERM)
	return f
}

// sharedNamespaces closes what a program can reach that shares umpire's
// namespaces, and that Landlock leaves open.
func (r rules) sharedNamespaces(k Key) {
	// Services of the user and of the machine listen on sockets that are files
	// (D-Bus, docker), on which Landlock has no say. A pair reaches nobody.
	r[unix.SYS_SOCKET] = answer(actionEPERM)
	// What a removed file takes on the disk is seen only while a process has it
	// open, not under way in a message; and only of processes that can be looked at.
	r.each([]uintptr{unix.SYS_SENDMSG, unix.SYS_SENDMMSG}, actionEPERM)
	r[unix.SYS_PRCTL] = prctl(unix.PR_SET_DUMPABLE, unix.PR_SCHED_CORE, unix.PR_SET_SECCOMP)
	// Signals by way of who owns a descriptor.
	r[unix.SYS_FCNTL] = append(only(1, actionEPERM, actionAllow, unix.F_SETOWN, unix.F_SETOWN_EX, unix.F_SETSIG).
		unanswered(), r[unix.SYS_FCNTL]...)
	r[unix.SYS_IOCTL] = ioctl(unix.TIOCSTI, tioclinux, fiosetown, siocspgrp)
	// Linkers mark what they make as executable, and give up if they can't:
	// a compiler is told that it has been done.
	action := actionEPERM
	if k.Writes {
		action = actionIgnore
	}
	r.each(slices.Concat(metadata, metadataHere), action)
	if k.OwnUser && k.Landlock < 6 {
		r.signals()
	}
	if k.Landlock < 3 {
		r.truncation()
	}
}

// unanswered is a rule without its last answer, to be followed by another.
func (f filter) unanswered() filter { return f[:len(f)-1] }

// signals lets a program send signals to itself and its group alone, as a
// process number does not tell whether the process is a contestant's. Its
// children can send none, not even to themselves.
func (r rules) signals() {
	r[unix.SYS_KILL] = only(0, actionAllow, actionEPERM, 0, OwnPID)
	for _, nr := range []uintptr{unix.SYS_TKILL, unix.SYS_TGKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO} {
		r[nr] = only(0, actionAllow, actionEPERM, OwnPID)
	}
	r[unix.SYS_PIDFD_SEND_SIGNAL] = answer(actionEPERM)
}

// truncation refuses to cut off files but by a descriptor that was opened for
// writing, of which Landlock has judged.
func (r rules) truncation() {
	r[unix.SYS_TRUNCATE] = answer(actionEPERM)
	r[unix.SYS_OPENAT] = truncating(2)
	r[unix.SYS_OPENAT2] = answer(actionENOSYS) // its flags can't be seen
	if sysOpen != 0 {
		r[sysOpen] = truncating(1)
	}
}

// truncating refuses flags by which what is not opened for writing is cut off.
func truncating(arg int) (f filter) {
	f.load(uint32(offArgs + 8*arg))
	f.without(unix.O_TRUNC, 6)
	f.and(unix.O_ACCMODE)
	for _, mode := range []uint32{unix.O_WRONLY, unix.O_RDWR} {
		f.unless(mode, 1)
		f.ret(actionAllow)
	}
	f.ret(actionEPERM)
	f.ret(actionAllow)
	return f
}

// Commands of ioctl that x/sys/unix does not have.
const (
	fiosetown = 0x8901
	siocspgrp = 0x8902
	tioclinux = 0x541C
)

// locks refuses file locks, and watching files, which tells of others' reads.
// A JVM locks a file of its own at its start and complains on standard output
// if it can't: flock does nothing, and says that it has.
func (r rules) locks() {
	r[unix.SYS_FLOCK] = answer(actionIgnore)
	r[unix.SYS_INOTIFY_ADD_WATCH] = answer(actionEPERM)
	r[unix.SYS_FCNTL] = only(1, actionENOLCK, actionAllow,
		unix.F_GETLK, unix.F_SETLK, unix.F_SETLKW, unix.F_OFD_GETLK, unix.F_OFD_SETLK, unix.F_OFD_SETLKW,
		unix.F_SETLEASE, unix.F_GETLEASE, unix.F_NOTIFY)
}
