// Package build makes programs from source files: it knows languages from a
// table, calls their compilers, and caches the results. It knows nothing of
// games, matches or how a program is run.
package build

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// HeapMiB stands, in the arguments of a Program, for the memory in MiB that a
// runtime may use as its heap; Program.Heap fills it in.
const HeapMiB = "{heap_mib}"

// Program is a program built from a source, ready to be run.
type Program struct {
	Language string   // "" for an executable file
	Args     []string // Args[0] is an absolute path
	Dir      string   // where it must be run; "" means anywhere
	Read     []string // its own files and folders
	Digest   string   // digest of everything that determines what it does
	Source   string   // digest of the file or folder that it was made of
	Sources  []string // folders in which its source is, or was when it was compiled
	Runtime  int64    // bytes that its language's runtime takes in addition to the heap
	Content  *Content // its files on disk
	// Tool is the compiler or interpreter with its version: the digest covers
	// this text, not the tool's files.
	Tool string
	// Toolchain is the same on all machines where the same source makes a
	// program with the same digest; "" if no compiler or interpreter is called.
	Toolchain string
	// Interpreter is the program in Args[0] if that is not part of the bot.
	Interpreter string
}

// Builder makes programs. It is safe for concurrent use.
type Builder struct {
	Languages Languages
	// Cache is the folder where programs are kept; "" is the user's cache
	// folder, or what UMPIRE_CACHE names.
	Cache string
	// Run runs a compiler and returns its output; nil: as a plain process. What the
	// compiler itself did wrong is a FailedError, and the source is blamed for that alone.
	Run func(context.Context, Command) ([]byte, error)
	// Stalled, if not nil, returns for how long umpire itself has not run so far, which
	// does not count as a compiler's time.
	Stalled func() time.Duration
	// Prepare, if not nil, is called before Run; its time does not count as the
	// compiler's.
	Prepare func(context.Context, Command) error
	// Token, if not nil, returns a word that names the builds which may be taken from
	// the cache; see Trust.
	Token func() (string, error)
	// Notice, if not nil, is called before a compiler is run.
	Notice func(source, language string)

	tools sync.Map // of Language.key: func() (tool, error)
	inUse sync.Map // of folders with entries: the open file of their locks; see Use
}

// Command is a call of a compiler, which may write below Dir's parent.
type Command struct {
	Dir  string
	Args []string // Args[0] is an absolute path
	// Look, if not nil, is to be called at each Glance by who runs the compiler: with the CPU
	// time that it has used so far, and whether it is ready to use more.
	Look func(cpu time.Duration, ready bool)
}

// Error reports that a compiler, or the check of a language, refused a source.
type Error struct {
	Language, Source string
	Reason           error
	Output           []byte   // what the compiler printed
	Dir              string   // where the compiler ran, with the source
	Files            []string // names of the source's files, relative to Dir
	Digest           string   // of the program that could not be built
}

func (e *Error) Error() string {
	text := fmt.Sprintf("compile %s (%s): %v", e.Source, e.Language, e.Reason)
	if out := strings.TrimRight(string(e.Output), "\n"); out != "" {
		text += "\n" + out
	}
	return text
}

func (e *Error) Unwrap() error { return e.Reason }

// FailedError reports what a compiler, a check or a script itself did wrong: its exit
// status, a signal, a limit that it passed, or what it has made.
type FailedError struct{ Reason error }

func (e *FailedError) Error() string { return e.Reason.Error() }

func (e *FailedError) Unwrap() error { return e.Reason }

// MachineError reports that umpire, or this machine, failed at making a program. It does
// not unwrap, as the path in its reason would be taken for the bot's own.
type MachineError struct{ reason error }

func (e *MachineError) Error() string { return e.reason.Error() }

func (e *MachineError) Is(target error) bool { return errors.Is(e.reason, target) }

// CacheError reports that the folder of the cache can't be found or made, so that no program
// can be made of a source. It is a MachineError.
type CacheError struct{ reason error }

func (e *CacheError) Error() string { return e.reason.Error() }

func (e *CacheError) Unwrap() error { return e.reason }

// lacking are errors of a machine that lacks something, whatever it was to do.
var lacking = []error{
	syscall.EAGAIN, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EIO, syscall.ENOSPC, syscall.EDQUOT, syscall.ESTALE,
}

// IsMachines reports whether an error is umpire's or of this machine, such as a full
// disk: it says nothing of a source, and the user has made no mistake.
func IsMachines(err error) bool {
	return errors.As(err, new(*MachineError)) || slices.ContainsFunc(lacking, func(of error) bool { return errors.Is(err, of) })
}

// UnfitError reports a source that is no program on any machine: it can't be
// read, or nothing in it can be started.
type UnfitError struct{ Reason error }

func (e *UnfitError) Error() string { return e.Reason.Error() }

func (e *UnfitError) Unwrap() error { return e.Reason }

// Unfit marks an error as that of a source, unless it is one of this machine, or
// ctx has ended; nil stays nil.
func Unfit(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil || IsMachines(err) {
		return err
	}
	return &UnfitError{err}
}

// IsSource reports whether a file's suffix is that of a known language.
func (b *Builder) IsSource(path string) bool { return len(b.Languages.of(path)) > 0 }

// Script makes a program from a source file that a command executes: by is the
// beginning of that command, from the interpreter to its last option.
func (b *Builder) Script(ctx context.Context, path string, by []string, x Extra) (Program, error) {
	s, err := b.read(ctx, path, x, nil)
	if err != nil {
		return Program{}, err
	}
	p := Program{Digest: s.digest(), Source: s.digest()}
	if err := b.checkBy(ctx, s, by); err != nil {
		return Program{}, s.refused(err, p)
	}
	dir, err := b.store(ctx, s, &p)
	if err != nil {
		return Program{}, err
	}
	p.Args, p.Sources = []string{filepath.Join(dir, s.main)}, []string{dir}
	return p, nil
}

// Source makes a program from a source file, without access to the files beside
// it other than those of x, or from a folder: an executable file `run` in it, or its
// one source file with a main.
func (b *Builder) Source(ctx context.Context, path string, x Extra) (Program, error) {
	s, err := b.withMain(ctx, path, x)
	if err != nil {
		return Program{}, err
	}
	if s.main != "" {
		return b.make(ctx, s)
	}
	p := Program{Digest: s.digest(), Source: s.digest()}
	if x.Scripts && s.isExecutable("build") {
		if p.Dir, err = b.runScript(ctx, s); err == nil {
			err = p.own(ctx, p.Dir)
		}
	} else {
		p.Dir, err = b.store(ctx, s, &p)
	}
	if err != nil {
		return Program{}, err
	}
	p.Args, p.Sources = []string{filepath.Join(p.Dir, "run")}, []string{p.Dir}
	return p, nil
}

// Part makes a program from the files of a folder that keep wants, as ReadFiles does: from the source
// file that the one word names, or of what a command line starts there.
func (b *Builder) Part(ctx context.Context, path string, keep func(name string) bool, words []string) (Program, error) {
	s, err := b.read(ctx, path, Extra{}, keep)
	if err != nil {
		return Program{}, err
	}
	own := s.find(filepath.ToSlash(filepath.Clean(words[0])))
	if own != nil && len(words) == 1 && own.Mode&0o111 == 0 && b.IsSource(own.Name) || own != nil && len(words) == 1 && b.isCompiled(own.Name) {
		s.main = own.Name
		return b.make(ctx, s)
	}
	p := Program{Digest: Digest(append([]string{s.digest()}, words...)...), Args: slices.Clone(words)}
	switch {
	case own != nil && own.Mode&0o111 == 0:
		return Program{}, fmt.Errorf("%s is not executable (chmod +x makes it so)", own.Name)
	case own != nil:
	case strings.Contains(words[0], "/") && !filepath.IsAbs(words[0]):
		return Program{}, fmt.Errorf("found no file %s", words[0])
	default:
		if p.Args[0], err = exec.LookPath(words[0]); err != nil {
			if filepath.IsAbs(words[0]) {
				return Program{}, fmt.Errorf("%s can't be executed; expected a file of the folder or a command", words[0])
			}
			return Program{}, fmt.Errorf("found neither a file nor a command %s", words[0])
		}
		p.Interpreter = p.Args[0]
	}
	if p.Dir, err = b.store(ctx, s, &p); err != nil {
		return Program{}, err
	}
	if p.Sources = []string{p.Dir}; own != nil {
		p.Args[0] = filepath.Join(p.Dir, filepath.FromSlash(own.Name))
	}
	return p, nil
}

// isCompiled reports whether files of a name are compiled, and not executed as they are.
func (b *Builder) isCompiled(name string) bool {
	rows := b.Languages.of(name)
	return len(rows) > 0 && rows[0].Compile != ""
}

// withMain reads a source, and finds in a folder the file with a main; there is none if
// it has an executable file `run`, or one that makes it.
func (b *Builder) withMain(ctx context.Context, path string, x Extra) (source, error) {
	s, err := b.read(ctx, path, x, nil)
	if err != nil || s.isFile {
		return s, err
	}
	switch {
	case x.Scripts && s.find("build") != nil:
		if !s.isExecutable("build") {
			err = errors.New("its file `build` is not executable (chmod +x makes it so)")
		}
	case s.find("run") == nil && s.main == "":
		err = s.findMain(b.Languages)
	case s.find("run") != nil && !s.isExecutable("run"):
		err = errors.New("its file `run` is not executable (chmod +x makes it so)")
	}
	return s, Unfit(ctx, cmp.Or(err, s.checkLanguage(x)))
}

func (s *source) isExecutable(name string) bool {
	f := s.find(name)
	return f != nil && f.Mode&0o111 != 0
}

// Check reads a source file or a folder, and finds the tools of its language,
// without building anything. Executed says that a file is itself executed.
func (b *Builder) Check(ctx context.Context, path string, executed bool, x Extra) error {
	s, err := b.withMain(ctx, path, x)
	if err != nil || executed || s.main == "" {
		return err
	}
	_, _, err = b.choose(ctx, s.main)
	return err
}

// read reads a source, to which it adds what x says, and stops waiting for it when ctx ends.
func (b *Builder) read(ctx context.Context, path string, x Extra, keep func(name string) bool) (source, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return source{}, err
	}
	s, err := Await(ctx, func() (source, error) { return readSource(ctx, abs, keep) })
	if err == nil {
		err = cmp.Or(s.add(b.Languages, x), s.checkLanguage(x))
	}
	return s, Unfit(ctx, err)
}

// store copies a source for program p to where it can be run.
func (b *Builder) store(ctx context.Context, s source, p *Program) (dir string, err error) {
	if dir, err = b.stored(ctx, s); err != nil {
		return "", err
	}
	it := dir
	if s.single {
		it = filepath.Join(dir, s.main)
	}
	return dir, p.own(ctx, it)
}

// own adds a file or folder that belongs to the program.
func (p *Program) own(ctx context.Context, path string) error {
	if p.Content == nil {
		p.Content = new(Content)
	}
	p.Read = append(p.Read, path)
	return p.Content.AddSource(ctx, path)
}

// refused completes an Error about a source, which was to become a program.
func (s *source) refused(err error, p Program) error {
	if refused, ok := errors.AsType[*Error](err); ok {
		refused.Source, refused.Digest = s.path(), Digest("broken", p.Digest)
	}
	return err
}

// make builds a source unless it is already built.
func (b *Builder) make(ctx context.Context, s source) (Program, error) {
	lang, t, err := b.choose(ctx, s.main)
	if err != nil {
		return Program{}, err
	}
	p := Program{
		Language: lang.Name, Runtime: lang.Memory << 20, Tool: lang.Name + ": " + t.line(), Toolchain: lang.toolchain(t), Source: s.digest(),
		Digest: Digest(s.digest(), lang.key(), strconv.FormatInt(lang.Memory, 10), t.version),
	}
	words := make(map[string]string)
	if !s.single || lang.Compile == "" {
		dir, err := b.store(ctx, s, &p)
		if err != nil {
			return Program{}, err
		}
		words["{source}"] = filepath.Join(dir, s.main)
		p.Sources = append(p.Sources, dir)
		if !s.single {
			p.Dir = dir
		}
	}
	if lang.Compile == "" {
		if err := b.checkSyntax(ctx, s, lang, t, nil); err != nil {
			return Program{}, s.refused(err, p)
		}
	} else {
		if words["{out}"], err = b.compiled(ctx, s, lang, t); err != nil {
			return Program{}, s.refused(err, p)
		}
		entry := filepath.Dir(words["{out}"])
		if err := p.own(ctx, entry); err != nil {
			return Program{}, err
		}
		p.Sources = append(p.Sources, filepath.Join(filepath.Dir(entry), making+filepath.Base(entry), sourceFolder))
		_, words["{class}"] = s.renamed(lang)
	}
	p.Args = fill(lang.Run, words)
	if t.real != "" {
		p.Args[0] = t.real
	} else if p.Args[0], err = exec.LookPath(p.Args[0]); err != nil {
		return Program{}, fmt.Errorf("%s: the compiler made no program: %w", lang.Name, err)
	}
	if p.Args[0], err = filepath.Abs(p.Args[0]); err != nil {
		return Program{}, err
	}
	if lang.interpreter() != "" {
		p.Interpreter = p.Args[0]
	}
	return p, nil
}

// fill splits a command line and puts words in their places.
func fill(line string, words map[string]string) []string {
	out, _ := SplitWords(line) // checked when the table was read
	for i := range out {
		out[i] = braces().ReplaceAllStringFunc(out[i], func(w string) string {
			if to, ok := words[w]; ok {
				return to
			}
			return w
		})
	}
	return out
}

// Heap returns the arguments with HeapMiB filled in for a program with a memory
// limit, in bytes. Without a limit, words that contain HeapMiB are left out.
func (p Program) Heap(memory int64) []string {
	// A runtime with less than a quarter of the limit can't work anyway.
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
