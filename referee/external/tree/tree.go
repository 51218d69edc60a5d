// Package tree reads the files of a problem package, whose author may be anybody: a folder or
// an archive, within bounds, and nothing that lies elsewhere. It knows no format of packages.
package tree

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"umpire/referee/yamlfile"
)

// Bounds on a package.
const (
	maxFiles = 100_000
	maxBytes = 4 << 30
	maxText  = 4 << 20 // of a file that is read whole
)

// Tree is the files of a package, for those that read its format.
type Tree struct {
	Files map[string]string // SHA-256 of each file in hexadecimal, by its path with slashes
	Dirs  map[string]bool
	// Ignored are the files and folders that Read was to ignore, by their paths with slashes,
	// in order.
	Ignored []string

	shown, abs string // the folder, as the user named it, and its absolute path
	root       *os.Root
	ignores    func(base string) bool
}

// Read hashes all files of a folder but hidden folders, and those whose base names the format
// ignores; nil: it ignores none. Links that lead out of it, or to folders, are refused. The tree
// must be closed.
func Read(ctx context.Context, dir string, ignores func(base string) bool) (*Tree, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(abs)
	if err != nil {
		return nil, err
	}
	t := &Tree{Files: make(map[string]string), Dirs: make(map[string]bool), shown: dir, abs: abs, root: root, ignores: ignores}
	if err := t.list(ctx); err != nil {
		root.Close()
		return nil, err
	}
	return t, nil
}

// Close closes the tree, whose texts can't be read any more.
func (t *Tree) Close() error { return t.root.Close() }

// FileError is an error in a file of a package: what is wrong there and, where it helps,
// what to do.
type FileError struct {
	Folder string // as its user knows it
	Name   string // path of the file in it; "": the folder itself
	Line   int    // 0: none
	Err    error
}

func (e *FileError) Error() string {
	at := path.Join(filepath.ToSlash(e.Folder), e.Name)
	if e.Line > 0 {
		at = fmt.Sprintf("%s:%d", at, e.Line)
	}
	return fmt.Sprintf("%s: %v", at, e.Err)
}

func (e *FileError) Unwrap() error { return e.Err }

// Mistake is a FileError in a file of the package. Line 0 is that of no line.
func (t *Tree) Mistake(name string, line int, format string, args ...any) error {
	return &FileError{t.shown, name, line, fmt.Errorf(format, args...)}
}

// Decode reads a file of YAML into a value, but for keys that it does not have. Errors are
// FileErrors.
func (t *Tree) Decode(name string, to any) (*yamlfile.File, error) {
	text, err := t.Text(name)
	if err != nil {
		return nil, err
	}
	f, err := yamlfile.ParseForeign(name, text)
	if err == nil {
		err = f.Decode(to)
	}
	if wrong, ok := errors.AsType[*yamlfile.Error](err); ok {
		return nil, t.Mistake(name, wrong.Line, "%w", wrong.Err)
	}
	return f, err
}

func (t *Tree) list(ctx context.Context) error {
	left := int64(maxBytes)
	entries := 0
	return fs.WalkDir(t.root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case name == ".":
			return nil
		case strings.HasPrefix(d.Name(), ".") && d.IsDir(), d.Name() == "__pycache__":
			return fs.SkipDir
		case t.ignores != nil && t.ignores(d.Name()):
			t.Ignored = append(t.Ignored, name)
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if entries++; entries > maxFiles {
			return t.Mistake("", 0, "holds more than %d files", maxFiles)
		}
		info, err := t.root.Stat(name) // follows links, none of which leads out
		if err != nil {
			if to, link := t.root.Readlink(name); link == nil {
				return t.Mistake(name, 0, "is a link to %q, which is not in the package: copy the file there", to)
			}
			return err
		}
		switch {
		case info.IsDir() && d.Type() == fs.ModeSymlink:
			return t.Mistake(name, 0, "is a link to a folder: copy the folder there")
		case info.IsDir():
			t.Dirs[name] = true
			return nil
		case !info.Mode().IsRegular():
			return t.Mistake(name, 0, "is neither a file nor a folder")
		}
		if left -= info.Size(); left < 0 {
			return t.Mistake("", 0, "holds more than %d GiB", maxBytes>>30)
		}
		t.Files[name], err = t.hash(name)
		return err
	})
}

func (t *Tree) hash(name string) (string, error) {
	in, err := t.root.Open(name)
	if err != nil {
		return "", err
	}
	defer in.Close()
	h := sha256.New()
	if _, err := io.Copy(h, in); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Text reads a file whole.
func (t *Tree) Text(name string) ([]byte, error) {
	in, err := t.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, maxText+1))
	if err == nil && len(text) > maxText {
		err = t.Mistake(name, 0, "is longer than %d MiB", maxText>>20)
	}
	return text, err
}

// Path is the absolute path of a file of the tree.
func (t *Tree) Path(name string) string { return filepath.Join(t.abs, filepath.FromSlash(name)) }

// In lists what lies directly in a folder, in order, without hidden files.
func (t *Tree) In(dir string) (names []string) {
	add := func(name string) {
		if path.Dir(name) == dir && !strings.HasPrefix(path.Base(name), ".") {
			names = append(names, name)
		}
	}
	for name := range t.Files {
		add(name)
	}
	for name := range t.Dirs {
		add(name)
	}
	slices.Sort(names)
	return names
}

// Sum is a digest of the files that determine how submissions are judged.
func (t *Tree) Sum(decides func(name string) bool) string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(t.Files)) {
		if decides(name) {
			fmt.Fprintf(h, "%d:%s %s\n", len(name), name, t.Files[name])
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:32]
}
