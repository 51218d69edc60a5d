package sandbox

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// treeMemory is the memory of all descendants of a supervisor, in bytes: of
// the program alone its peak, of several the sum of what they have now. Pages
// that they share count once if the limit depends on it.
func treeMemory(supervisor, program int, limit int64) int64 {
	peak := peakMemory(program)
	tree := descendants(supervisor, nil)
	if len(tree) <= 1 {
		return peak
	}
	var sum int64
	for _, pid := range tree {
		sum += residentMemory(pid)
	}
	if limit > 0 && sum > limit {
		sum = 0
		for _, pid := range tree {
			sum += sharedMemory(pid)
		}
	}
	return max(peak, sum)
}

// maxTree is how many processes are looked at.
const maxTree = 4096

// descendants adds the children of a process, and theirs, to a list.
func descendants(pid int, list []int) []int {
	base := "/proc/" + strconv.Itoa(pid) + "/task"
	dir, err := os.Open(base)
	if err != nil {
		return list
	}
	threads, _ := dir.Readdirnames(-1)
	dir.Close()
	for _, thread := range threads {
		var buf [4096]byte
		for _, field := range bytes.Fields(readSome(base+"/"+thread+"/children", buf[:])) {
			child, err := strconv.Atoi(string(field))
			if err == nil && len(list) < maxTree {
				list = descendants(child, append(list, child))
			}
		}
	}
	return list
}

// readSome reads the beginning of a file of /proc; nothing if it is gone.
func readSome(path string, buf []byte) []byte {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	n, _ := unix.Read(fd, buf)
	return buf[:max(n, 0)]
}

// residentMemory is the memory a process has at the moment.
func residentMemory(pid int) int64 {
	var buf [128]byte
	fields := bytes.Fields(readSome("/proc/"+strconv.Itoa(pid)+"/statm", buf[:]))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(string(fields[1]), 10, 64)
	return pages * int64(os.Getpagesize())
}

// sharedMemory is residentMemory with each page divided by its users. Reading
// it takes long.
func sharedMemory(pid int) int64 {
	var buf [1024]byte
	return kibibytes(readSome("/proc/"+strconv.Itoa(pid)+"/smaps_rollup", buf[:]), "\nPss:")
}

// kibibytes finds a line of a file of /proc.
func kibibytes(text []byte, name string) int64 {
	_, rest, _ := bytes.Cut(text, []byte(name))
	value, _, _ := bytes.Cut(rest, []byte(" kB"))
	n, _ := strconv.ParseInt(string(bytes.TrimSpace(value)), 10, 64)
	return n << 10
}

// peakMemory reads the most resident memory a living process has had, in bytes.
func peakMemory(pid int) int64 {
	var buf [4096]byte
	return kibibytes(readSome("/proc/"+strconv.Itoa(pid)+"/status", buf[:]), "VmHWM:")
}
