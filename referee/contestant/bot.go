package contestant

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"umpire/referee/contestant/build"
)

// Bot is a program that is ready to be started, any number of times.
type Bot struct {
	Name   string // how it is shown; unique among the bots of a run
	Label  string // how the user named it, for commands that repeat a match
	Digest string // of what determines how it plays: its files and its command

	Path string   // the executable
	Args []string // Args[0] being its name
	// Program is what a source was made into; nil for all else. Its arguments
	// depend on the memory limit, and stand for Args then.
	Program *build.Program
	Env     []string // in addition to umpire's own environment
	Dir     string   // working directory; "" means umpire's own
	Read    []string // files and folders that it needs beyond the system's
}

// Builtins are the bots that come with umpire.
type Builtins struct {
	Game    string   // the game at hand: `@name` is one of its bots
	Names   []string // all names in full: `game/name`
	Path    string   // umpire's own executable
	Version string   // umpire's version: part of their digest
	// Builder makes bots of source files and folders; nil: there are none.
	Builder *build.Builder
}

// Find makes a Bot of what the user named, as CLI.md, "Naming a bot", says:
// `[NAME=]@builtin`, a path, or a command line when it holds a space. A source
// is compiled, which may take a while and ends with ctx.
func (b Builtins) Find(ctx context.Context, label string) (Bot, error) {
	name, what := splitName(label)
	if what == "" {
		return Bot{}, fmt.Errorf("bot %q: found nothing, expected @NAME, a file or a command line", label)
	}
	var bot Bot
	var err error
	switch {
	case strings.HasPrefix(what, "@"):
		bot, err = b.builtin(what[1:])
	case strings.ContainsAny(what, " \t") && !exists(what):
		bot, err = commandLine(what)
	default:
		bot, err = b.path(ctx, what)
	}
	if err != nil {
		return Bot{}, fmt.Errorf("bot %q: %w", what, err)
	}
	bot.Label = label
	if name != "" {
		bot.Name = name
	}
	// As it is written in records, where two names must not become one.
	bot.Name = strings.ToValidUTF8(bot.Name, "\ufffd")
	return bot, nil
}

// splitName splits `alice=./alice.py`. A path may hold a '=', so a name is only
// what could be one.
func splitName(label string) (name, what string) {
	name, what, found := strings.Cut(label, "=")
	if !found || name == "" || strings.ContainsAny(name, "@/ \t") {
		return "", label
	}
	return name, what
}

func (b Builtins) builtin(name string) (Bot, error) {
	full := name
	if !strings.Contains(name, "/") {
		full = b.Game + "/" + name
	}
	for _, known := range b.Names {
		if known == full {
			return Bot{
				Name: "@" + name, Digest: build.Digest("builtin", full, b.Version),
				Path: b.Path, Args: []string{"umpire", "bot", full},
			}, nil
		}
	}
	var have []string
	for _, known := range b.Names {
		if rest, ok := strings.CutPrefix(known, b.Game+"/"); ok {
			have = append(have, "@"+rest)
		}
	}
	return Bot{}, fmt.Errorf("no built-in bot of that name; %s has %s", b.Game, strings.Join(have, ", "))
}

// commandLine makes a bot of a command line.
func commandLine(text string) (Bot, error) {
	args, err := build.SplitWords(text)
	if err != nil {
		return Bot{}, err
	}
	path, err := exec.LookPath(args[0])
	if err != nil && !errors.Is(err, exec.ErrDot) {
		return Bot{}, reason(err)
	}
	if path, err = filepath.Abs(path); err != nil {
		return Bot{}, err
	}
	bot := Bot{Path: path, Args: args, Read: needs(path)}
	hash := []string{text}
	for _, arg := range args[1:] {
		if info, err := os.Stat(arg); err == nil {
			if abs, err := filepath.Abs(arg); err == nil {
				bot.Read = append(bot.Read, abs)
			}
			if info.Mode().IsRegular() {
				sum, err := digestFile(arg)
				if err != nil {
					return Bot{}, err
				}
				hash = append(hash, sum)
				if bot.Name == "" {
					bot.Name = stem(arg)
				}
			}
		}
	}
	if bot.Name == "" {
		bot.Name = stem(args[0])
	}
	bot.Digest = build.Digest(hash...)
	return bot, nil
}

// needs are the files and folders that an executable needs beyond the system's:
// itself, where it is installed, and where the interpreter is that its first
// line names.
func needs(path string) []string {
	read := append([]string{path}, build.Installation(path)...)
	line, script := strings.CutPrefix(firstLine(path), "#!")
	words := strings.Fields(line)
	if !script || len(words) == 0 {
		return read
	}
	interpreter := words[0]
	if filepath.Base(interpreter) == "env" && len(words) > 1 {
		interpreter = words[len(words)-1]
	}
	if found, err := exec.LookPath(interpreter); err == nil && found != path {
		read = append(read, found)
		read = append(read, build.Installation(found)...)
	}
	return read
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// path makes a bot of a file or a folder.
func (b Builtins) path(ctx context.Context, path string) (Bot, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Bot{}, reason(err)
	}
	source := b.Builder != nil && b.Builder.IsSource(path)
	var p build.Program
	switch {
	case info.IsDir():
		if b.Builder == nil {
			return Bot{}, errors.New("is a folder, expected a file")
		}
		p, err = b.Builder.Folder(ctx, path)
	case !info.Mode().IsRegular():
		return Bot{}, errors.New("is neither a file nor a folder")
	case source && (info.Mode()&0o111 == 0 || !startsItself(path)):
		p, err = b.Builder.File(ctx, path)
	case info.Mode()&0o111 == 0:
		return Bot{}, b.unknown(path)
	default:
		return executable(path)
	}
	var refused *build.Error
	if err != nil && !errors.As(err, &refused) {
		err = reason(err)
	}
	if err != nil {
		return Bot{}, err
	}
	name := path
	if abs, err := filepath.Abs(path); err == nil {
		name = abs // so that "." has a name
	}
	return Bot{
		Name: stem(name), Digest: p.Digest, Path: p.Args[0], Args: p.Args, Program: &p, Dir: p.Dir, Read: p.Read,
	}, nil
}

// startsItself tells whether the kernel can execute a file: it names its
// interpreter or is machine code. A source file that is merely marked as
// executable, as on some file systems all files are, is not.
func startsItself(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var start [4]byte
	n, _ := io.ReadFull(f, start[:])
	return strings.HasPrefix(string(start[:n]), "#!") || string(start[:n]) == "\x7fELF"
}

// unknown says what is wrong with a file that can't be a bot.
func (b Builtins) unknown(path string) error {
	if b.Builder == nil {
		return errors.New("is not executable (chmod +x makes it so)")
	}
	return fmt.Errorf("is not executable (chmod +x makes it so), and %q is no suffix of a source file; known are %s",
		filepath.Ext(path), strings.Join(b.Builder.Languages.Suffixes(), " "))
}

// executable makes a bot of an executable file.
func executable(path string) (Bot, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return Bot{}, err
	}
	sum, err := digestFile(abs)
	if err != nil {
		return Bot{}, err
	}
	return Bot{Name: stem(path), Digest: sum, Path: abs, Args: []string{abs}, Read: needs(abs)}, nil
}

// args are the bot's arguments if it may use so much memory.
func (b Bot) args(memory int64) []string {
	if b.Program == nil {
		return b.Args
	}
	return b.Program.Heap(memory)
}

// stem is a file's name without its folder and ending.
func stem(path string) string {
	base := filepath.Base(path)
	if s := strings.TrimSuffix(base, filepath.Ext(base)); s != "" {
		return s
	}
	return base
}

// reason strips the operation and the path, which the message names already.
func reason(err error) error {
	var pathErr *fs.PathError
	var execErr *exec.Error
	switch {
	case errors.As(err, &pathErr):
		return pathErr.Err
	case errors.As(err, &execErr):
		return execErr.Err
	}
	return err
}

func digestFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", reason(err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil))[:32], nil
}

// Distinguish makes the names of bots unique, by numbers behind those alike. A
// name that the user gave is kept where another was made from a file's.
func Distinguish(bots []Bot) {
	taken := make(map[string]bool)
	number := func(given bool) {
		for i := range bots {
			if name, _ := splitName(bots[i].Label); (name != "") != given {
				continue
			}
			name := bots[i].Name
			for n := 2; taken[bots[i].Name]; n++ {
				bots[i].Name = fmt.Sprintf("%s-%d", name, n)
			}
			taken[bots[i].Name] = true
		}
	}
	number(true)
	number(false)
}
