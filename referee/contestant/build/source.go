package build

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Bounds on the source of a bot.
const (
	maxSource = 64 << 20 // bytes of all its files
	maxFiles  = 5000
)

// source is what a bot is built from, as it was read: what is built and what
// the digest is of are the same bytes, even if somebody edits the files.
type source struct {
	folder string // absolute; where it was read
	main   string // the file with the main, relative to folder
	files  []file // sorted by name
	single bool   // one file, whatever stands beside it
}

type file struct {
	name string // relative to the folder, with slashes
	data []byte
	mode fs.FileMode
}

// readFile reads a source of one file.
func readFile(name string) (source, error) {
	data, err := os.ReadFile(name)
	if err == nil && len(data) > maxSource {
		err = fmt.Errorf("is longer than %d MiB", maxSource>>20)
	}
	if err != nil {
		return source{}, err
	}
	base := filepath.Base(name)
	return source{filepath.Dir(name), base, []file{{base, data, 0o644}}, true}, nil
}

// readFolder reads all files of a folder and below it, but nothing hidden and
// no caches.
func readFolder(dir string) (source, error) {
	s := source{folder: dir}
	size := 0
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if skipped := name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "__pycache__"); skipped {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		info, err := os.Stat(filepath.Join(dir, name)) // the file behind a link
		if err != nil || !info.Mode().IsRegular() {
			return nil // a dead link is no part of the bot
		}
		if size += int(info.Size()); size > maxSource || len(s.files) == maxFiles {
			return fmt.Errorf("holds more than %d MiB or %d files", maxSource>>20, maxFiles)
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		s.files = append(s.files, file{name, data, info.Mode().Perm()})
		return err
	})
	slices.SortFunc(s.files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return s, err
}

// find gives a file of the source by its name; nil if there is none.
func (s *source) find(name string) *file {
	for i := range s.files {
		if s.files[i].name == name {
			return &s.files[i]
		}
	}
	return nil
}

// findMain finds the one source file with a main at the top of a folder.
func (s *source) findMain(table Languages) error {
	var all, mains []string
	for _, f := range s.files {
		rows := table.of(f.name)
		if len(rows) == 0 || strings.Contains(f.name, "/") {
			continue
		}
		all = append(all, f.name)
		if rows[0].Main != "" && rows[0].main.Match(f.data) || strings.TrimSuffix(f.name, path.Ext(f.name)) == "main" {
			mains = append(mains, f.name)
		}
	}
	if len(all) == 1 {
		mains = all
	}
	switch {
	case len(all) == 0:
		return errors.New("is a folder without a bot: found neither an executable file `run` nor a source file of a known language")
	case len(mains) == 0:
		return fmt.Errorf("is a folder without a bot: none of %s has a main; an executable file `run` would do as well", strings.Join(all, ", "))
	case len(mains) > 1:
		return fmt.Errorf("is a folder with several bots: %s have a main, expected one, or an executable file `run`", strings.Join(mains, ", "))
	}
	s.main = mains[0]
	return nil
}

// of lists the files that are compiled together: the one with the main first,
// then those of the same language.
func (s *source) of(l Language) []string {
	names := []string{s.main}
	for _, f := range s.files {
		if f.name != s.main && slices.Contains(l.Suffixes, path.Ext(f.name)) {
			names = append(names, f.name)
		}
	}
	return names
}

// digest identifies the source. The name of a single file does not matter to
// how it plays.
func (s *source) digest() string {
	var parts []string
	for _, f := range s.files {
		if !s.single {
			parts = append(parts, f.name)
		}
		parts = append(parts, string(f.data))
	}
	return Digest(parts...)
}

// write writes the files below dir.
func (s *source) write(dir string) error {
	for _, f := range s.files {
		to := filepath.Join(dir, filepath.FromSlash(f.name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, f.data, f.mode|0o600); err != nil {
			return err
		}
	}
	return nil
}

var (
	javaPackage = regexp.MustCompile(`(?m)^\s*package\s+([\w.]+)\s*;`)
	javaPublic  = regexp.MustCompile(`(?m)(?:^|[;}])\s*public\s+(?:(?:final|abstract|strictfp)\s+)*(?:class|record|enum|interface)\s+(\w+)`)
	javaClass   = regexp.MustCompile(`\b(?:class|record|enum|interface)\s+(\w+)`)
	javaMain    = regexp.MustCompile(`\bvoid\s+main\s*\(`)
)

// class is the Java class with the main, in full, and the name that the
// compiler wants its file to have: that of its public class.
func (s *source) class() (full, fileName string) {
	text := s.find(s.main).data
	fileName = s.main
	name := strings.TrimSuffix(path.Base(s.main), path.Ext(s.main))
	public := javaPublic.FindSubmatch(text)
	if public != nil {
		name = string(public[1])
		fileName = name + path.Ext(s.main)
	} else if at := javaMain.FindIndex(text); at != nil {
		// The class that begins last before the main.
		if classes := javaClass.FindAllSubmatch(text[:at[0]], -1); classes != nil {
			name = string(classes[len(classes)-1][1])
		}
	}
	if p := javaPackage.FindSubmatch(text); p != nil {
		name = string(p[1]) + "." + name
	}
	return name, fileName
}

// renamed gives a source of one file the name that a language wants, and says
// what its main class is, where that matters.
func (s source) renamed(l Language) (renamed source, class string) {
	if !strings.Contains(l.Compile+l.Run, "{class}") {
		return s, ""
	}
	class, name := s.class()
	if s.single {
		s.main, s.files = name, []file{{name, s.files[0].data, s.files[0].mode}}
	}
	return s, class
}

// Digest is a hash of parts, short enough to be shown.
func Digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s,", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))[:32]
}
