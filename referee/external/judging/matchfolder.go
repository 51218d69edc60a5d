package judging

import (
	"cmp"
	"errors"
	"io"
	"os"
	"path/filepath"

	"umpire/referee/sandbox"
)

// matchFolder is the folder of a match. In it, a judge is given what it reads, and writes to
// a folder of its own: feedback.
type matchFolder string

// newMatchFolder makes the folder of a match, and that for its judge.
func newMatchFolder() (f matchFolder, err error) {
	dir, err := sandbox.NewTempDir("judge-")
	if err != nil {
		return "", err
	}
	f = matchFolder(dir)
	// The judge may run as another user.
	if err = cmp.Or(os.Mkdir(f.feedback(), 0o755), os.Chmod(dir, 0o755), os.Chmod(f.feedback(), 0o777)); err != nil {
		f.remove()
	}
	return f, err
}

func (f matchFolder) remove() { os.RemoveAll(string(f)) }

// feedback is the folder that the judge writes in.
func (f matchFolder) feedback() string { return f.file("feedback") }

// file is the path of a file that the judge is given.
func (f matchFolder) file(name string) string { return filepath.Join(string(f), name) }

// written is the path of a file that the judge may write.
func (f matchFolder) written(name string) string { return filepath.Join(f.feedback(), name) }

// wrote reports whether the judge has written a file.
func (f matchFolder) wrote(name string) bool {
	_, err := os.Lstat(f.written(name))
	return err == nil
}

// read reads a file of the folder that the judge writes in, without following links.
func (f matchFolder) read(name string, most int64) ([]byte, error) {
	root, err := os.OpenRoot(f.feedback())
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if info, err := root.Lstat(name); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, errors.New("is not a file")
	}
	in, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return io.ReadAll(io.LimitReader(in, most))
}
