package build

import (
	"cmp"
	"context"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// ToolError reports that this machine lacks a language: a compiler or an
// interpreter is not installed, or does not run.
type ToolError struct {
	Reason   error
	Language string
	Row      string // Installed.Row of the language
}

func (e *ToolError) Error() string { return e.Reason.Error() }

func (e *ToolError) Unwrap() error { return e.Reason }

// lack returns the error of a row that can't be used here.
func (l *Language) lack(why error) error { return &ToolError{why, l.Name, l.row()} }

// notRun returns the error of a row whose tools are installed and don't run.
func (l *Language) notRun(err error) error {
	return l.lack(fmt.Errorf("%s does not run here: %w", l.Name, err))
}

// tool is a language's compiler or interpreter as installed on this machine.
type tool struct {
	path    string // path of the last program that the row calls
	version string
	real    string // the interpreter itself, where the name in PATH is a shim
}

// line returns the tool with its version in one line.
func (t tool) line() string {
	version, _, _ := strings.Cut(t.version, "\n")
	return version + " (" + cmp.Or(t.real, t.path) + ")"
}

// choose returns the row for a file: the first whose tools are installed.
func (b *Builder) choose(ctx context.Context, name string) (Language, tool, error) {
	var first error
	for _, l := range b.Languages.of(name) {
		t, err := b.tool(ctx, l)
		if err == nil {
			return l, t, nil
		}
		first = cmp.Or(first, err)
		if ctx.Err() != nil {
			return l, t, ctx.Err()
		}
	}
	return Language{}, tool{}, first
}

// toolchain names the row with a tool, in a form that differs wherever the
// digests of programs do.
func (l *Language) toolchain(t tool) string {
	return l.Name + "-" + Digest(l.key(), strconv.FormatInt(l.Memory, 10), t.version)[:16]
}

// row names the row, whatever the version of its tools.
func (l *Language) row() string {
	return l.Name + "-row-" + Digest(l.key(), strconv.FormatInt(l.Memory, 10))[:16]
}

func (b *Builder) tool(ctx context.Context, l Language) (tool, error) {
	look := sync.OnceValues(func() (tool, error) { return lookTool(ctx, l) })
	shared, _ := b.tools.LoadOrStore(l.key(), look)
	return shared.(func() (tool, error))()
}

func lookTool(ctx context.Context, l Language) (t tool, err error) {
	for _, name := range l.tools() {
		path, err := exec.LookPath(name)
		if err != nil {
			return t, l.lack(fmt.Errorf("%s is not installed (%s is not in PATH)", l.Name, name))
		}
		t.path, t.version = path, path
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if l.Real != "" {
		t.real, err = l.behind(ctx, t.path)
	}
	if l.Version != "" { // a tool that does not run is named by this command
		version, wrong := l.ask(ctx, l.Version, t.real)
		t.version, err = version, cmp.Or(wrong, err)
	}
	if err != nil {
		return t, l.notRun(err)
	}
	return t, nil
}

// behind returns the interpreter itself behind its name in PATH; "" if that is not known.
func (l *Language) behind(ctx context.Context, path string) (string, error) {
	if isNoShim(path) {
		return path, nil
	}
	real, err := l.ask(ctx, l.Real, "")
	if info, wrong := os.Stat(real); err != nil || wrong != nil || !filepath.IsAbs(real) || info.IsDir() {
		return "", err
	}
	return real, nil
}

// isNoShim reports whether a file is an ELF program that is called as its link is but for
// a version: version managers' shims are scripts, or links to the manager.
func isNoShim(path string) bool {
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil || !strings.HasPrefix(filepath.Base(resolved), strings.TrimRight(filepath.Base(path), "0123456789.")) {
		return false
	}
	isELF, _ := beginsWith(resolved, elf.ELFMAG)
	return isELF
}

// Interpreter describes the interpreter with the given name, with its version;
// "" if no row calls it.
func (b *Builder) Interpreter(ctx context.Context, name string) string {
	for _, l := range b.Languages {
		if l.isCalledBy(name) {
			if t, err := b.tool(ctx, l); err == nil {
				return l.Name + ": " + t.line()
			}
		}
	}
	return ""
}

// InterpretedBy returns the words of a command from the interpreter of a source
// file's language on; nil if it is not among them.
func (b *Builder) InterpretedBy(words []string, path string) []string {
	for _, l := range b.Languages.of(path) {
		if i := slices.IndexFunc(words, l.isCalledBy); i >= 0 && l.Compile == "" {
			return words[i:]
		}
	}
	return nil
}

// Interpreters lists the interpreters of the language table that are installed.
func (b *Builder) Interpreters() []string {
	var found []string
	for _, l := range b.Languages {
		if path, err := exec.LookPath(l.interpreter()); err == nil && !slices.Contains(found, path) {
			found = append(found, path)
		}
	}
	return found
}

// ask runs a command line and returns what it prints. Real, if it is known, is started
// for the interpreter.
func (l *Language) ask(ctx context.Context, line, real string) (string, error) {
	args, err := SplitWords(line)
	if err != nil {
		return "", err
	}
	path, err := exec.LookPath(args[0])
	if err != nil {
		return "", fmt.Errorf("needs %s, which is not installed, or not in PATH", args[0])
	}
	if real != "" && args[0] == l.interpreter() {
		path = real
	}
	out, err := Plain(ctx, Command{Args: append([]string{path}, args[1:]...)})
	if err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n") // what follows may be a backtrace
		return "", fmt.Errorf("`%s`: %w%s", line, err, strings.TrimRight(": "+first, ": "))
	}
	return strings.TrimSpace(string(out)), nil
}
