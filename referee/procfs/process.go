package procfs

import (
	"bytes"
	"os"
	"path"
	"strconv"
	"strings"
	"sync"
)

// Processes are the numbers of all processes that can be seen, in no order. An
// error means that some may be missing.
func Processes() (pids []int, err error) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids, err
}

// Threads are the numbers of a process's threads, as text and in no order. That
// of a process with one thread is the process's own, and the kernel counts
// threads as links of their folder, which need not be listed then.
func Threads(pid int) []string {
	base := Dir(pid) + "/task"
	if links(base) == 2+1 {
		return []string{strconv.Itoa(pid)}
	}
	return Names(base)
}

// ThreadDir is the folder of a thread, by its number. It has what /proc/PID/task/TID has, but
// for children. The kernel drops that one when the thread ends, and whoever then waits for
// the process spins meanwhile: on busy processors for milliseconds, tens at worst.
func ThreadDir(thread string) string { return "/proc/" + thread }

// OwnThread is the ThreadDir of the calling thread, also where /proc is of another PID
// namespace; "" where the kernel does not say.
func OwnThread() string {
	link, err := os.Readlink("/proc/thread-self") // PID/task/TID
	if err != nil {
		return ""
	}
	return ThreadDir(path.Base(link))
}

// Descendants adds the children of a process, and theirs, to a list, as long as
// that has less than most elements. A parent comes before its children.
func Descendants(pid int, list []int, most int) []int {
	base := Dir(pid) + "/task/"
	for _, thread := range Threads(pid) {
		var buf [4096]byte
		for text := Read(base+thread+"/children", buf[:]); len(text) > 0 && len(list) < most; {
			var number []byte
			number, text, _ = bytes.Cut(text, []byte(" "))
			if child := int(Number(number)); child > 0 {
				list = Descendants(child, append(list, child), most)
			}
		}
	}
	return list
}

// StatFields are the fields of /proc/PID/stat from the third on: state, parent,
// group, session … There are none of a process that is no more.
func StatFields(pid int) []string { return StatFieldsOf(Dir(pid)) }

// StatFieldsOf is StatFields of a process or a thread, a folder of /proc.
func StatFieldsOf(base string) []string {
	var buf [1024]byte
	return statFields(Read(base+"/stat", buf[:]))
}

// statFields leaves out the name, which may hold anything.
func statFields(text []byte) []string {
	return strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
}

// State is the letter of a process's state, such as R, S, T or Z; 0 if there is
// no such process.
func State(pid int) byte {
	if f := StatFields(pid); len(f) > 0 {
		return f[0][0]
	}
	return 0
}

// Parent is the number of a process's parent; 0 if there is none to be seen.
func Parent(pid int) int {
	f := StatFields(pid)
	if len(f) < 2 {
		return 0
	}
	parent, _ := strconv.Atoi(f[1])
	return parent
}

// PIDNamespace identifies whose process numbers are meant: processes of another
// container may be seen by what they leave in common folders.
var PIDNamespace = sync.OnceValue(func() string {
	link, _ := os.Readlink("/proc/self/ns/pid")
	return strings.Trim(link, "pid:[]")
})
