package watch

import (
	"bufio"
	"bytes"
	"os"
	"sync"

	"golang.org/x/sys/unix"

	"umpire/referee/procfs"
)

const (
	// Of so many descriptors of a process the kernel's memory is not counted, and of each
	// other one it is a file, an inode, and a page that was read of it.
	freeDescriptors = 16
	descriptorBytes = 6 << 10
	// watchBytes is the memory of a descriptor that an epoll watches.
	watchBytes = 224
	// An open file of /proc keeps as much text as it took to have one line, which for files of mappings is
	// a path: twice its length, in which each folder may take folderName bytes. Two such files are read now and then.
	freeTexts  = 2
	folderName = 4*unix.NAME_MAX + 1
	// watchText is the line for a watch in /proc/PID/fdinfo/FD, which is read as a whole.
	watchText = 128
)

// keptBytes is the memory that the kernel keeps for the descriptors of processes, but for
// what is unread (see bufferMemory). There may have been so many folders, one in another.
func keptBytes(program int, tree []int, folders int64) int64 {
	var proc unix.Stat_t
	_ = unix.Stat(procfs.Dir(program)+"/root/proc", &proc)
	var descriptors, texts, watches, longest int64
	for _, pid := range tree {
		for _, thread := range tables(pid) {
			base := procfs.ThreadDir(thread)
			n, _ := eachDescriptor(base+"/fd", func(dir int, name string, st *unix.Stat_t) {
				switch {
				case st.Dev == proc.Dev && st.Mode&unix.S_IFMT == unix.S_IFREG:
					texts++
				case st.Dev == anonymous() && isEpoll(dir, name):
					n := lines(base+"/fdinfo/"+name, "tfd:")
					watches, longest = watches+n, max(longest, n)
				}
			})
			descriptors += int64(max(0, n-freeDescriptors))
		}
	}
	text := 2 * max(maxLine+folders*folderName, longest*watchText)
	return descriptors*descriptorBytes + watches*watchBytes + max(0, texts-freeTexts)*text
}

// anonymous is the device of all files that have no name, such as epolls.
var anonymous = sync.OnceValue(func() uint64 {
	var st unix.Stat_t
	if fd, err := unix.Eventfd(0, unix.EFD_CLOEXEC); err == nil {
		_ = unix.Fstat(fd, &st)
		unix.Close(fd)
	}
	return st.Dev
})

func isEpoll(dir int, name string) bool {
	var buf [32]byte
	n, _ := unix.Readlinkat(dir, name, buf[:])
	return string(buf[:max(n, 0)]) == "anon_inode:[eventpoll]"
}

// lines counts the lines of a file that begin with a prefix.
func lines(path, prefix string) (n int64) {
	file, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer file.Close()
	for s := bufio.NewScanner(file); s.Scan(); {
		if bytes.HasPrefix(s.Bytes(), []byte(prefix)) {
			n++
		}
	}
	return n
}

// eachDescriptor calls a function with each descriptor in a folder of /proc, by the folder
// and its name there, and what is known of its file. It returns how many there are.
func eachDescriptor(path string, f func(dir int, name string, st *unix.Stat_t)) (n int, err error) {
	dir, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer dir.Close()
	for {
		names, err := dir.Readdirnames(256)
		for _, name := range names {
			var st unix.Stat_t
			if unix.Fstatat(int(dir.Fd()), name, &st, 0) == nil {
				f(int(dir.Fd()), name, &st)
			}
		}
		if n += len(names); err != nil {
			return n, nil
		}
	}
}

// tables are threads of a process, one for each list of descriptors: each thread may have
// its own, and one that has ended shows nothing of what the others hold.
func tables(pid int) (list []string) {
	threads, first := procfs.Threads(pid), ""
	for _, thread := range threads {
		if first != "" && sameFiles(first, thread) {
			continue
		}
		if list = append(list, thread); first == "" && len(threads) > 1 && !leaving(procfs.ThreadDir(thread)) {
			first = thread
		}
	}
	return list
}

// sameFiles reports whether two threads have their open files in common, as those of nearly all
// programs have. Where that can't be asked, as in many containers, it takes them to have.
func sameFiles(a, b string) bool {
	result, e := compareFiles(procfs.Number([]byte(a)), procfs.Number([]byte(b)))
	return e == 0 && result == 0 || e != 0 && !canCompare()
}

// canCompare reports whether the kernel compares open files at all.
var canCompare = sync.OnceValue(func() bool {
	_, e := compareFiles(int64(unix.Getpid()), int64(unix.Getpid()))
	return e == 0
})

func compareFiles(a, b int64) (result uintptr, e unix.Errno) {
	const files = 2 // KCMP_FILES
	result, _, e = unix.Syscall6(unix.SYS_KCMP, uintptr(a), uintptr(b), files, 0, 0, 0)
	return result, e
}
