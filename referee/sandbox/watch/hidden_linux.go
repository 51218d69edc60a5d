package watch

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"umpire/referee/procfs"
	"umpire/referee/sandbox/seccomp"
)

// hidden is memory that stands in no process's account, as of the last look in time:
// what is kept by a mapping of shared memory that has no name, mapped itself or not;
// the kernel's notes of mappings; and sockets that no descriptor leads to.
type hidden struct {
	next      time.Time // of the next look
	earliest  time.Time // when it may be if there are more processes
	processes int       // in the tree
	files     int64     // bytes of shared memory without a name
	mappings  int64     // bytes of what the kernel notes of all mappings
	kept      int64     // bytes of what it keeps for descriptors
	sockets   int       // in the namespace of a box
	unread    bool      // there were mappings that can't be read
}

const (
	// hiddenTime is the time between two looks at the same processes. They take half of all time at most.
	hiddenTime = 100 * time.Millisecond
	// mappingBytes is the memory that the kernel needs for a mapping that was written to (vm_area_struct,
	// anon_vma and what connects them).
	mappingBytes = 400
	// A tree that has more than manyMappings, or a process of which more than firstMappings
	// take longer to read than slowRead, is stopped meanwhile. Honest programs have some hundred.
	manyMappings  = 1 << 14
	firstMappings = 1 << 10
	slowRead      = 10 * time.Millisecond
	// maxMappings is how many mappings the processes of a tree may have together. A process can have 65,530,
	// and forking it takes less time than counting them: where more is left of the limit, there would be
	// seconds in which nobody knows how much memory that is.
	maxMappings = 1 << 18
	fileBytes   = 2 << 10 // of a file in memory, without its content
	// maxLine is the length of a line of maps with the longest path by which a program can name a file, where
	// a newline is written as four bytes. Only a file in folders that were entered one by one has a longer one.
	maxLine = 4*unix.PathMax + 256
)

// look looks for hidden memory of the processes of the tree, unless it has done so just
// now, and reports whether it has. It stops where more mappings are found than fit in the
// limit, or than a tree may have. The program has so many files of its own in memory.
func (h *hidden) look(t *Tree, tree []int, limit, files int64, boxed bool) bool {
	if limit == 0 || !h.isDue(len(tree)) {
		return limit == 0
	}
	start := time.Now()
	if h.mappings > manyMappings*mappingBytes {
		t.hold()
		tree = t.processes()
	}
	most := min(limit, maxMappings*mappingBytes)
	h.mappings, h.unread = 0, false
	shared := make(map[string]string)
	for _, pid := range tree {
		h.readMappings(pid, most, shared, t.hold)
	}
	h.files, h.processes = blocks(shared), len(tree)
	if boxed {
		text, _ := os.ReadFile(procfs.Dir(t.Program) + "/net/unix")
		h.sockets = bytes.Count(text, []byte("\n")) - 1 // its heading
	}
	h.kept = keptBytes(t.Program, tree, files)
	end := time.Now()
	h.earliest, h.next = end.Add(end.Sub(start)), end.Add(hiddenTime)
	return true
}

// isDue reports whether it is time to look at a tree of so many processes.
func (h *hidden) isDue(processes int) bool {
	now := time.Now()
	return !now.Before(h.earliest) && (!now.Before(h.next) || processes > h.processes)
}

// readMappings counts the mappings of a process, up to most bytes, and notes for each file
// of shared memory without a name, by device and inode, a path that leads to it. Where the
// first thread has ended and others go on, the mappings are theirs.
func (h *hidden) readMappings(pid int, most int64, shared map[string]string, hold func()) {
	read := func(dir string) bool {
		found, err := eachMapping(dir, hold, func(line []byte) bool {
			h.mappings += mappingBytes
			if isShared(line) {
				if f := bytes.Fields(line); len(f) > 5 {
					shared[string(f[3])+" "+string(f[4])] = dir + "/map_files/" + string(f[0])
				}
			}
			return h.mappings <= most
		})
		h.unread = h.unread || err != nil
		return found
	}
	if h.mappings > most || read(procfs.Dir(pid)) {
		return
	}
	for _, thread := range procfs.Threads(pid) {
		if read(procfs.ThreadDir(thread)) {
			return
		}
	}
}

// eachMapping calls a function with each line of the maps in a folder of /proc, until it
// returns false, and reports whether there was any. A process that forks or maps without
// pause keeps others from reading: hold is called, once or more, when many take long. An
// error says that there are lines which can't be read, as with one longer than maxLine: the
// kernel has room for its beginning alone, and takes much time for it.
func eachMapping(dir string, hold func(), f func(line []byte) bool) (found bool, err error) {
	start := time.Now()
	file, err := os.Open(dir + "/maps")
	if err != nil {
		return false, nil
	}
	defer file.Close()
	lines := bufio.NewReaderSize(file, maxLine)
	for n := 0; ; n++ {
		line, err := lines.ReadSlice('\n')
		switch {
		case err == io.EOF || errors.Is(err, unix.ESRCH):
			return n > 0, nil
		case err != nil:
			return true, err
		case !f(line):
			return true, nil
		}
		if n > firstMappings && lines.Buffered() == 0 && time.Since(start) > slowRead {
			hold()
		}
	}
}

// isShared reports whether a line of maps or smaps begins a mapping of shared memory
// without a name, or with a name that is not a file's (PR_SET_VMA).
func isShared(line []byte) bool {
	return bytes.HasSuffix(line, []byte("/dev/zero (deleted)\n")) || bytes.HasSuffix(line, []byte("/anon_hugepage (deleted)\n")) ||
		bytes.Contains(line, []byte(" [anon_shmem:"))
}

// blocks is the size of files that mappings lead to, holes left out. Umpire must be root to
// follow them; else each counts with as much as it can have.
func blocks(shared map[string]string) (sum int64) {
	for _, path := range shared {
		var st unix.Stat_t
		if unix.Stat(path, &st) != nil {
			sum += seccomp.MaxShared
		} else {
			sum += fileBytes + st.Blocks*512
		}
	}
	return sum
}
