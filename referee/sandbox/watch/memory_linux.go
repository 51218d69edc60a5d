package watch

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"umpire/referee/procfs"
)

// Memory looks at the memory of a program and of all it has started, where
// no control group counts it.
type Memory struct {
	tree   *Tree
	Limit  int64 // bytes; 0: none
	boxed  bool  // the program has a tmpfs and a network of its own
	tmpfs  int   // open descriptor of that tmpfs; -1: not yet opened
	files  int64 // most files seen in it
	hidden hidden
	// What the last look has found, whether it was a whole one, and the processes and their
	// CPU time at its beginning: as long as none computes, none has more.
	used  int64
	whole bool
	busy  []processTime
}

type processTime struct {
	pid int
	cpu time.Duration
}

// NewMemory returns the watch over the memory of a tree. The limit is in bytes, and 0
// is none; a boxed program has a tmpfs at /tmp and a network of its own.
func NewMemory(t *Tree, limit int64, boxed bool) Memory {
	return Memory{tree: t, Limit: limit, boxed: boxed, tmpfs: -1}
}

// Over reports whether so many bytes are more than the limit.
func (w *Memory) Over(bytes int64) bool { return w.Limit > 0 && bytes > w.Limit }

// LookAgain lets the next look be a whole one, however soon it comes.
func (w *Memory) LookAgain() {
	w.hidden.earliest, w.hidden.next, w.busy = time.Time{}, time.Time{}, nil
}

// Used returns how much memory is in use, in bytes: of a program alone at least
// its peak so far, of several what they have now. It looks again only once one of
// them has computed or there are others.
func (w *Memory) Used() int64 {
	tree := w.tree.processes()
	busy := make([]processTime, len(tree))
	for i, pid := range tree {
		busy[i] = processTime{pid, ProcessCPU(pid)}
	}
	if slices.Equal(busy, w.busy) && (w.whole || !w.hidden.isDue(len(tree))) {
		return w.used
	}
	w.busy = busy
	w.used, w.whole = w.look(tree)
	return w.used
}

// look returns how much memory is in use, and whether the look was a whole one. First
// it takes an upper bound, in which pages that several share count for each; only where
// that is more than the limit does it look closer.
func (w *Memory) look(tree []int) (used int64, whole bool) {
	program := w.tree.Program
	own := memoryOf(program)
	tmpfs, folders := w.tmpfsUsed()
	bound, files := own.size()+tmpfs, own.files
	for _, pid := range tree {
		if pid != program {
			m := memoryOf(pid)
			bound += m.size()
			files = max(files, m.files)
		}
	}
	h := &w.hidden
	whole = h.look(w.tree, tree, w.Limit, folders, w.boxed)
	if h.unread || h.mappings > maxMappings*mappingBytes {
		return max(own.peak, h.mappings, w.Limit+1), whole
	}
	notes := h.mappings + h.kept
	bound += h.files + notes
	if w.Limit > 0 && (max(files, h.sockets) > smallTable || bound+int64(len(tree)*smallTable*bufferBytes) > w.Limit) {
		bound += bufferMemory(tree, h.sockets)
	}
	if w.Limit > 0 && bound > w.Limit && (len(tree) > 1 || tmpfs+h.files > 0) {
		bound = exactMemory(tree, tmpfs, h.files, w.Limit) + notes + bufferMemory(tree, h.sockets)
	}
	return max(own.peak, bound), whole
}

// tmpfsUsed returns the size of the files in the program's tmpfs, open or mapped ones
// that have been removed included, and how many folders one in another there may have
// been in what it may write.
func (w *Memory) tmpfsUsed() (bytes, folders int64) {
	if !w.boxed {
		return 0, MaxDepth
	}
	if w.tmpfs < 0 {
		fd, err := unix.Open(procfs.Dir(w.tree.Program)+"/root/tmp", unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			return 0, w.files
		}
		w.tmpfs = fd
	}
	var st unix.Statfs_t
	if unix.Fstatfs(w.tmpfs, &st) != nil || st.Type != unix.TMPFS_MAGIC {
		return 0, w.files
	}
	w.files = max(w.files, int64(st.Files-st.Ffree))
	return int64(st.Blocks-st.Bfree) * st.Bsize, w.files
}

// Close frees what the watch holds open.
func (w *Memory) Close() {
	if w.boxed && w.tmpfs >= 0 {
		unix.Close(w.tmpfs)
		w.tmpfs = -1
	}
}

// exactMemory is the memory of several processes, in which what they share
// counts once, with that of the tmpfs and of files without a name. Reading it takes long.
func exactMemory(tree []int, tmpfs, files, limit int64) int64 {
	var private, shmem int64
	each := make([]int64, len(tree))
	for i, pid := range tree {
		p := proportional(pid)
		each[i] = p.all - p.shmem + memoryOf(pid).beside
		private, shmem = private+each[i], shmem+p.shmem
	}
	if tmpfs+files > 0 && private+shmem+tmpfs+files > limit {
		// What is mapped of them is not to be counted twice.
		var nameless int64
		for _, pid := range tree {
			n, err := sharedAnonymous(pid)
			if err != nil {
				return limit + 1
			}
			nameless += n
		}
		shmem -= min(nameless, files)
		if tmpfs > 0 {
			shmem = max(0, nameless-files)
		}
	}
	if private+shmem+tmpfs+files > limit {
		private -= twice(tree, each)
	}
	return private + shmem + tmpfs + files
}

// twice is the memory counted for processes that have the memory of another in the
// list, as a child of vfork has its parent's until its exec.
func twice(tree []int, each []int64) (sum int64) {
	const vm = 1 // KCMP_VM
	for i := range tree {
		for j := range i {
			same, _, e := unix.Syscall6(unix.SYS_KCMP, uintptr(tree[i]), uintptr(tree[j]), vm, 0, 0, 0)
			if e == 0 && same == 0 {
				sum += each[i]
				break
			}
		}
	}
	return sum
}

// processMemory is the memory of one process, in bytes.
type processMemory struct {
	resident int64 // shared pages included
	peak     int64 // the most that was resident
	beside   int64 // the process's own without being resident: page tables, swapped and huge pages
	files    int   // descriptors that its table has room for
	threads  int
}

func (m processMemory) size() int64 { return m.resident + m.beside }

// memoryOf reads the memory of a process. Where the first thread has ended and
// others go on, it is theirs.
func memoryOf(pid int) processMemory {
	base := procfs.Dir(pid)
	m := readMemory(base + "/status")
	if m.resident == 0 && m.threads > 1 {
		for _, thread := range procfs.Threads(pid) {
			if t := readMemory(procfs.ThreadDir(thread) + "/status"); t.resident > 0 {
				return t
			}
		}
	}
	return m
}

func readMemory(path string) processMemory {
	var buf [4096]byte
	text := procfs.Read(path, buf[:])
	return processMemory{
		resident: procfs.Kibibytes(text, "VmRSS:"),
		peak:     procfs.Kibibytes(text, "VmHWM:"),
		beside:   procfs.Kibibytes(text, "VmPTE:") + procfs.Kibibytes(text, "VmSwap:") + procfs.Kibibytes(text, "HugetlbPages:"),
		files:    int(procfs.Field(text, "FDSize:")),
		threads:  int(procfs.Field(text, "Threads:")),
	}
}

// share is the resident memory of a process in which each page is divided by
// its users.
type share struct {
	all, shmem int64
}

// proportional reads a process's share. One that does not let itself be looked
// at counts in full.
func proportional(pid int) (s share) {
	var buf [2048]byte
	text := procfs.Read(procfs.Dir(pid)+"/smaps_rollup", buf[:])
	if len(text) == 0 {
		return share{all: memoryOf(pid).resident}
	}
	return share{procfs.Kibibytes(text, "Pss:"), procfs.Kibibytes(text, "Pss_Shmem:")}
}

// maxShares is more text than smaps has of all mappings that a process can have.
const maxShares = 96 << 20

// sharedAnonymous is a process's share of the memory that is mapped without a file's name.
// An error says that it can't be known: there is too much text, or a line that is too long.
func sharedAnonymous(pid int) (sum int64, err error) {
	file, err := os.Open(procfs.Dir(pid) + "/smaps")
	if err != nil {
		return 0, nil
	}
	defer file.Close()
	lines := bufio.NewReaderSize(file, maxLine)
	for left, counts := maxShares, false; left > 0; {
		line, err := lines.ReadSlice('\n')
		switch {
		case err == io.EOF || errors.Is(err, unix.ESRCH):
			return sum, nil
		case err != nil:
			return 0, err
		case counts && bytes.HasPrefix(line, []byte("Pss:")):
			sum += procfs.Kibibytes(line, "Pss:")
			counts = false
		case isShared(line):
			counts = true
		}
		left -= len(line)
	}
	return 0, bufio.ErrTooLong
}
