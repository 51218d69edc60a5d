package tree

import (
	"archive/zip"
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
)

// Bounds on an archive.
const (
	maxEntries  = 100_000
	maxUnpacked = 4 << 30
	maxRatio    = 200 // of what is unpacked to the archive
	maxLink     = 4096
)

// IsArchive reports whether a path names an archive of a problem package, by its ending.
func IsArchive(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	info, err := os.Stat(name)
	return (ext == ".zip" || ext == ".kpp") && err == nil && info.Mode().IsRegular()
}

// Unpack unpacks an archive below a folder, once: into one named after the archive's
// digest, and there into root, which is named after the archive. Its entries are not trusted:
// none is written elsewhere. Dir is root or a folder in it: where the package's files are.
func Unpack(ctx context.Context, archive, below string) (root, dir string, err error) {
	if root, err = unpackOnce(ctx, archive, below); err == nil {
		dir, err = topOf(root)
	}
	return root, dir, err
}

// unpackOnce unpacks an archive unless that has been done before.
func unpackOnce(ctx context.Context, archive, below string) (root string, err error) {
	in, err := os.Open(archive)
	if err != nil {
		return "", err
	}
	defer in.Close()
	h := sha256.New()
	size, err := io.Copy(h, in)
	if err != nil {
		return "", err
	}
	base := filepath.Base(archive)
	name := strings.TrimSuffix(base, filepath.Ext(base))
	if name == "" || name == "." || name == ".." {
		name = "package"
	}
	kept := filepath.Join(below, hex.EncodeToString(h.Sum(nil))[:32])
	if root = filepath.Join(kept, name); isDir(root) {
		return root, nil
	}
	if err := os.MkdirAll(kept, 0o755); err != nil {
		return "", err
	}
	part, err := os.MkdirTemp(kept, ".part-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(part)
	if err := os.Chmod(part, 0o755); err != nil {
		return "", err
	}
	if err := unpackZip(ctx, in, size, part); err != nil {
		return "", fmt.Errorf("%s: %w", archive, err)
	}
	if err := os.Rename(part, root); err != nil && !isDir(root) { // another umpire may have been first
		return "", err
	}
	return root, nil
}

func isDir(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.IsDir()
}

// topOf is the folder with the package's files: the only one in dir, or dir.
func topOf(dir string) (string, error) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var only string
	for _, e := range list {
		switch {
		case strings.HasPrefix(e.Name(), ".") || e.Name() == "__MACOSX":
		case only != "" || !e.IsDir():
			return dir, nil
		default:
			only = e.Name()
		}
	}
	return filepath.Join(dir, only), nil
}

// unpackZip writes the entries of an archive to a new folder.
func unpackZip(ctx context.Context, in io.ReaderAt, size int64, to string) error {
	list, err := zip.NewReader(in, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return fmt.Errorf("is not a zip archive: %w", err)
	}
	if len(list.File) > maxEntries {
		return fmt.Errorf("found %d entries, expected at most %d", len(list.File), maxEntries)
	}
	root, err := os.OpenRoot(to)
	if err != nil {
		return err
	}
	defer root.Close()
	left := min(maxUnpacked, size*maxRatio)
	links := make(map[string]string) // made last, so that nothing is written through one
	for _, f := range list.File {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		name := strings.TrimSuffix(f.Name, "/")
		if !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "\\:\x00") {
			return fmt.Errorf("entry %q: expected a relative path without .., colon and backslash", f.Name)
		}
		switch mode := f.Mode(); {
		case mode.IsDir():
			err = root.MkdirAll(name, 0o755)
		case mode&fs.ModeSymlink != 0:
			links[name], err = linkOf(f, name)
		case !mode.IsRegular():
			err = errors.New("is neither a file, a folder nor a link")
		default:
			err = unpackFile(root, f, name, &left)
		}
		if errors.Is(err, errTooMuch) {
			return fmt.Errorf("unpacks to more than %d GiB, or than %d times its size (%d bytes)", maxUnpacked>>30, maxRatio, size)
		}
		if err != nil {
			return fmt.Errorf("entry %q: %w", f.Name, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(links)) {
		if err = root.MkdirAll(path.Dir(name), 0o755); err == nil {
			err = root.Symlink(links[name], name)
		}
		if err != nil {
			return fmt.Errorf("entry %q: %w", name, err)
		}
	}
	return nil
}

// linkOf returns where a link leads, which is in the archive.
func linkOf(f *zip.File, name string) (string, error) {
	in, err := f.Open()
	if err != nil {
		return "", err
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, maxLink+1))
	if err != nil {
		return "", err
	}
	target := string(text)
	if path.IsAbs(target) || len(target) > maxLink || !fs.ValidPath(path.Join(path.Dir(name), target)) || strings.ContainsAny(target, "\\:\x00") {
		return "", fmt.Errorf("is a link to %q, expected one to a file of the archive", target[:min(len(target), 200)])
	}
	return target, nil
}

var errTooMuch = errors.New("too much")

// unpackFile writes one file, of what may still be written.
func unpackFile(root *os.Root, f *zip.File, name string, left *int64) error {
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	mode := fs.FileMode(0o644)
	if f.Mode()&0o111 != 0 {
		mode = 0o755
	}
	out, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrExist) {
		return errors.New("is there twice")
	}
	if err != nil {
		return err
	}
	n, err := io.Copy(out, io.LimitReader(in, *left+1))
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	if *left -= n; *left < 0 {
		return errTooMuch
	}
	return nil
}
