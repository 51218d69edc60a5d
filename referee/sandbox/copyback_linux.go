package sandbox

import (
	"cmp"
	"fmt"
	"io"
	"os"

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
	copied  int           // descriptor of the copy, once the program runs; else -1
}

type outputEntry struct {
	path   string // relative
	mode   uint32
	size   int64
	opened launch.Arg // the file, in the supervisor
}

// copyBack copies what a program has made into its folder. It reports whether
// that was more than limit bytes, or more than it may be in number or depth.
// What is neither a file, a folder, a link nor a FIFO is left out.
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
	case unix.S_IFIFO: // who looks for a file finds that it is none
		_ = unix.Unlinkat(to, name, 0)
		return unix.Mkfifoat(to, name, 0o600)
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
	return cmp.Or(err, target.Close())
}
