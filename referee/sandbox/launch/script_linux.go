// Package launch starts programs by launch scripts: lists of system calls that a
// small process, the fork server, has made between fork and exec. A supervisor
// stays with each program, and ends what it leaves behind. The package knows no
// levels and no limits: what a script sets up is its caller's to say.
package launch

import (
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Script lists the steps of a new process between fork and exec, as data: system
// calls in order, with everything they point to. It is made in umpire with all of Go
// at hand, sent to the fork server, and carried out there by a loop that needs no
// more than a stack, since after a fork without exec there is no Go runtime.
type Script struct {
	Flags   uintptr // clone flags of the supervisor
	OwnPIDs bool    // the supervisor is process 1 of a namespace
	Many    bool    // the supervisor starts programs one after the other, in a cell
	Lists   int     // in a cell, how many lists of objects it checks

	calls    [4][]call   // by part; the last of partProgram is execve
	data     []byte      // what addresses point into; word 0 is not used
	pointers []int32     // offsets in data of offsets that become addresses
	files    []int       // descriptors that go along; 0 is the report
	into     int         // index of a control group's folder in files; 0: none to fork into
	names    [5][]string // of the calls, by part, and of the cell's setup, for messages
}

// kind says how the argument of a call is to be read.
type kind uint8

const (
	literal    kind = iota
	address         // an offset in data
	descriptor      // an index in files
	result          // a word of data, in which an earlier call left its result
)

// Arg is an argument of a call.
type Arg struct {
	value uintptr
	kind  kind
}

// call is a system call as it is sent.
type call struct {
	number uintptr
	args   [6]uintptr
	kinds  [6]kind
	pass   uint16 // an error that is no failure
	store  int32  // the word of data that takes the result; 0: none
}

// CallSize is the room that a call takes in a script, in bytes, without what it
// points to.
const CallSize = int(unsafe.Sizeof(call{}))

// Arguments that every script has.
var (
	ReportFile  = Arg{0, descriptor}       // the socket that the supervisor reports on: file 0
	programFile = Arg{programWord, result} // the program's pidfd
	AtCwd       = Arg{value: ^uintptr(99)} // AT_FDCWD
)

// newScript returns an empty script whose report is a descriptor.
func newScript(report int) *Script {
	p := &Script{data: make([]byte, 8, 16<<10), files: []int{report}}
	p.calls[partSetup], p.calls[partProgram] = make([]call, 0, 256), make([]call, 0, 128)
	return p
}

// reset empties a script of which nothing is used any more, and keeps its room.
func (p *Script) reset(report int) {
	clear(p.data[:8])
	empty := Script{data: p.data[:8], pointers: p.pointers[:0], files: append(p.files[:0], report)}
	for i := range p.calls {
		empty.calls[i], empty.names[i] = p.calls[i][:0], p.names[i][:0]
	}
	*p = empty
}

// Add puts bytes into the script, aligned for any type, and returns where.
func (p *Script) Add(b []byte) Arg {
	for len(p.data)%8 != 0 {
		p.data = append(p.data, 0)
	}
	at := len(p.data)
	p.data = append(p.data, b...)
	return Arg{uintptr(at), address}
}

// Str puts a C string into the script.
func (p *Script) Str(s string) Arg {
	at := p.Add(nil)
	p.data = append(append(p.data, s...), 0)
	return at
}

// Strs puts an array of C strings, ended by a null pointer, into the script.
func (p *Script) Strs(list []string) Arg {
	at := make([]Arg, len(list))
	for i, s := range list {
		at[i] = p.Str(s)
	}
	array := p.Add(make([]byte, 8*(len(list)+1)))
	for i, a := range at {
		p.Point(array, 8*i, a)
	}
	return array
}

// Point makes the 8 bytes at an offset from an address the address to.
func (p *Script) Point(at Arg, offset int, to Arg) {
	off := int(at.value) + offset
	*(*uintptr)(unsafe.Pointer(&p.data[off])) = to.value
	p.pointers = append(p.pointers, int32(off))
}

// File lets a descriptor go along and returns the argument that stands for it.
// Each goes along once, since a message takes no more than maxFiles.
func (p *Script) File(fd int) Arg {
	if i := slices.Index(p.files[1:], fd); i >= 0 {
		return Arg{uintptr(i + 1), descriptor}
	}
	p.files = append(p.files, fd)
	return Arg{uintptr(len(p.files) - 1), descriptor}
}

// ForkInto lets the program be forked into the control group (v2) of a folder, an
// open descriptor. Where the kernel refuses that, it makes the calls of Joining.
func (p *Script) ForkInto(folder int) { p.into = int(p.File(folder).value) }

// closeReport closes umpire's copy of the supervisor's end of the report.
func (p *Script) closeReport() {
	if p.files[0] >= 0 {
		unix.Close(p.files[0])
		p.files[0] = -1
	}
}

// Structure puts a value without pointers into a script.
func Structure[T any](p *Script, v T) Arg { return p.Add(bytesOfOne(&v)) }

// List puts a list of values without pointers into a script.
func List[T any](p *Script, list []T) Arg { return p.Add(bytesOf(list)) }

// Num is an argument that is a number.
func Num[T ~int | ~uint32 | ~uint64 | ~uintptr](n T) Arg { return Arg{value: uintptr(n)} }

// Setup is a script's list of calls of one process, being written.
type Setup struct {
	*Script
	part int32
}

// Supervisor is what the supervisor does before it forks the program.
func (p *Script) Supervisor() Setup { return Setup{p, partSetup} }

// Program is what the program does, up to and including its exec.
func (p *Script) Program() Setup { return Setup{p, partProgram} }

// Started is what the supervisor does once the program has been executed.
func (p *Script) Started() Setup { return Setup{p, partStarted} }

// Joining is what the program does first, unless it is forked into its group.
func (p *Script) Joining() Setup { return Setup{p, partJoin} }

// Do adds a call that must succeed; name says what it is for.
func (s Setup) Do(name string, number uintptr, args ...Arg) {
	c := call{number: number}
	for i, a := range args {
		c.args[i], c.kinds[i] = a.value, a.kind
	}
	s.calls[s.part] = append(s.calls[s.part], c)
	s.names[s.part] = append(s.names[s.part], name)
}

// Try is Do for a call that may fail with one error.
func (s Setup) Try(name string, pass unix.Errno, number uintptr, args ...Arg) {
	s.Do(name, number, args...)
	s.last().pass = uint16(pass)
}

// Get is Do for a call whose result is wanted by a later one.
func (s Setup) Get(name string, number uintptr, args ...Arg) Arg {
	word := s.Add(make([]byte, 4)).value / 4
	s.store(word, name, number, args...)
	return Arg{word, result}
}

// Put is Do for a call whose result goes into the 4 bytes at an offset from an address.
func (s Setup) Put(at Arg, offset uintptr, name string, number uintptr, args ...Arg) {
	s.store((at.value+offset)/4, name, number, args...)
}

func (s Setup) store(word uintptr, name string, number uintptr, args ...Arg) {
	s.Do(name, number, args...)
	s.last().store = int32(word)
}

// last is the last call so far.
func (s Setup) last() *call { return &s.calls[s.part][len(s.calls[s.part])-1] }

// Keep gives a descriptor a number by which it is known later. It may have that
// already, which dup3 takes for an error.
func (s Setup) Keep(fd Arg, number int) {
	s.Try("keep descriptor", unix.EINVAL, unix.SYS_DUP3, fd, Num(number), Num(unix.O_CLOEXEC))
}

// CloseFrom closes all descriptors from a number on.
func (s Setup) CloseFrom(number int) {
	s.Do("close descriptors", unix.SYS_CLOSE_RANGE, Num(number), Num(uint32(1<<31-1)), Num(0))
}

// header is in front of an encoded launch script: the numbers of what follows.
type header struct {
	flags          uint64
	calls          [4]int32 // how many: setup, program, started, joining
	data, pointers int32
	files          int32
	pidns, many    int32
	lists          int32 // of objects, in a cell
	into, _        int32 // index of a control group's folder
}

// encode lays the launch script out for the fork server, which is the same
// program and so knows the layout.
func (p *Script) encode() []byte {
	p.Add(nil) // aligns what follows
	h := header{
		flags: uint64(p.Flags), lists: int32(p.Lists), into: int32(p.into),
		data: int32(len(p.data)), pointers: int32(len(p.pointers)), files: int32(len(p.files)),
	}
	for i, calls := range p.calls {
		h.calls[i] = int32(len(calls))
	}
	if p.OwnPIDs {
		h.pidns = 1
	}
	if p.Many {
		h.many = 1
	}
	b := make([]byte, 0, int(unsafe.Sizeof(h))+h.size())
	b = append(b, bytesOfOne(&h)...)
	b = append(b, p.data...)
	for _, calls := range p.calls {
		b = append(b, bytesOf(calls)...)
	}
	return append(b, bytesOf(p.pointers)...)
}

func bytesOfOne[T any](v *T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(v)), unsafe.Sizeof(*v))
}

func bytesOf[T any](list []T) []byte {
	var t T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), len(list)*int(unsafe.Sizeof(t)))
}

// size is the length of what follows the header.
//
//go:nosplit
//go:norace
func (h *header) size() int {
	calls := int(h.calls[0] + h.calls[1] + h.calls[2] + h.calls[3])
	return int(h.data) + calls*CallSize + 4*int(h.pointers)
}
