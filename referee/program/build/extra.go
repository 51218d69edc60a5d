package build

import (
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Extra is what a source is built with beyond what its author wrote.
type Extra struct {
	// Files are put beside the source's own, and in the place of those of the same name:
	// by the suffix of a language's files, and under "" for all languages. One named main,
	// Main or __main__ has the main.
	Files map[string][]File
	// Main is the source's file with the main, or its class; "": it is found.
	Main string
	// Stub, if not "", is the name without suffix of the one of Files that has the main, in
	// the source's language, and FileName is that of a source of one file.
	Stub, FileName string
	// Suffixes are those that the source's file with the main may have; nil: any.
	Suffixes []string
	// Scripts has an executable file `build` in a folder make the file `run`, which is
	// then the program.
	Scripts bool
}

// mainNames are the names of files that languages begin with.
var mainNames = []string{"main", "Main", "__main__"}

// add puts the files of x beside the source's own.
func (s *source) add(table Languages, x Extra) error {
	chosen := make(map[string]File)
	for _, suffix := range append([]string{""}, s.suffixes()...) {
		for _, f := range x.Files[suffix] {
			chosen[f.Name] = f
		}
	}
	if len(chosen) > 0 && s.single {
		s.standAlone(table, x.FileName)
	}
	s.files = slices.DeleteFunc(slices.Clone(s.files), func(f File) bool { _, replaced := chosen[f.Name]; return replaced })
	for _, name := range slices.Sorted(maps.Keys(chosen)) {
		s.files = append(s.files, chosen[name])
		if isMain(name) && s.main != "" && path.Ext(name) == path.Ext(s.main) {
			s.main = name
		}
	}
	slices.SortFunc(s.files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	if x.Stub != "" {
		return s.begin(table, x.Stub)
	}
	if x.Main == "" {
		return nil
	}
	for _, f := range s.files {
		stem := strings.TrimSuffix(f.Name, path.Ext(f.Name))
		if len(table.of(f.Name)) > 0 && slices.Contains([]string{f.Name, stem, stem + "Kt"}, strings.ReplaceAll(x.Main, "\\", "/")) {
			s.main = f.Name
			return nil
		}
	}
	if s.single {
		return nil // a class that its language finds
	}
	return fmt.Errorf("found no source file for the entry point %q", x.Main)
}

// checkLanguage returns an error where the source is in another language than x allows.
func (s *source) checkLanguage(x Extra) error {
	if x.Suffixes == nil || s.main == "" || slices.Contains(x.Suffixes, path.Ext(s.main)) {
		return nil
	}
	return fmt.Errorf("%s: is in a language that the problem does not allow, expected one of these suffixes: %s", s.main, strings.Join(x.Suffixes, " "))
}

// begin has the source begin with a stub of its language.
func (s *source) begin(table Languages, stub string) error {
	var have []string
	for _, f := range s.files {
		if strings.TrimSuffix(f.Name, path.Ext(f.Name)) != stub {
			continue
		}
		have = append(have, f.Name)
		if rows := table.of(s.main); len(rows) > 0 && slices.Contains(rows[0].Suffixes, path.Ext(f.Name)) {
			s.main = f.Name
			return nil
		}
	}
	return fmt.Errorf("is in a language for which the package has no stub, expected that of %s", strings.Join(have, ", "))
}

func isMain(name string) bool {
	return slices.Contains(mainNames, strings.TrimSuffix(name, path.Ext(name)))
}

// suffixes are those of the source's files, each once.
func (s *source) suffixes() (list []string) {
	for _, f := range s.files {
		if ext := path.Ext(f.Name); ext != "" && !slices.Contains(list, ext) {
			list = append(list, ext)
		}
	}
	return list
}

// standAlone makes a source of one file one of a folder, in which the file has the name
// that its language requires, else another unless that is "".
func (s *source) standAlone(table Languages, name string) {
	class := ""
	if rows := table.of(s.main); len(rows) > 0 {
		*s, class = s.renamed(rows[0])
	}
	if name != "" && class == "" {
		s.main = name + path.Ext(s.main)
		s.files = []File{{s.main, s.files[0].Mode, s.files[0].Data}}
	}
	s.single = false
}

// runScript makes the program of a folder by the script `build` in it, and returns the
// folder in which that has left the program `run`.
func (b *Builder) runScript(ctx context.Context, s source) (dir string, err error) {
	key := Digest("build script", s.digest())
	entry, err := b.entry(ctx, key, b.Use, func(dir string) error {
		if b.Notice != nil {
			b.Notice(filepath.Join(s.folder, "build"), "its own script")
		}
		c := Command{Dir: filepath.Join(dir, sourceFolder), Args: []string{"/bin/sh", "-c", "./build"}}
		if err := WriteFiles(c.Dir, s.files); err != nil {
			return err
		}
		output, err := b.run(ctx, c, "the script")
		if err == nil {
			err = settleScript(dir)
		}
		return blame(err, Error{
			Language: "its own script", Source: filepath.Join(s.folder, "build"), Output: bytes.TrimSpace(output), Dir: c.Dir, Files: s.names(), Digest: key,
		})
	})
	return filepath.Join(entry, sourceFolder), err
}

// settleScript checks what a script has left in a folder.
func settleScript(dir string) error {
	if err := settle(dir); err != nil {
		return err
	}
	if _, err := os.Lstat(filepath.Join(dir, sourceFolder, "run")); err != nil {
		return &FailedError{errors.New("the script ended and made no file `run`")}
	}
	return filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if begins, err := beginsWith(path, "#!", elf.ELFMAG); err != nil || !begins {
			return err
		}
		return os.Chmod(path, 0o755) // which the script can't do at every level of isolation
	})
}

// beginsWith reports whether a file begins with one of some short texts.
func beginsWith(path string, texts ...string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	start := make([]byte, 4)
	n, _ := io.ReadFull(f, start)
	return slices.ContainsFunc(texts, func(text string) bool { return strings.HasPrefix(string(start[:n]), text) }), nil
}
