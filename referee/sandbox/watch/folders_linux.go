package watch

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"umpire/referee/procfs"
	"umpire/referee/sandbox/rmtree"
)

// Folders are those of the machine's file systems that a program may write
// in: what it was given, and at basic its scratch folder. No limit of the
// kernel bounds them, so umpire looks: at what lies in them, and at what was
// removed from them but is still open or mapped.
type Folders struct {
	Paths []string
	Bytes int64 // limit for all together
	File  int64 // limit of bytes for one file
	Files int   // limit of files in all
	// Umpire may see what the program's processes have open.
	Visible bool
	hidden  int       // looks in a row at which a process did not let itself be seen
	Next    time.Time // before it no look is worth its time
	Over    bool      // they held too much at a look
}

const (
	// A look is worth its time this often, and not more than 1/lookShare of a
	// processor's and half of all time. On a busy machine most of a look is waiting.
	minLookTime = 20 * time.Millisecond
	lookShare   = 20
	// MaxDepth is how deep folders may be nested: a look holds one open for
	// each.
	MaxDepth = 64
)

// Check reports whether the folders hold too much, as of the last look in time.
// The processes of the tree may have files open.
func (f *Folders) Check(t *Tree) bool {
	if start := time.Now(); len(f.Paths) > 0 && !f.Over && start.After(f.Next) {
		cpu := threadCPU()
		f.full(t.List(), t.hold)
		cpu = threadCPU() - cpu // without meaning, but harmless, if it has changed its thread
		end := time.Now()
		f.Next = end.Add(max(minLookTime, end.Sub(start), min(lookShare*cpu, lookShare*end.Sub(start))))
	}
	return f.Over
}

// threadCPU is the CPU time of the calling thread.
func threadCPU() time.Duration {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts)
	return time.Duration(ts.Nano())
}

// Full reports whether the folders hold, or held, more than they may, once no process
// is left that could have files open.
func (f *Folders) Full() bool { return f.full(nil, nil) }

// full reports whether the folders hold, or held, more than they may. What can't
// be looked at is being removed.
func (f *Folders) full(tree []int, hold func()) bool {
	c := account{of: f, open: map[inode]bool{}, hold: hold}
	for _, path := range f.Paths {
		if f.Over {
			break
		}
		c.folder(unix.AT_FDCWD, path, 0)
	}
	hidden := 0
	for _, pid := range tree {
		if f.Over {
			break
		}
		if !c.process(pid) && f.Visible {
			hidden = f.hidden + 1
		}
	}
	f.hidden = hidden
	f.Over = f.Over || hidden > 2 // and not just while it starts or ends
	return f.Over
}

// account adds up what one look finds.
type account struct {
	of    *Folders
	used  int64
	files int
	open  map[inode]bool // removed files that were counted
	hold  func()         // see eachMapping
}

type inode struct{ device, number uint64 }

// add counts a file. What takes more room than its size says was reserved.
func (c *account) add(st *unix.Stat_t) {
	size := st.Blocks * 512
	if st.Mode&unix.S_IFMT == unix.S_IFREG {
		size = max(size, st.Size)
	}
	c.used += size
	c.files++
	c.of.Over = c.of.Over || c.used > c.of.Bytes || c.files > c.of.Files
}

// folder counts what is in a folder and below.
func (c *account) folder(at int, name string, depth int) {
	if depth > MaxDepth {
		c.of.Over = true
		return
	}
	fd, err := OpenFolder(at, name)
	if err != nil {
		return
	}
	dir := os.NewFile(uintptr(fd), name)
	defer dir.Close()
	for !c.of.Over {
		names, err := dir.Readdirnames(256)
		for _, name := range names {
			var st unix.Stat_t
			if unix.Fstatat(fd, name, &st, unix.AT_SYMLINK_NOFOLLOW) != nil {
				continue
			}
			c.add(&st)
			if c.of.Over {
				return
			}
			if st.Mode&unix.S_IFMT == unix.S_IFDIR {
				c.folder(fd, name, depth+1)
			}
		}
		if err != nil {
			return
		}
	}
}

// OpenFolder opens a folder to look at what is in it, if need be by unlocking it: it is the
// program's own, which hides something there.
func OpenFolder(at int, name string) (int, error) { return rmtree.OpenFolder(at, name, 0o100) }

// process counts the removed files that a process holds, and reports whether it
// could: a program can make itself so that it can't be looked at.
func (c *account) process(pid int) bool {
	seen, first := true, true
	for _, thread := range tables(pid) {
		base := procfs.Dir(pid) + "/task/" + thread
		n, err := c.descriptors(base + "/fd")
		switch {
		case n == 0 && leaving(base):
		case err == nil && first:
			c.mappings(base)
			first = false
		case os.IsPermission(err):
			seen = false
		}
	}
	return seen
}

// descriptors counts the removed files in a list of descriptors, and returns how
// many descriptors there are.
func (c *account) descriptors(path string) (n int, err error) {
	return eachDescriptor(path, func(_ int, _ string, st *unix.Stat_t) {
		if c.removed(st) {
			c.add(st)
		}
	})
}

// removed reports whether a file is one of the folders' file systems that has no
// name any more and was not counted yet.
func (c *account) removed(st *unix.Stat_t) bool {
	id := inode{st.Dev, st.Ino}
	if st.Mode&unix.S_IFMT != unix.S_IFREG || st.Nlink > 0 || c.open[id] || !c.onDevice(st.Dev) {
		return false
	}
	c.open[id] = true
	return true
}

func (c *account) onDevice(device uint64) bool {
	return slices.ContainsFunc(c.of.Paths, func(path string) bool {
		var st unix.Stat_t
		return unix.Stat(path, &st) == nil && st.Dev == device
	})
}

// mappings counts removed files that are mapped and not open. How large they
// are can't be seen: each counts for the largest that it can be. If mappings can't be
// read, what is removed is too much.
func (c *account) mappings(dir string) {
	_, err := eachMapping(dir, c.hold, func(line []byte) bool {
		name, removed := strings.CutSuffix(string(line), " (deleted)\n")
		if !removed {
			return true
		}
		f := strings.SplitN(name, " ", 6)
		if len(f) < 6 || !c.inside(strings.TrimLeft(f[5], " ")) {
			return true
		}
		id := inode{deviceOf(f[3]), uint64(procfs.Number([]byte(f[4])))}
		if !c.open[id] {
			c.open[id] = true
			c.add(&unix.Stat_t{Mode: unix.S_IFREG, Size: c.of.File})
		}
		return !c.of.Over
	})
	c.of.Over = c.of.Over || err != nil
}

// deviceOf reads a device as /proc/PID/maps writes it.
func deviceOf(text string) uint64 {
	major, minor, _ := strings.Cut(text, ":")
	a, _ := strconv.ParseUint(major, 16, 32)
	b, _ := strconv.ParseUint(minor, 16, 32)
	return unix.Mkdev(uint32(a), uint32(b))
}

// inside reports whether a path is one of a file in the folders.
func (c *account) inside(path string) bool {
	return slices.ContainsFunc(c.of.Paths, func(dir string) bool { return Within(path, dir) })
}

// Within reports whether a clean path is, or lies below, a folder.
func Within(path, dir string) bool {
	return path == dir || dir == "/" || strings.HasPrefix(path, dir) && path[len(dir)] == '/'
}

// leaving reports whether a process or a thread, a folder of /proc, has ended, or
// is about to and has given up its memory already; then nobody may look at it.
func leaving(base string) bool {
	f := procfs.StatFieldsOf(base)
	return len(f) < 21 || f[0] == "Z" || f[0] == "X" || f[20] == "0"
}
