package judging

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"

	"umpire/referee/sandbox"
)

// workingFolder makes a folder with copies of a program's own files, if it has a folder of these,
// and of those of a case that its format does not ignore, which replace others of the same name.
func workingFolder(own, files string, ignores func(base string) bool) (dir string, err error) {
	if dir, err = sandbox.NewTempDir("files-"); err != nil {
		return "", err
	}
	err = os.Chmod(dir, 0o755) // the program may run as another user
	if own != "" && err == nil {
		err = copyFiles(dir, own, nil)
	}
	if err == nil {
		err = copyFiles(dir, files, ignores)
	}
	if err != nil {
		os.RemoveAll(dir)
		return "", err
	}
	return dir, nil
}

// copyFiles copies the files of a folder to another, but those to ignore. Links lead to files in it.
func copyFiles(to, from string, ignores func(base string) bool) error {
	source, err := os.OpenRoot(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.OpenRoot(to)
	if err != nil {
		return err
	}
	defer target.Close()
	return fs.WalkDir(source.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err == nil && name != "." && ignores != nil && ignores(d.Name()):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case err != nil || d.IsDir():
			return err
		}
		in, err := source.Open(name)
		if err != nil {
			return err
		}
		defer in.Close()
		info, err := in.Stat()
		if err != nil || !info.Mode().IsRegular() {
			return err
		}
		if err = target.MkdirAll(path.Dir(name), 0o755); err != nil {
			return err
		}
		if err = target.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		out, err := target.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644|info.Mode()&0o111)
		if err != nil {
			return err
		}
		_, err = io.Copy(out, in)
		return errors.Join(err, out.Close())
	})
}
