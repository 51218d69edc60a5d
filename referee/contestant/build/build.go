// Package build makes programs of source files: it knows languages by a table,
// calls their compilers, and keeps what they made in a cache. It knows nothing
// of games, matches or how a program is run.
package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// HeapMiB stands, in the arguments of a Program, for the memory in MiB that a
// runtime may use as its heap; Program.Heap fills it in.
const HeapMiB = "{heap_mib}"

// Program is what a source was made into: something to be run.
type Program struct {
	Language string   // "" for an executable file
	Args     []string // Args[0] is an absolute path
	Dir      string   // where it wants to be run; "" means anywhere
	Read     []string // files and folders it needs
	Digest   string   // of all that determines what it does
	Runtime  int64    // bytes that its language's runtime takes besides a heap
}

// Builder makes programs. It is safe for concurrent use.
type Builder struct {
	Languages Languages
	// Cache is the folder where programs are kept; "" is the user's cache
	// folder, or what UMPIRE_CACHE names.
	Cache string
	// Run runs a compiler, and returns what it printed; nil: as a plain process.
	Run func(context.Context, Command) ([]byte, error)
	// Prepare, if not nil, is called before Run; its time is not the compiler's.
	Prepare func(context.Context, Command) error
	// Notice, if not nil, is called before a compiler is run.
	Notice func(source, language string)

	tools sync.Map // of Language.key: func() (tool, error)
}

// Command is a call of a compiler. It may write below Dir's parent.
type Command struct {
	Dir  string
	Args []string // Args[0] is an absolute path
}

// Error is that a compiler refused a source.
type Error struct {
	Language, Source string
	Reason           error
	Output           []byte // what the compiler printed
}

func (e *Error) Error() string {
	text := fmt.Sprintf("compile %s (%s): %v", e.Source, e.Language, e.Reason)
	if out := strings.TrimRight(string(e.Output), "\n"); out != "" {
		text += "\n" + out
	}
	return text
}

func (e *Error) Unwrap() error { return e.Reason }

// IsSource tells whether a file is of a known language.
func (b *Builder) IsSource(path string) bool { return len(b.Languages.of(path)) > 0 }

// File makes a program of a source file.
func (b *Builder) File(ctx context.Context, path string) (Program, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return Program{}, err
	}
	s, err := readFile(abs)
	if err != nil {
		return Program{}, err
	}
	return b.make(ctx, s)
}

// Folder makes a program of a folder: an executable file `run` in it, or its
// one source file with a main.
func (b *Builder) Folder(ctx context.Context, path string) (Program, error) {
	dir, err := filepath.Abs(path)
	if err != nil {
		return Program{}, err
	}
	s, err := readFolder(dir)
	if err != nil {
		return Program{}, err
	}
	if f := s.find("run"); f != nil {
		run := filepath.Join(dir, "run")
		if f.mode&0o111 == 0 {
			return Program{}, errors.New("its file `run` is not executable (chmod +x makes it so)")
		}
		return Program{Args: []string{run}, Dir: dir, Read: []string{dir}, Digest: s.digest()}, nil
	}
	if err := s.findMain(b.Languages); err != nil {
		return Program{}, err
	}
	p, err := b.make(ctx, s)
	p.Dir = dir
	if err == nil {
		p.Read = append(p.Read, dir)
	}
	return p, err
}

// make builds a source, or finds it built.
func (b *Builder) make(ctx context.Context, s source) (Program, error) {
	lang, t, err := b.choose(ctx, s.main)
	if err != nil {
		return Program{}, err
	}
	p := Program{
		Language: lang.Name, Runtime: lang.Memory << 20,
		Digest: Digest(s.digest(), lang.key(), t.version), Read: t.read,
	}
	words := map[string]string{"{source}": filepath.Join(s.folder, s.main)}
	if lang.Compile == "" {
		if s.single {
			p.Read = append(p.Read, words["{source}"])
		}
	} else if words["{out}"], err = b.compiled(ctx, s, lang, t); err != nil {
		return Program{}, err
	} else {
		p.Read = append(p.Read, filepath.Dir(words["{out}"]))
		_, words["{class}"] = s.renamed(lang)
	}
	p.Args = fill(lang.Run, words)
	if t.real != "" {
		p.Args[0] = t.real
	} else if p.Args[0], err = exec.LookPath(p.Args[0]); err != nil {
		return Program{}, fmt.Errorf("%s: compiler made no program: %w", lang.Name, err)
	}
	if p.Args[0], err = filepath.Abs(p.Args[0]); err != nil {
		return Program{}, err
	}
	return p, nil
}

// fill splits a command line and puts words in their places.
func fill(line string, words map[string]string) []string {
	out, _ := SplitWords(line) // checked when the table was read
	for i := range out {
		out[i] = braces.ReplaceAllStringFunc(out[i], func(w string) string {
			if to, ok := words[w]; ok {
				return to
			}
			return w
		})
	}
	return out
}

// Heap fills in HeapMiB for a program that may use so much memory in all, in
// bytes. Where there is no limit the words that hold it are left out.
func (p Program) Heap(memory int64) []string {
	// A runtime that gets less than a quarter can't work anyway.
	heap := max(memory-p.Runtime, memory/4) >> 20
	var args []string
	for _, a := range p.Args {
		if strings.Contains(a, HeapMiB) {
			if memory <= 0 {
				continue
			}
			a = strings.ReplaceAll(a, HeapMiB, strconv.FormatInt(max(heap, 1), 10))
		}
		args = append(args, a)
	}
	return args
}

// tool is a language's compiler or interpreter as this machine has it.
type tool struct {
	version string
	real    string   // the interpreter itself, where the name in PATH is a shim
	read    []string // where it is installed, if not with the system
}

// choose finds the row for a file: the first whose tools are there.
func (b *Builder) choose(ctx context.Context, name string) (Language, tool, error) {
	var first error
	for _, l := range b.Languages.of(name) {
		t, err := b.tool(ctx, l)
		if err == nil {
			return l, t, nil
		}
		if first == nil {
			first = err
		}
		if ctx.Err() != nil {
			return l, t, ctx.Err()
		}
	}
	return Language{}, tool{}, first
}

func (b *Builder) tool(ctx context.Context, l Language) (tool, error) {
	look := sync.OnceValues(func() (tool, error) { return lookTool(ctx, l) })
	shared, _ := b.tools.LoadOrStore(l.key(), look)
	return shared.(func() (tool, error))()
}

// patience is how long a tool may take to tell its version.
const patience = 30 * time.Second

func lookTool(ctx context.Context, l Language) (t tool, err error) {
	for _, name := range l.tools() {
		path, err := exec.LookPath(name)
		if err != nil {
			return t, fmt.Errorf("a bot in %s needs %s, which is not installed, or not in PATH", l.Name, name)
		}
		t.version = path
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if l.Version != "" {
		if t.version, err = ask(ctx, l.Version); err != nil {
			return t, fmt.Errorf("a bot in %s: %w", l.Name, err)
		}
	}
	if l.Real == "" {
		return t, nil
	}
	if t.real, err = ask(ctx, l.Real); err != nil {
		return t, fmt.Errorf("a bot in %s: %w", l.Name, err)
	}
	if info, err := os.Stat(t.real); err != nil || !filepath.IsAbs(t.real) || info.IsDir() {
		t.real = ""
		return t, nil
	}
	t.read = Installation(t.real)
	return t, nil
}

// Installation is where a program outside the system's folders is installed:
// the folder that holds its bin or shims, and that of what it is a link to. Of
// a home folder, or its .local, only what programs need is given.
func Installation(path string) []string {
	var found []string
	places := []string{path}
	if real, err := filepath.EvalSymlinks(path); err == nil && real != path {
		places = append(places, real)
	}
	home, _ := os.UserHomeDir()
	for _, place := range places {
		bin := filepath.Dir(place)
		prefix := filepath.Dir(bin)
		switch {
		case !slices.Contains([]string{"bin", "sbin", "shims"}, filepath.Base(bin)),
			prefix == "/", strings.HasPrefix(prefix+"/", "/usr/"), slices.Contains(found, prefix):
		case prefix == home, filepath.Base(prefix) == ".local":
			found = append(found, bin)
			if lib := filepath.Join(prefix, "lib"); exists(lib) {
				found = append(found, lib)
			}
		default:
			found = append(found, prefix)
		}
	}
	return found
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// ask runs a command line and returns what it prints.
func ask(ctx context.Context, line string) (string, error) {
	args, err := SplitWords(line)
	if err != nil {
		return "", err
	}
	path, err := exec.LookPath(args[0])
	if err != nil {
		return "", fmt.Errorf("needs %s, which is not installed, or not in PATH", args[0])
	}
	out, err := Plain(ctx, Command{Args: append([]string{path}, args[1:]...)})
	if err != nil {
		return "", fmt.Errorf("`%s`: %w: %s", line, err, strings.TrimSpace(string(out)))
	}
	return strings.TrimSpace(string(out)), nil
}
