package sandbox

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"

	"umpire/referee/sandbox/launch"
	"umpire/referee/sandbox/watch"
)

// From box on, a folder that a program may write in (Command.Write) is not the
// folder itself but a copy in the program's own tmpfs, whose size the kernel
// limits. What the program has made of it is copied back when it has ended well.

// output is such a folder: where it lies, and what goes into the copy.
type output struct {
	path    string
	entries []outputEntry // outer folders first
	copied  int           // descriptor of the copy, once the program runs
}

type outputEntry struct {
	path   string // relative
	mode   uint32
	size   int64
	opened launch.Arg // the file, in the supervisor
}

// readOutput lists what is in a folder, and adds the calls that open its files.
func (r *root) readOutput(path string) error {
	o := &output{path: path, copied: -1}
	err := filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == path {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(path, name)
		if err != nil {
			return err
		}
		e := outputEntry{path: rel, mode: unix.S_IFDIR | 0o777}
		if !d.IsDir() {
			if !d.Type().IsRegular() {
				return fmt.Errorf("copy %s: it is neither a file nor a folder", name)
			}
			e.mode, e.size = unix.S_IFREG|0o666|uint32(info.Mode().Perm())&0o111, info.Size()
			e.opened = r.Get("open "+name, unix.SYS_OPENAT, launch.AtCwd, r.Str(name),
				num(unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC), num(0))
		}
		o.entries = append(o.entries, e)
		return nil
	})
	if err == nil {
		r.start.outputs = append(r.start.outputs, o)
	}
	return err
}

// attachOutput fills a copy, and mounts it in the place of the folder.
func (r *root) attachOutput(o *output, number int) {
	dir := staging + "/tmp/.output-" + strconv.Itoa(number)
	r.folderForAll(dir)
	for _, e := range o.entries {
		to := filepath.Join(dir, e.path)
		if e.mode&unix.S_IFMT == unix.S_IFDIR {
			r.folderForAll(to)
			continue
		}
		fd := r.Get("create "+to, unix.SYS_OPENAT, launch.AtCwd, r.Str(to),
			num(unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_CLOEXEC), num(0o600))
		if e.size > 0 {
			r.Do("fill "+to, unix.SYS_SENDFILE, fd, e.opened, num(0), num(int(e.size)))
		}
		r.Do("open up "+to, unix.SYS_FCHMOD, fd, num(e.mode&0o777))
		r.Do("close "+to, unix.SYS_CLOSE, fd)
		r.Do("close "+e.path, unix.SYS_CLOSE, e.opened)
	}
	r.mkdir(o.path)
	r.Do("mount "+o.path, unix.SYS_MOUNT, r.Str(dir), r.Str(r.base+o.path), num(0), num(unix.MS_BIND), num(0))
	fd := r.Get("open "+o.path, unix.SYS_OPENAT, launch.AtCwd, r.Str(dir), num(unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC), num(0))
	r.start.sends = append(r.start.sends, fd)
}

// folderForAll makes a folder in which the program, whoever it is, may write.
func (r *root) folderForAll(path string) {
	at := r.Str(path)
	r.Do("create folder "+path, unix.SYS_MKDIRAT, launch.AtCwd, at, num(0o700))
	r.Do("open up "+path, unix.SYS_FCHMODAT, launch.AtCwd, at, num(0o777))
}

// copyBack copies what a program has made into its folder. It reports whether
// that was more than limit bytes, or more than it may be in number or depth.
// What is neither a file, a folder nor a link is left out.
func (o *output) copyBack(limit int64) (over bool, err error) {
	to, err := unix.Open(o.path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return false, fmt.Errorf("open %s: %w", o.path, err)
	}
	defer unix.Close(to)
	c := copier{left: limit, files: MaxFiles}
	if err := c.folder(o.copied, to, 0); err != nil {
		return false, fmt.Errorf("copy back %s: %w", o.path, err)
	}
	return c.over, nil
}

// copier is one copying of a folder.
type copier struct {
	left  int64 // bytes
	files int
	over  bool
}

func (c *copier) folder(from, to, depth int) error {
	fd, err := watch.OpenFolder(from, ".")
	if err != nil {
		return err
	}
	dir := os.NewFile(uintptr(fd), ".")
	defer dir.Close()
	for {
		names, err := dir.Readdirnames(256)
		for _, name := range names {
			if c.files--; c.files < 0 || depth > watch.MaxDepth {
				c.over = true
			}
			if c.over {
				return nil
			}
			if err := c.entry(fd, to, name, depth); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (c *copier) entry(from, to int, name string, depth int) error {
	var st unix.Stat_t
	if err := unix.Fstatat(from, name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return err
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		return c.file(from, to, name)
	case unix.S_IFLNK:
		buf := make([]byte, unix.PathMax)
		n, err := unix.Readlinkat(from, name, buf)
		if err != nil {
			return err
		}
		return unix.Symlinkat(string(buf[:n]), to, name)
	case unix.S_IFDIR:
		if err := unix.Mkdirat(to, name, 0o755); err != nil && err != unix.EEXIST {
			return err
		}
		const flags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
		inner, err := watch.OpenFolder(from, name)
		if err != nil {
			return err
		}
		defer unix.Close(inner)
		outer, err := unix.Openat(to, name, flags, 0)
		if err != nil {
			return err
		}
		defer unix.Close(outer)
		return c.folder(inner, outer, depth+1)
	}
	return nil
}

// file copies a file, of which no more is read than there is room for: one with
// holes is larger than the tmpfs.
func (c *copier) file(from, to int, name string) error {
	in, err := unix.Openat(from, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err == unix.EACCES {
		_ = unix.Fchmodat(from, name, 0o600, 0)
		in, err = unix.Openat(from, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	}
	if err != nil {
		return err
	}
	source := os.NewFile(uintptr(in), name)
	defer source.Close()
	info, err := source.Stat()
	if err != nil {
		return err
	}
	if c.left -= info.Size(); c.left < 0 {
		c.over = true
		return nil
	}
	out, err := unix.Openat(to, name, unix.O_WRONLY|unix.O_CREAT|unix.O_TRUNC|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o644)
	if err != nil {
		return err
	}
	target := os.NewFile(uintptr(out), name)
	if _, err = io.Copy(target, io.LimitReader(source, info.Size())); err == nil {
		err = target.Chmod(info.Mode().Perm() | 0o600)
	}
	if e := target.Close(); err == nil {
		err = e
	}
	return err
}
