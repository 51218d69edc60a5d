package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// The root of a cell has the system in it and nothing of any program. What a
// program is given, and may write, it mounts itself, in a copy of the cell's mount
// namespace that ends with it.

// tops lists the folders below the root that hold what a program is given, its
// working directory included, and that are neither the system's nor made for each
// program: a cell must have them, empty, for something to be mounted there. Each
// is followed by a null byte. ok is false if a cell can't have them.
func tops(given []systemPath, dir string) (list string, ok bool) {
	var all []string
	for _, p := range given {
		all = append(all, p.path)
		if strings.Count(p.path, "/") == 1 {
			return "", false // the folder itself comes from outside, or is none
		}
	}
	if dir = filepath.Clean(dir); dir != "/" && !inSystem(dir) {
		all = append(all, dir+"/")
	}
	for i, path := range all {
		name, _, _ := strings.Cut(path[1:], "/")
		top := "/" + name
		if top != "/tmp" && (slices.Contains(ownFolders, top) || slices.ContainsFunc(systemPaths(), func(p systemPath) bool { return within(p.path, top) })) {
			return "", false
		}
		all[i] = top + "\x00"
	}
	slices.Sort(all)
	all = slices.DeleteFunc(slices.Compact(all), func(top string) bool { return top == "/tmp\x00" })
	return strings.Join(all, ""), true
}

// eachTop calls f with each folder of a list that tops has made.
func eachTop(list string, f func(top string)) {
	for top := range strings.SplitSeq(strings.TrimSuffix(list, "\x00"), "\x00") {
		if top != "" {
			f(top)
		}
	}
}

// cellRoot makes the root of a cell, and lets its supervisor keep what it needs to
// start programs there.
func (s *launch) cellRoot(up childSetup, tops string) {
	open := func(name, path string, flags int) arg {
		return up.get("open "+name, unix.SYS_OPENAT, atCwd, up.str(path), num(flags|unix.O_CLOEXEC), num(0))
	}
	up.privateMounts()
	host, hostRoot := open("mount namespace", ownMountNamespace, unix.O_RDONLY), open("root", "/", unix.O_PATH|unix.O_DIRECTORY)
	up.do("create mount namespace", unix.SYS_UNSHARE, num(unix.CLONE_NEWNS))
	own := open("mount namespace", ownMountNamespace, unix.O_RDONLY)
	r := s.newRoot(up, staging)
	r.takeSystem()
	r.begin()
	r.attachMounts()
	eachTop(tops, r.mkdir)
	r.addSystemFiles()
	r.enter()
	lastPID := open(lastPIDFile, lastPIDFile, unix.O_WRONLY)
	var lists []arg
	for _, path := range objectLists() {
		lists = append(lists, open(path, path, unix.O_RDONLY))
	}
	// The lowest free numbers were given in this order, so that none of those
	// still needed is overwritten.
	for fd := range cellReport + 1 {
		up.keep(reportFile, fd)
	}
	up.keep(host, cellHost)
	up.keep(hostRoot, cellHostRoot)
	up.keep(own, cellOwn)
	up.keep(lastPID, cellLastPID)
	for i, fd := range lists {
		up.keep(fd, cellLists+i)
	}
	for fd := cellLists + len(lists); fd < cellFiles; fd++ {
		up.keep(num(cellReport), fd) // else it would be a program's, and never closed
	}
	up.closeFrom(cellFiles)
}

// objectLists are the kernel's lists of what can outlive processes in a cell's
// namespaces: sockets, and System V objects if the kernel has any.
var objectLists = sync.OnceValue(func() []string {
	list := []string{"/proc/net/unix"}
	for _, path := range []string{"/proc/sysvipc/shm", "/proc/sysvipc/sem", "/proc/sysvipc/msg"} {
		if _, err := os.Stat(path); !os.IsNotExist(err) {
			list = append(list, path)
		}
	}
	return list
})

const (
	ownMountNamespace = "/proc/self/ns/mnt"
	lastPIDFile       = "/proc/sys/kernel/ns_last_pid" // of the pid namespace
)

// keep gives a descriptor a number by which it is known later. It may have that
// already, which dup3 takes for an error.
func (s childSetup) keep(fd arg, number int) {
	s.try("keep descriptor", unix.EINVAL, unix.SYS_DUP3, fd, num(number), num(unix.O_CLOEXEC))
}

// closeFrom closes all descriptors from a number on.
func (s childSetup) closeFrom(number int) {
	s.do("close descriptors", unix.SYS_CLOSE_RANGE, num(number), num(uint32(1<<31-1)), num(0))
}

// ownRoot is a program's part of the root of a cell.
func (s *launch) ownRoot() {
	it := s.supervisor()
	r := s.newRoot(it, "")
	if len(s.given) > 0 {
		it.do("enter umpire's mounts", unix.SYS_SETNS, num(cellHost), num(unix.CLONE_NEWNS))
		it.do("enter umpire's root", unix.SYS_FCHDIR, num(cellHostRoot))
		it.do("enter umpire's root", unix.SYS_CHROOT, it.str("."))
		for _, p := range s.given {
			r.take(p)
		}
		it.do("enter the cell's mounts", unix.SYS_SETNS, num(cellOwn), num(unix.CLONE_NEWNS))
	}
	it.do("create mount namespace", unix.SYS_UNSHARE, num(unix.CLONE_NEWNS))
	r.made["/tmp"] = true
	r.tmp()
	eachTop(s.cell.tops, func(top string) {
		r.made[top] = true
		r.tmpfs(top, "mode=755,"+smallTmpfs)
	})
	r.attachMounts()
	r.workingDir()
	eachTop(s.cell.tops, r.protect)
}
