package sandbox

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"

	"umpire/referee/sandbox/launch"
	"umpire/referee/sandbox/watch"
)

// staging is where the private root is put together, before it takes the
// place of the old one. Any folder does that every machine has.
const staging = "/tmp"

// root writes the making of a private file system into a launch script: a small
// tmpfs with nothing in it but what is mounted there read-only, and one in /tmp
// that the program may write. Mounts are taken before staging covers anything.
type root struct {
	setup
	start  *start
	base   string // where it is put together: staging, or "" where it is the root already
	mounts []mountPoint
	made   map[string]bool // folders that exist in the new root
	bound  []string        // folders whose content comes from outside
}

// mountPoint is a part of the old tree to be seen at the same path.
type mountPoint struct {
	systemPath
	tree launch.Arg
}

func (s *start) newRoot(child setup, base string) *root {
	return &root{setup: child, start: s, base: base, made: map[string]bool{"/": true}}
}

// privateMounts lets mounts that are made from here on be seen by nobody else.
func (s setup) privateMounts() {
	s.Do("make mounts private", unix.SYS_MOUNT, num(0), s.Str("/"), num(0), num(unix.MS_REC|unix.MS_PRIVATE), num(0))
}

// cloneSystem clones what everybody may read.
func (r *root) cloneSystem() {
	for _, p := range r.machine.systemPaths() {
		if p.link == "" || !r.machine.systemPaths().contain(resolve(p)) {
			r.clone(p)
		}
	}
	for _, path := range devices {
		source := path
		if path == zeroDevice {
			source = "/dev/full" // which reads as zeros too, and can't be mapped
		}
		r.clone(systemPath{path: path, source: source})
	}
}

// given lists what a command may read beyond the system: each once, and not what
// it may also write.
func (m *machine) given(c Command) (list []systemPath, err error) {
	taken := slices.Clone(devices)
	for _, path := range slices.Concat([]string{c.Dir}, c.Read, c.Write) {
		if !filepath.IsAbs(path) {
			return nil, fmt.Errorf("give %s to a program: expected an absolute path", path)
		}
	}
	for _, path := range c.Write {
		path = filepath.Clean(path)
		if slices.Contains(ownFolders, path) {
			return nil, fmt.Errorf("give %s to a program: it has its own", path)
		}
		taken = append(taken, path)
	}
	for _, path := range append(slices.Clone(c.Read), c.Path) {
		path = filepath.Clean(path)
		p, ok := statPath(cmp.Or(c.Copies[path], path))
		p.source, p.path = p.path, path
		switch {
		case slices.Contains(ownFolders, path):
			return nil, fmt.Errorf("give %s to a program: it has its own", path)
		case !ok:
			return nil, fmt.Errorf("find %s: %w", path, os.ErrNotExist)
		case !slices.Contains(taken, path) && !m.systemPaths().contain(path):
			list, taken = append(list, p), append(taken, path)
		}
	}
	return list, nil
}

// ownFolders are made for each contestant and can't come from outside.
var ownFolders = []string{"/", "/proc", "/sys", "/dev", "/etc", "/tmp"}

func resolve(p systemPath) string {
	if filepath.IsAbs(p.link) {
		return filepath.Clean(p.link)
	}
	return filepath.Join(filepath.Dir(p.path), p.link)
}

const (
	treeFlags = unix.OPEN_TREE_CLONE | unix.OPEN_TREE_CLOEXEC | unix.AT_RECURSIVE
	atEmpty   = unix.AT_EMPTY_PATH
)

// clone clones the mounts below a path and sets what may be done there.
func (r *root) clone(p systemPath) {
	source := cmp.Or(p.source, p.path)
	tree := r.Get("take "+source, unix.SYS_OPEN_TREE, launch.AtCwd, r.Str(source), num(treeFlags))
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_RDONLY}
	if !strings.HasPrefix(p.path, "/dev/") {
		attr.Attr_set |= unix.MOUNT_ATTR_NODEV
	}
	r.Do("protect "+p.path, unix.SYS_MOUNT_SETATTR, tree, r.Str(""), num(atEmpty|unix.AT_RECURSIVE),
		launch.Structure(r.Script, attr), num(unsafe.Sizeof(attr)))
	if r.Flags&unix.CLONE_NEWUSER == 0 && !r.machine.systemPaths().contain(p.path) && !strings.HasPrefix(p.path, "/dev/") {
		r.own(source, tree)
	}
	r.mounts = append(r.mounts, mountPoint{p, tree})
}

// own lets the contestant's user be the owner of what the path's owner has.
// Not every file system can do that; then others' rights decide.
func (r *root) own(path string, tree launch.Arg) {
	fd, err := r.start.launcher.idmaps.get(r.start.forkServer, path, r.start.uid)
	if err != nil {
		return
	}
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_IDMAP}
	// The descriptor's number is known only to the fork server: it is made anew in
	// the place the kernel looks for it.
	at := launch.Structure(r.Script, attr)
	r.Put(at, unsafe.Offsetof(attr.Userns_fd), "take owner of "+path, unix.SYS_DUP, r.File(fd))
	r.Try("map owner of "+path, unix.EINVAL, unix.SYS_MOUNT_SETATTR, tree, r.Str(""), num(atEmpty), at, num(unsafe.Sizeof(attr)))
}

// begin makes the new root.
func (r *root) begin() {
	r.tmpfs("", "mode=755,"+smallTmpfs)
	for _, dir := range []string{"/proc", "/tmp", "/dev", "/etc"} {
		r.mkdir(dir)
	}
	// The supervisor is not to be seen.
	r.Do("mount /proc", unix.SYS_MOUNT, r.Str("proc"), r.Str(r.base+"/proc"), r.Str("proc"),
		num(unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC), r.Str("hidepid=2"))
}

// smallTmpfs bounds one that the program can't write.
const smallTmpfs = "size=1m,nr_inodes=4096"

// tmp makes what the program may write.
func (r *root) tmp() {
	r.tmpfs("/tmp", fmt.Sprintf("mode=1777,size=%d,nr_inodes=%d", r.start.command.Limits.Disk, MaxFiles))
}

// attachMounts attaches what was taken.
func (r *root) attachMounts() {
	// Outer folders before what lies within.
	slices.SortStableFunc(r.mounts, func(a, b mountPoint) int { return strings.Compare(a.path, b.path) })
	for _, m := range r.mounts {
		r.attachMount(m)
	}
}

// workingDir makes the working directory, where there is none.
func (r *root) workingDir() {
	if dir := filepath.Clean(r.start.command.Dir); !r.covered(dir) && !r.machine.systemPaths().contain(dir) {
		r.mkdir(dir)
	}
}

func (r *root) tmpfs(dir, options string) {
	r.Do("mount tmpfs", unix.SYS_MOUNT, r.Str("tmpfs"), r.Str(r.base+dir), r.Str("tmpfs"),
		num(unix.MS_NOSUID|unix.MS_NODEV), r.Str(options))
}

// covered reports whether a path lies in a folder mounted from outside.
func (r *root) covered(path string) bool {
	return slices.ContainsFunc(r.bound, func(dir string) bool { return watch.Within(path, dir) })
}

// mkdir makes a folder in the new root, with those above it.
func (r *root) mkdir(dir string) {
	if r.made[dir] || r.covered(dir) {
		return
	}
	r.mkdir(filepath.Dir(dir))
	r.made[dir] = true
	r.Try("create folder "+dir, unix.EEXIST, unix.SYS_MKDIRAT, launch.AtCwd, r.Str(r.base+dir), num(0o755))
}

func (r *root) attachMount(m mountPoint) {
	if m.dir {
		r.mkdir(m.path)
	} else if !r.covered(m.path) {
		r.mkdir(filepath.Dir(m.path))
		r.write(m.path, "")
	}
	r.Do("mount "+m.path, unix.SYS_MOVE_MOUNT, m.tree, r.Str(""), launch.AtCwd, r.Str(r.base+m.path),
		num(unix.MOVE_MOUNT_F_EMPTY_PATH))
	if m.dir {
		r.bound = append(r.bound, m.path)
	}
}

// write makes a file in the new root.
func (r *root) write(path, text string) {
	fd := r.open("create "+path, r.base+path, unix.O_WRONLY|unix.O_CREAT, 0o644)
	if text != "" {
		r.Do("write "+path, unix.SYS_WRITE, fd, r.Add([]byte(text)), num(len(text)))
	}
	r.Do("close "+path, unix.SYS_CLOSE, fd)
}

// addSystemFiles adds what programs expect and the old root must not show.
func (r *root) addSystemFiles() {
	link := func(to, at string) {
		r.Do("link "+at, unix.SYS_SYMLINKAT, r.Str(to), launch.AtCwd, r.Str(r.base+at))
	}
	for _, p := range r.machine.systemPaths() {
		if p.link != "" && r.machine.systemPaths().contain(resolve(p)) && !r.covered(p.path) {
			r.mkdir(filepath.Dir(p.path))
			link(p.link, p.path)
		}
	}
	link("/proc/self/fd", "/dev/fd")
	link("/proc/self/fd/0", "/dev/stdin")
	link("/proc/self/fd/1", "/dev/stdout")
	link("/proc/self/fd/2", "/dev/stderr")
	link("/tmp", "/dev/shm") // one limit for both
	uid := r.start.insideUID()
	r.write("/etc/passwd", fmt.Sprintf("root:x:0:0::/:/bin/false\ncontestant:x:%d:%d::/tmp:/bin/sh\n", uid, uid))
	r.write("/etc/group", fmt.Sprintf("root:x:0:\ncontestant:x:%d:\n", uid))
	r.write("/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n")
	r.write("/etc/hosts", "127.0.0.1 localhost\n")
}

// enter makes the new root the root, and the old one vanish.
func (r *root) enter() {
	r.Do("enter new root", unix.SYS_CHDIR, r.Str(staging))
	dot := r.Str(".")
	r.Do("change root", unix.SYS_PIVOT_ROOT, dot, dot)
	r.Do("leave old root", unix.SYS_UMOUNT2, dot, num(unix.MNT_DETACH))
	r.protect("/", 0)
}

// protect makes a mount read-only, with what else its flags are to say.
func (s setup) protect(dir string, flags uintptr) {
	s.Do("protect "+dir, unix.SYS_MOUNT, num(0), s.Str(dir), num(0),
		num(unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV|flags), num(0))
}
