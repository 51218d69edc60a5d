package build

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"umpire/referee/pattern"
)

// Bounds on the source of a bot.
const (
	maxSource = 64 << 20 // bytes of all files together
	maxFiles  = 5000
)

// source is the files that a bot is built from, as they were read: the bytes
// that are built are the bytes in the digest, even if somebody edits the files.
type source struct {
	folder string // absolute; where it was read
	main   string // the file with the main, relative to folder
	files  []File // sorted by name
	single bool   // one file, without those beside it
	isFile bool   // it was read from a file, and not from a folder
}

// path returns the path of the file with the main.
func (s *source) path() string { return filepath.Join(s.folder, s.main) }

// names lists the names of the files.
func (s *source) names() []string {
	var names []string
	for _, f := range s.files {
		names = append(names, f.Name)
	}
	return names
}

// readSource reads the file or, as readFolder does, the folder that a source is.
func readSource(ctx context.Context, path string, keep func(name string) bool) (source, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return source{}, err
	case info.IsDir():
		return readFolder(ctx, path, keep)
	}
	return readFile(ctx, path)
}

// readFile reads a source of one file.
func readFile(ctx context.Context, name string) (source, error) {
	if err := Named(name); err != nil {
		return source{}, err
	}
	left := maxSource
	data, mode, err := readRegular(ctx, os.OpenFile, name, &left)
	if err != nil {
		return source{}, err
	}
	base := filepath.Base(name)
	return source{filepath.Dir(name), base, []File{{base, mode, data}}, true, true}, nil
}

// readRegular reads a file of at most left bytes.
func readRegular(ctx context.Context, open opener, name string, left *int) ([]byte, fs.FileMode, error) {
	f, info, err := openRegular(open, name)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	tooLong := fmt.Errorf("%s: more than %d MiB", filepath.Base(name), maxSource>>20)
	if info.Size() > int64(*left) {
		return nil, 0, tooLong
	}
	// The kernel's files claim to be empty.
	data, err := io.ReadAll(io.LimitReader(cancelled{ctx, f}, int64(*left)+1))
	if err == nil && len(data) > *left {
		err = tooLong
	}
	*left -= len(data)
	return data, 0o644 | Executable(info), err
}

// readFolder reads all files in a folder and below, except hidden ones and
// caches. A link may lead to a file in the folder; one that leads out of it
// would let a bot read what its author may not. Keep, if not nil, says what else is left out,
// by its name: that of a folder ends in a slash.
func readFolder(ctx context.Context, dir string, keep func(name string) bool) (source, error) {
	s := source{folder: dir}
	if err := Named(dir); err != nil {
		return s, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return s, err
	}
	defer root.Close()
	left := maxSource
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		called := name
		if d.IsDir() {
			called += "/"
		}
		if skipped(name, d) || name != "." && keep != nil && !keep(called) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.Type() == fs.ModeSymlink {
			info, err := root.Stat(name)
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil // a dangling link is not part of the bot
			case err != nil:
				return linkError(err, filepath.Join(dir, name))
			case info.IsDir():
				return nil // its files are read under their own names
			}
		} else if d.IsDir() {
			return nil
		}
		if len(s.files) == maxFiles {
			return fmt.Errorf("holds more than %d files", maxFiles)
		}
		data, mode, err := readRegular(ctx, root.OpenFile, name, &left)
		s.files = append(s.files, File{name, mode, data})
		return err
	})
	slices.SortFunc(s.files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return s, err
}

// skipped reports whether an entry of a folder is not part of the bot.
func skipped(name string, d fs.DirEntry) bool {
	return name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "__pycache__")
}

// find returns the source's file with the given name; nil if no file has it.
func (s *source) find(name string) *File {
	for i := range s.files {
		if s.files[i].Name == name {
			return &s.files[i]
		}
	}
	return nil
}

// findMain finds the one source file with a main at the top of a folder.
func (s *source) findMain(table Languages) error {
	var all, mains []string
	for _, f := range s.files {
		rows := table.of(f.Name)
		if len(rows) == 0 || strings.Contains(f.Name, "/") {
			continue
		}
		all = append(all, f.Name)
		if rows[0].Main != "" && regexp.MustCompile(rows[0].Main).Match(f.Data) || strings.TrimSuffix(f.Name, path.Ext(f.Name)) == "main" {
			mains = append(mains, f.Name)
		}
	}
	if begins := slices.IndexFunc(all, func(name string) bool { return strings.HasPrefix(name, "__main__.") }); begins >= 0 {
		mains = all[begins : begins+1]
	}
	if len(all) == 1 {
		mains = all
	}
	switch {
	case len(all) == 0:
		return errors.New("is a folder without a program: found neither an executable file `run` nor a source file of a known language")
	case len(mains) == 0:
		advice := "; an executable file `run` would also do"
		if i := slices.IndexFunc(all, func(name string) bool { return table.of(name)[0].Compile == "" }); i >= 0 {
			advice = ": call the one to start main" + path.Ext(all[i]) + advice
		}
		return fmt.Errorf("is a folder without a program: none of %s has a main%s", strings.Join(all, ", "), advice)
	case len(mains) > 1:
		return fmt.Errorf("is a folder with several programs: %s have a main, expected one, or an executable file `run`", strings.Join(mains, ", "))
	}
	s.main = mains[0]
	return nil
}

// of lists the files that are compiled together: the one with the main first,
// then the others of the same language.
func (s *source) of(l Language) []string {
	names := []string{s.main}
	for _, f := range s.files {
		if f.Name != s.main && slices.Contains(l.Suffixes, path.Ext(f.Name)) {
			names = append(names, f.Name)
		}
	}
	return names
}

// digest identifies the source: names, bytes, and which files are executable.
// The name of a single file does not affect how it plays.
func (s *source) digest() string {
	var parts []string
	for _, f := range s.files {
		if !s.single {
			parts = append(parts, f.Name, fmt.Sprint(f.Mode&0o111 != 0))
		}
		parts = append(parts, string(f.Data))
	}
	return Digest(parts...)
}

var (
	javaPackage = pattern.New(`(?m)^\s*package\s+([\w.]+)\s*;`)
	javaPublic  = pattern.New(`(?m)(?:^|[;}])\s*public\s+(?:(?:final|abstract|strictfp)\s+)*(?:class|record|enum|interface)\s+(\w+)`)
	javaClass   = pattern.New(`\b(?:class|record|enum|interface)\s+(\w+)`)
	javaMain    = pattern.New(`\bvoid\s+main\s*\(`)
)

// class returns the fully qualified Java class with the main, and the name that
// its file must have: that of its public class.
func (s *source) class() (full, fileName string) {
	text := s.find(s.main).Data
	fileName = s.main
	name := strings.TrimSuffix(path.Base(s.main), path.Ext(s.main))
	public := javaPublic().FindSubmatch(text)
	if public != nil {
		name = string(public[1])
		fileName = name + path.Ext(s.main)
	} else if at := javaMain().FindIndex(text); at != nil {
		// The last class that begins before the main.
		if classes := javaClass().FindAllSubmatch(text[:at[0]], -1); classes != nil {
			name = string(classes[len(classes)-1][1])
		}
	}
	if p := javaPackage().FindSubmatch(text); p != nil {
		name = string(p[1]) + "." + name
	}
	return name, fileName
}

// renamed returns a source of one file under the name that a language requires,
// and its main class where that matters.
func (s source) renamed(l Language) (renamed source, class string) {
	if !strings.Contains(l.Compile+l.Run, "{class}") {
		return s, ""
	}
	class, name := s.class()
	if s.single {
		s.main, s.files = name, []File{{name, s.files[0].Mode, s.files[0].Data}}
	}
	return s, class
}

// Digest returns a hash of parts, short enough to be displayed.
func Digest(parts ...string) string {
	h := newHash()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s,", len(p), p)
	}
	return h.sum()
}

// IsDigest reports whether a name can be a Digest.
func IsDigest(name string) bool {
	_, err := hex.DecodeString(name)
	return err == nil && len(name) == 32
}

type digest struct{ hash.Hash }

func newHash() digest { return digest{sha256.New()} }

func (d digest) sum() string { return hex.EncodeToString(d.Sum(nil))[:32] }
