package sandbox

import (
	"slices"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// launchScript lists the steps of a new process between fork and exec, as data:
// system calls in order, with everything they point to. It is made in umpire
// with all of Go at hand, sent to the fork server, and carried out there by a
// loop that needs no more than a stack, since after a fork without exec there
// is no Go runtime.
type launchScript struct {
	flags    uintptr     // clone flags of the supervisor
	setup    []call      // by the supervisor, before it forks the program
	program  []call      // by the program, the last being execve
	started  []call      // by the supervisor, once the program has been executed
	data     []byte      // what addresses point into; word 0 is not used
	pointers []int32     // offsets in data of offsets that become addresses
	files    []int       // descriptors that go along; 0 is the report
	joining  []call      // by the program, first, unless it is forked into its control group
	into     int         // index of that group's folder in files; 0: none to fork into
	names    [5][]string // of the calls of setup, program, started and joining, and of the cell's setup, for messages
	pidns    bool        // the supervisor is pid 1 of a namespace
	many     bool        // the supervisor starts programs one after the other
	lists    int         // then, how many lists of objects it looks at
}

// kind says how the argument of a call is to be read.
type kind uint8

const (
	literal    kind = iota
	address         // an offset in data
	descriptor      // an index in files
	result          // a word of data, in which an earlier call left its result
)

// arg is an argument of a call.
type arg struct {
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

// The report is file 0 of every launch script.
var reportFile = arg{0, descriptor}

func newLaunchScript(report int) *launchScript {
	p := launchScripts.Get().(*launchScript)
	p.files = append(p.files, report)
	return p
}

// launchScripts has room for what a launch at box takes.
var launchScripts = sync.Pool{New: func() any {
	return &launchScript{data: make([]byte, 8, 16<<10), setup: make([]call, 0, 256), program: make([]call, 0, 128)}
}}

// recycle keeps the room of a launch script of which nothing is used any more.
func (p *launchScript) recycle() {
	clear(p.data[:8])
	*p = launchScript{
		data: p.data[:8], setup: p.setup[:0], program: p.program[:0], started: p.started[:0],
		joining: p.joining[:0], pointers: p.pointers[:0], files: p.files[:0],
		names: [...][]string{p.names[0][:0], p.names[1][:0], p.names[2][:0], p.names[3][:0], nil},
	}
	launchScripts.Put(p)
}

// add puts bytes into the data, aligned for any type, and returns where.
func (p *launchScript) add(b []byte) arg {
	for len(p.data)%8 != 0 {
		p.data = append(p.data, 0)
	}
	at := len(p.data)
	p.data = append(p.data, b...)
	return arg{uintptr(at), address}
}

// str puts a C string into the data.
func (p *launchScript) str(s string) arg {
	at := p.add(nil)
	p.data = append(append(p.data, s...), 0)
	return at
}

// strs puts an array of C strings, ended by a null pointer, into the data.
func (p *launchScript) strs(list []string) arg {
	at := make([]arg, len(list))
	for i, s := range list {
		at[i] = p.str(s)
	}
	array := p.add(make([]byte, 8*(len(list)+1)))
	for i, a := range at {
		p.point(array, 8*i, a)
	}
	return array
}

// point makes the 8 bytes at an offset from an address the address to.
func (p *launchScript) point(at arg, offset int, to arg) {
	off := int(at.value) + offset
	*(*uintptr)(unsafe.Pointer(&p.data[off])) = to.value
	p.pointers = append(p.pointers, int32(off))
}

// word reserves a word for a result.
func (p *launchScript) word() arg { return arg{p.add(make([]byte, 4)).value / 4, result} }

// file lets a descriptor go along and returns the argument that stands for it.
// Each goes along once, since a message takes no more than maxFiles.
func (p *launchScript) file(fd int) arg {
	if i := slices.Index(p.files[1:], fd); i >= 0 {
		return arg{uintptr(i + 1), descriptor}
	}
	p.files = append(p.files, fd)
	return arg{uintptr(len(p.files) - 1), descriptor}
}

// structure puts a value without pointers into the data.
func structure[T any](p *launchScript, v T) arg {
	return p.add(unsafe.Slice((*byte)(unsafe.Pointer(&v)), unsafe.Sizeof(v)))
}

func num[T ~int | ~uint32 | ~uint64 | ~uintptr](n T) arg { return arg{value: uintptr(n)} }

func makeCall(number uintptr, args []arg) call {
	c := call{number: number}
	for i, a := range args {
		c.args[i], c.kinds[i] = a.value, a.kind
	}
	return c
}

// childSetup is the list of calls of one process, being written.
type childSetup struct {
	*launchScript
	calls *[]call
	names *[]string
}

func (p *launchScript) supervisor() childSetup { return childSetup{p, &p.setup, &p.names[0]} }
func (p *launchScript) contestant() childSetup { return childSetup{p, &p.program, &p.names[1]} }
func (p *launchScript) afterwards() childSetup { return childSetup{p, &p.started, &p.names[2]} }
func (p *launchScript) joiner() childSetup     { return childSetup{p, &p.joining, &p.names[3]} }

// do adds a call that must succeed; name says what it is for.
func (s childSetup) do(name string, number uintptr, args ...arg) {
	*s.calls = append(*s.calls, makeCall(number, args))
	*s.names = append(*s.names, name)
}

// try is do for a call that may fail with one error.
func (s childSetup) try(name string, pass unix.Errno, number uintptr, args ...arg) {
	s.do(name, number, args...)
	(*s.calls)[len(*s.calls)-1].pass = uint16(pass)
}

// get is do for a call whose result is wanted by a later one.
func (s childSetup) get(name string, number uintptr, args ...arg) arg {
	w := s.word()
	s.put(w.value, name, number, args...)
	return w
}

// put is do for a call whose result goes into a word of data.
func (s childSetup) put(word uintptr, name string, number uintptr, args ...arg) {
	s.do(name, number, args...)
	(*s.calls)[len(*s.calls)-1].store = int32(word)
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
func (p *launchScript) encode() []byte {
	for len(p.data)%8 != 0 {
		p.data = append(p.data, 0)
	}
	h := header{
		flags: uint64(p.flags), calls: [4]int32{int32(len(p.setup)), int32(len(p.program)), int32(len(p.started)), int32(len(p.joining))},
		data: int32(len(p.data)), pointers: int32(len(p.pointers)), files: int32(len(p.files)), lists: int32(p.lists), into: int32(p.into),
	}
	if p.pidns {
		h.pidns = 1
	}
	if p.many {
		h.many = 1
	}
	b := make([]byte, 0, int(unsafe.Sizeof(h))+h.size())
	b = append(b, unsafe.Slice((*byte)(unsafe.Pointer(&h)), unsafe.Sizeof(h))...)
	b = append(b, p.data...)
	for _, calls := range [][]call{p.setup, p.program, p.started, p.joining} {
		b = append(b, bytesOf(calls)...)
	}
	return append(b, bytesOf(p.pointers)...)
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
	return int(h.data) + calls*int(unsafe.Sizeof(call{})) + 4*int(h.pointers)
}
