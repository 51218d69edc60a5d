package sandbox

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"

	"umpire/referee/sandbox/launch"
)

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
		switch {
		case d.Type() == fs.ModeNamedPipe: // of a program that has ended
			return nil
		case !d.IsDir():
			if !d.Type().IsRegular() {
				return fmt.Errorf("copy %s: it is neither a file nor a folder", name)
			}
			e.mode, e.size = unix.S_IFREG|0o666|uint32(info.Mode().Perm())&0o111, info.Size()
			e.opened = r.open("open "+name, name, unix.O_RDONLY|unix.O_NOFOLLOW, 0)
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
		fd := r.open("create "+to, to, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL, 0o600)
		if e.size > 0 {
			r.Do("fill "+to, unix.SYS_SENDFILE, fd, e.opened, num(0), num(int(e.size)))
		}
		r.Do("open up "+to, unix.SYS_FCHMOD, fd, num(e.mode&0o777))
		r.Do("close "+to, unix.SYS_CLOSE, fd)
		r.Do("close "+e.path, unix.SYS_CLOSE, e.opened)
	}
	r.mkdir(o.path)
	r.Do("mount "+o.path, unix.SYS_MOUNT, r.Str(dir), r.Str(r.base+o.path), num(0), num(unix.MS_BIND), num(0))
	fd := r.open("open "+o.path, dir, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	r.start.sends = append(r.start.sends, fd)
}

// folderForAll makes a folder in which the program, whoever it is, may write.
func (r *root) folderForAll(path string) {
	at := r.Str(path)
	r.Do("create folder "+path, unix.SYS_MKDIRAT, launch.AtCwd, at, num(0o700))
	r.Do("open up "+path, unix.SYS_FCHMODAT, launch.AtCwd, at, num(0o777))
}
