package sandbox

import (
	"bufio"
	"bytes"
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
	next     time.Time // of the next look
	files    int64     // bytes of shared memory without a name
	mappings int64     // bytes of what the kernel notes of all mappings
	sockets  int       // in the namespace of a box
}

const (
	// hiddenTime is the time between two looks, each of which takes half of all time at most.
	hiddenTime = 100 * time.Millisecond
	// mappingBytes is the memory that the kernel needs for a mapping that was written to (vm_area_struct,
	// anon_vma and what connects them).
	mappingBytes = 400
	fileBytes    = 2 << 10 // of a file in memory, without its content
)

// look looks at the processes of a tree, unless it has done so just now. It stops where
// more than the limit is found. Boxed is a process in a network of the tree's own, or 0.
func (h *hidden) look(tree []int, boxed int, limit int64) {
	start := time.Now()
	if limit == 0 || start.Before(h.next) {
		return
	}
	h.mappings = 0
	shared := make(map[string]string)
	for _, pid := range tree {
		if h.mappings <= limit {
			h.readMappings(pid, limit, shared)
		}
	}
	h.files = blocks(shared)
	if boxed > 0 {
		text, _ := os.ReadFile(procfs.Dir(boxed) + "/net/unix")
		h.sockets = bytes.Count(text, []byte("\n")) - 1 // its heading
	}
	end := time.Now()
	h.next = end.Add(max(hiddenTime, end.Sub(start)))
}

// readMappings reads the mappings of a process. Where the first thread has ended and others
// go on, they are theirs.
func (h *hidden) readMappings(pid int, limit int64, shared map[string]string) {
	if h.mappingsOf(procfs.Dir(pid), limit, shared) {
		return
	}
	for _, thread := range procfs.Threads(pid) {
		if h.mappingsOf("/proc/"+thread, limit, shared) {
			return
		}
	}
}

// mappingsOf counts mappings, and notes for each file of shared memory without a name, by
// device and inode, one that leads to it. It reports whether there were any.
func (h *hidden) mappingsOf(dir string, limit int64, shared map[string]string) (found bool) {
	file, err := os.Open(dir + "/maps")
	if err != nil {
		return false
	}
	defer file.Close()
	lines := bufio.NewReaderSize(file, 16<<10) // longer than any line
	for h.mappings <= limit {
		line, err := lines.ReadSlice('\n')
		if err != nil {
			break
		}
		found = true
		h.mappings += mappingBytes
		if isShared(line) {
			if f := bytes.Fields(line); len(f) > 5 {
				shared[string(f[3])+" "+string(f[4])] = dir + "/map_files/" + string(f[0])
			}
		}
	}
	return found
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
