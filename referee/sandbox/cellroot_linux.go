package sandbox

import (
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"umpire/referee/sandbox/launch"
	"umpire/referee/sandbox/watch"
)

// The root of a cell has the system in it and nothing of any program. What a
// program is given, and may write, it mounts itself, in a copy of the cell's mount
// namespace that ends with it.

// tops lists the folders below the root that hold what a program is given, its
// working directory included, and that are neither the system's nor made for each
// program: a cell must have them, empty, for something to be mounted there. Each
// is followed by a null byte. ok is false if a cell can't have them.
func (m *machine) tops(given []systemPath, dir string) (list string, ok bool) {
	var all []string
	for _, p := range given {
		all = append(all, p.path)
		if strings.Count(p.path, "/") == 1 {
			return "", false // the folder itself comes from outside, or is none
		}
	}
	if dir = filepath.Clean(dir); dir != "/" && !m.systemPaths().contain(dir) {
		all = append(all, dir+"/")
	}
	for i, path := range all {
		name, _, _ := strings.Cut(path[1:], "/")
		top := "/" + name
		if top != "/tmp" && (slices.Contains(ownFolders, top) || slices.ContainsFunc(m.systemPaths(), func(p systemPath) bool { return watch.Within(p.path, top) })) {
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
func (s *start) cellRoot(up setup, tops string) {
	up.privateMounts()
	host := up.open("open mount namespace", ownMountNamespace, unix.O_RDONLY, 0)
	hostRoot := up.open("open root", "/", unix.O_PATH|unix.O_DIRECTORY, 0)
	up.Do("create mount namespace", unix.SYS_UNSHARE, num(unix.CLONE_NEWNS))
	own := up.open("open mount namespace", ownMountNamespace, unix.O_RDONLY, 0)
	r := s.newRoot(up, staging)
	r.cloneSystem()
	r.begin()
	r.attachMounts()
	eachTop(tops, r.mkdir)
	r.addSystemFiles()
	r.enter()
	lastPID := up.open("open "+lastPIDFile, lastPIDFile, unix.O_WRONLY, 0)
	var lists []launch.Arg
	for _, path := range s.machine.objectLists {
		lists = append(lists, up.open("open "+path, path, unix.O_RDONLY, 0))
	}
	// The lowest free numbers were given in this order, so that none of those
	// still needed is overwritten.
	for fd := range launch.CellReport + 1 {
		up.Keep(launch.ReportFile, fd)
	}
	up.Keep(host, launch.CellHost)
	up.Keep(hostRoot, launch.CellHostRoot)
	up.Keep(own, launch.CellOwn)
	up.Keep(lastPID, launch.CellLastPID)
	for i, fd := range lists {
		up.Keep(fd, launch.CellLists+i)
	}
	for fd := launch.CellLists + len(lists); fd < launch.CellFiles; fd++ {
		up.Keep(num(launch.CellReport), fd) // else it would be a program's, and never closed
	}
	up.CloseFrom(launch.CellFiles)
}

const ownMountNamespace = "/proc/self/ns/mnt"

// ownRoot is a program's part of the root of a cell.
func (s *start) ownRoot() {
	it := s.supervisor()
	r := s.newRoot(it, "")
	if len(s.given) > 0 {
		it.Do("enter umpire's mounts", unix.SYS_SETNS, num(launch.CellHost), num(unix.CLONE_NEWNS))
		it.Do("enter umpire's root", unix.SYS_FCHDIR, num(launch.CellHostRoot))
		it.Do("enter umpire's root", unix.SYS_CHROOT, it.Str("."))
		for _, p := range s.given {
			r.clone(p)
		}
		it.Do("enter the cell's mounts", unix.SYS_SETNS, num(launch.CellOwn), num(unix.CLONE_NEWNS))
	}
	it.Do("create mount namespace", unix.SYS_UNSHARE, num(unix.CLONE_NEWNS))
	r.made["/tmp"] = true
	r.tmp()
	eachTop(s.cell.Key.Tops, func(top string) {
		r.made[top] = true
		r.tmpfs(top, "mode=755,"+smallTmpfs)
	})
	r.attachMounts()
	r.workingDir()
	eachTop(s.cell.Key.Tops, func(top string) { r.protect(top, 0) })
}
