package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// staging is where the private root is put together, before it takes the
// place of the old one. Any folder does that every machine has.
const staging = "/tmp"

// root writes the making of a private file system into a launch script: a small
// tmpfs with nothing in it but what is mounted there read-only, and one in /tmp
// that the program may write. Mounts are taken before staging covers anything.
type root struct {
	childSetup
	launch *launch
	mounts []mountPoint
	made   map[string]bool // folders that exist in the new root
	bound  []string        // folders whose content comes from outside
}

// mountPoint is a part of the old tree to be seen at the same path.
type mountPoint struct {
	systemPath
	tree arg
}

func (s *launch) privateRoot(up childSetup) error {
	r := &root{childSetup: up, launch: s, made: map[string]bool{"/": true}}
	up.do("make mounts private", unix.SYS_MOUNT, num(0), up.str("/"), num(0), num(unix.MS_REC|unix.MS_PRIVATE), num(0))
	if err := r.collect(); err != nil {
		return err
	}
	if s.uid > 0 && s.flags&unix.CLONE_NEWUSER != 0 {
		// Root's folders lead to what was taken; from here on nobody is root.
		up.setUser(unprivilegedUID)
	}
	r.build()
	r.enter()
	return nil
}

// collect takes hold of everything that is to be mounted.
func (r *root) collect() error {
	for _, p := range systemPaths() {
		if p.link == "" || !inSystem(resolve(p)) {
			r.take(p)
		}
	}
	for _, path := range devices {
		r.take(systemPath{path: path})
	}
	c := &r.launch.command
	add := func(path string) error {
		path = filepath.Clean(path)
		p, ok := statPath(path)
		switch {
		case slices.Contains(ownFolders, path):
			return fmt.Errorf("give %s to a program: it has its own", path)
		case !ok:
			return fmt.Errorf("find %s: %w", path, os.ErrNotExist)
		case slices.ContainsFunc(r.mounts, func(m mountPoint) bool { return m.path == path }):
		case slices.ContainsFunc(r.launch.outputs, func(o *output) bool { return o.path == path }):
		case !inSystem(path):
			r.take(p)
		}
		return nil
	}
	// What is given twice may be written.
	for _, path := range c.Write {
		path = filepath.Clean(path)
		if slices.Contains(ownFolders, path) {
			return fmt.Errorf("give %s to a program: it has its own", path)
		}
		if err := r.readOutput(path); err != nil {
			return err
		}
	}
	for _, path := range c.Read {
		if err := add(path); err != nil {
			return err
		}
	}
	return add(c.Path)
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

// take clones the mounts below a path and sets what may be done there.
func (r *root) take(p systemPath) {
	tree := r.get("take "+p.path, unix.SYS_OPEN_TREE, atCwd, r.str(p.path), num(treeFlags))
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_RDONLY}
	if !strings.HasPrefix(p.path, "/dev/") {
		attr.Attr_set |= unix.MOUNT_ATTR_NODEV
	}
	r.do("protect "+p.path, unix.SYS_MOUNT_SETATTR, tree, r.str(""), num(atEmpty|unix.AT_RECURSIVE),
		structure(r.launchScript, attr), num(unsafe.Sizeof(attr)))
	if r.flags&unix.CLONE_NEWUSER == 0 && !inSystem(p.path) && !strings.HasPrefix(p.path, "/dev/") {
		r.own(p, tree)
	}
	r.mounts = append(r.mounts, mountPoint{p, tree})
}

// own lets the contestant's user be the owner of what the path's owner has.
// Not every file system can do that; then others' rights decide.
func (r *root) own(p systemPath, tree arg) {
	fd, err := r.launch.idmaps.get(r.launch.forkServer, p.path, r.launch.uid)
	if err != nil {
		return
	}
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_IDMAP}
	// The descriptor's number is known only to the fork server: it is made anew in
	// the place the kernel looks for it.
	at := structure(r.launchScript, attr)
	word := (at.value + unsafe.Offsetof(attr.Userns_fd)) / 4
	r.put(word, "take owner of "+p.path, unix.SYS_DUP, r.file(fd))
	r.try("map owner of "+p.path, unix.EINVAL, unix.SYS_MOUNT_SETATTR, tree, r.str(""), num(atEmpty), at, num(unsafe.Sizeof(attr)))
}

// build makes the new root below staging.
func (r *root) build() {
	r.tmpfs(staging, "mode=755,size=1m,nr_inodes=4096")
	for _, dir := range []string{"/proc", "/tmp", "/dev", "/etc"} {
		r.mkdir(dir)
	}
	l := r.launch.command.Limits
	r.tmpfs(staging+"/tmp", fmt.Sprintf("mode=1777,size=%d,nr_inodes=%d", l.Disk, MaxFiles))
	// The supervisor is not to be seen.
	r.do("mount /proc", unix.SYS_MOUNT, r.str("proc"), r.str(staging+"/proc"), r.str("proc"),
		num(unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC), r.str("hidepid=2"))
	// Outer folders before what lies within.
	slices.SortStableFunc(r.mounts, func(a, b mountPoint) int { return strings.Compare(a.path, b.path) })
	for _, m := range r.mounts {
		r.attachMount(m)
	}
	for i, o := range r.launch.outputs {
		r.attachOutput(o, i)
	}
	r.addSystemFiles()
	if dir := filepath.Clean(r.launch.command.Dir); !r.covered(dir) {
		r.mkdir(dir)
	}
}

func (r *root) tmpfs(dir, options string) {
	r.do("mount tmpfs", unix.SYS_MOUNT, r.str("tmpfs"), r.str(dir), r.str("tmpfs"),
		num(unix.MS_NOSUID|unix.MS_NODEV), r.str(options))
}

// covered reports whether a path lies in a folder mounted from outside.
func (r *root) covered(path string) bool {
	return slices.ContainsFunc(r.bound, func(dir string) bool { return within(path, dir) })
}

// mkdir makes a folder in the new root, with those above it.
func (r *root) mkdir(dir string) {
	if r.made[dir] || r.covered(dir) {
		return
	}
	r.mkdir(filepath.Dir(dir))
	r.made[dir] = true
	r.try("create folder "+dir, unix.EEXIST, unix.SYS_MKDIRAT, atCwd, r.str(staging+dir), num(0o755))
}

func (r *root) attachMount(m mountPoint) {
	if m.dir {
		r.mkdir(m.path)
	} else if !r.covered(m.path) {
		r.mkdir(filepath.Dir(m.path))
		r.write(m.path, "")
	}
	r.do("mount "+m.path, unix.SYS_MOVE_MOUNT, m.tree, r.str(""), atCwd, r.str(staging+m.path),
		num(unix.MOVE_MOUNT_F_EMPTY_PATH))
	if m.dir {
		r.bound = append(r.bound, m.path)
	}
}

// write makes a file in the new root.
func (r *root) write(path, text string) {
	fd := r.get("create "+path, unix.SYS_OPENAT, atCwd, r.str(staging+path),
		num(unix.O_WRONLY|unix.O_CREAT|unix.O_CLOEXEC), num(0o644))
	if text != "" {
		r.do("write "+path, unix.SYS_WRITE, fd, r.add([]byte(text)), num(len(text)))
	}
	r.do("close "+path, unix.SYS_CLOSE, fd)
}

// addSystemFiles adds what programs expect and the old root must not show.
func (r *root) addSystemFiles() {
	link := func(to, at string) {
		r.do("link "+at, unix.SYS_SYMLINKAT, r.str(to), atCwd, r.str(staging+at))
	}
	for _, p := range systemPaths() {
		if p.link != "" && inSystem(resolve(p)) && !r.covered(p.path) {
			r.mkdir(filepath.Dir(p.path))
			link(p.link, p.path)
		}
	}
	link("/proc/self/fd", "/dev/fd")
	link("/proc/self/fd/0", "/dev/stdin")
	link("/proc/self/fd/1", "/dev/stdout")
	link("/proc/self/fd/2", "/dev/stderr")
	link("/tmp", "/dev/shm") // one limit for both
	uid := r.launch.insideUID()
	r.write("/etc/passwd", fmt.Sprintf("root:x:0:0::/:/bin/false\ncontestant:x:%d:%d::/tmp:/bin/sh\n", uid, uid))
	r.write("/etc/group", fmt.Sprintf("root:x:0:\ncontestant:x:%d:\n", uid))
	r.write("/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n")
	r.write("/etc/hosts", "127.0.0.1 localhost\n")
}

// enter makes the new root the root, and the old one vanish.
func (r *root) enter() {
	r.do("enter new root", unix.SYS_CHDIR, r.str(staging))
	dot := r.str(".")
	r.do("change root", unix.SYS_PIVOT_ROOT, dot, dot)
	r.do("leave old root", unix.SYS_UMOUNT2, dot, num(unix.MNT_DETACH))
	r.do("protect root", unix.SYS_MOUNT, num(0), r.str("/"), num(0),
		num(unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV), num(0))
}

// protectProc makes /proc read-only: some of its files ask for a user, and not
// for capabilities. The program does it itself, as the last that its setup does
// to files.
func (s childSetup) protectProc() {
	s.do("protect /proc", unix.SYS_MOUNT, num(0), s.str("/proc"), num(0),
		num(unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC), num(0))
}
