package program

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"umpire/referee"
	"umpire/referee/pattern"
	"umpire/referee/program/build"
	"umpire/referee/suggest"
)

// commandLine makes a bot from a command line. Its executable and every file or
// folder that an argument names are part of it.
func (b Resolver) commandLine(ctx context.Context, e Entrant) (Bot, error) {
	args, err := build.SplitWords(e.What)
	if err != nil {
		return Bot{}, err
	}
	bot := Bot{Args: args, Content: new(build.Content), Names: e.names(args[0], nil)}
	hash := []string{"command", e.What}
	if bot.Path, err = e.command(args[0]); errors.Is(err, exec.ErrNotFound) {
		return Bot{}, fmt.Errorf("no such file, and %s is not in PATH%s", args[0], suggest.DidYouMean(args[0], b.commands(), "expected a file, or a program and its arguments"))
	} else if err != nil {
		return Bot{}, reason(err)
	}
	copied := referee.LevelBasic
	if inPath(args[0]) {
		copied = "" // it is installed, with files beside it
	}
	sum, err := b.add(ctx, &bot, bot.Path, copied)
	if err != nil {
		return Bot{}, reason(err)
	}
	hash = append(hash, sum)
	bot.Read = append(bot.Read, bot.Path)
	if inPath(args[0]) {
		// PATH is the user's, so a command found there is installed, not an
		// untrusted file that lies somewhere.
		bot.Read = append(bot.Read, b.toolchain(bot.Path)...)
		if it := b.Builder.Interpreter(ctx, args[0]); it != "" {
			hash = append(hash, it)
			bot.Uncovered = append(bot.Uncovered, it)
		}
	}
	given := slices.Clone(args[1:])
	if word := b.missingSource(e, args); word != "" {
		return Bot{}, fmt.Errorf("its argument %s: no such file or directory", word)
	}
	if i, by := b.sourceAt(e, args); i > 0 {
		// On its own, like a source named without its interpreter.
		p, err := b.Builder.Script(ctx, e.at(args[i]), by, b.extra(e))
		if err != nil {
			return Bot{}, fmt.Errorf("its argument %s: %w", args[i], reason(err))
		}
		bot.Name, bot.Args, bot.Names = stem(args[i]), slices.Clone(args), e.names(args[i], p.Sources)
		bot.Args[i], given[i-1] = p.Args[0], ""
		bot.Read, bot.Content = append(bot.Read, p.Read...), bot.Content.Join(p.Content)
		hash = append(hash, p.Digest)
	}
	for _, path := range e.named(given) {
		sum, err := b.give(ctx, &bot, path)
		if err != nil {
			return Bot{}, err
		}
		hash = append(hash, sum)
	}
	if bot.Name == "" {
		bot.Name = stem(args[0])
	}
	bot.Read = append(bot.Read, b.interpreters()...)
	bot.Digest = build.Digest(hash...)
	return bot, nil
}

// otherFlags matches flags behind which may stand a text, a module or another file than the
// source.
var otherFlags = pattern.New(`^-[A-Za-z]*[cempr]$|^--[^=]+$`)

// missingSource returns the word of a command line that is certain to be opened as a source,
// but names nothing; "" if there is none. What follows a container's, another machine's or
// another folder's command may be there.
func (b Resolver) missingSource(e Entrant, args []string) string {
	args = unwrapped(args)
	at := 1 + slices.IndexFunc(args[1:], func(word string) bool { return !strings.HasPrefix(word, "-") })
	word := args[at]
	if at == 0 || slices.ContainsFunc(args[:at], otherFlags().MatchString) || strings.ContainsAny(word, " \t\n") ||
		b.Builder.InterpretedBy(args[:1], word) == nil {
		return ""
	}
	if _, err := os.Lstat(e.at(word)); !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	if _, err := exec.LookPath(word); err == nil {
		return "" // shells find it, too
	}
	return word
}

// unwrapped returns what a command line starts behind `nice`, `timeout N` and `env A=B`.
func unwrapped(args []string) []string {
	for {
		switch rest := args[1:]; {
		case args[0] == "timeout" && len(rest) > 1:
			args = rest[1:]
		case args[0] == "nice" && len(rest) > 0:
			args = rest
		case args[0] == "env" && len(rest) > 1 && strings.Index(rest[0], "=") > 0 && rest[0][0] != '-':
			args = slices.Concat(args[:1], rest[1:])
		case args[0] == "env" && len(rest) > 0:
			args = rest
		default:
			return args
		}
	}
}

// sourceAt returns the index of the first word that names a source file after
// the interpreter of its language, and the words from that on; 0 if no word does.
func (b Resolver) sourceAt(e Entrant, args []string) (at int, by []string) {
	for i, arg := range args {
		info, err := os.Stat(e.at(arg))
		if i == 0 || err != nil || !info.Mode().IsRegular() {
			continue
		}
		if by := b.Builder.InterpretedBy(args[:i], arg); by != nil {
			return i, by
		}
	}
	return 0, nil
}

// commands lists the names of the interpreters that are installed.
func (b Resolver) commands() (names []string) {
	for _, path := range b.Builder.Interpreters() {
		names = append(names, filepath.Base(path))
	}
	return names
}

// inPath reports whether a command is looked up in PATH.
func inPath(name string) bool { return !strings.Contains(name, "/") }

// command finds the executable of a command line.
func (e Entrant) command(name string) (string, error) {
	if !inPath(name) {
		name = e.at(name)
		if err := named(name); err != nil {
			return "", err
		}
	}
	path, err := exec.LookPath(name)
	if err != nil && !errors.Is(err, exec.ErrDot) {
		return "", err
	}
	return filepath.Abs(path)
}

// named returns the files and folders that arguments name: as whole words,
// after a `=`, or between colons as in a class path.
func (e Entrant) named(args []string) []string {
	var paths []string
	for _, arg := range args {
		_, value, _ := strings.Cut(arg, "=")
		for _, text := range []string{arg, value} {
			list := []string{text}
			if !Exists(e.at(text)) {
				list = strings.Split(text, ":")
			}
			for _, path := range list {
				if path == "" || !Exists(e.at(path)) {
					continue
				}
				if abs, err := filepath.Abs(e.at(path)); err == nil && !slices.Contains(paths, abs) {
					paths = append(paths, abs)
				}
			}
		}
	}
	return paths
}

// give makes a file or folder of the command line part of a bot. The system's
// files are available to every bot anyway, and each has its own kernel file
// systems.
func (b Resolver) give(ctx context.Context, bot *Bot, path string) (sum string, err error) {
	if inSystem(path) || strings.HasPrefix(path, "/proc/") || strings.HasPrefix(path, "/sys/") {
		return "", nil
	}
	info, err := os.Stat(path)
	if err == nil {
		err = build.Named(path)
	}
	switch {
	case err != nil:
		return "", fmt.Errorf("its argument %s: %w", path, reason(err))
	case !info.IsDir() && !info.Mode().IsRegular():
		return "", nil // a device, which is part of no bot
	}
	bot.Read = append(bot.Read, path)
	if bot.Name == "" && !info.IsDir() {
		bot.Name = stem(path)
	}
	if sum, err = b.add(ctx, bot, path, referee.LevelBox); err != nil {
		return "", fmt.Errorf("its argument %s: %w", path, reason(err))
	}
	return sum, nil
}

// add makes a file or folder part of a bot: as a copy from a level on, so that it may be
// edited. What has no copy is an error of the match in which it changes.
func (b Resolver) add(ctx context.Context, bot *Bot, path string, from referee.Level) (sum string, err error) {
	copies, err := b.copies(path, from)
	if err != nil {
		return "", err
	}
	copied := ""
	if copies {
		if copied, sum, err = b.Builder.Copy(ctx, path); err != nil {
			return "", err
		}
	}
	if copied == "" {
		sum, err = bot.Content.Add(ctx, path)
		return sum, build.Unfit(ctx, err)
	}
	if bot.Copies == nil {
		bot.Copies = make(map[string]string)
	}
	bot.Copies[path] = copied
	played, err := bot.Content.Add(ctx, copied)
	if err == nil && played != sum {
		err = errors.New("has changed while umpire read it")
	}
	return played, err
}

// copies reports whether what a bot is made of is copied, which is so from a level on,
// or never if that is empty: at none a program may look for files beside it, and at basic
// an argument can't lead to another place than it names.
func (b Resolver) copies(path string, from referee.Level) (bool, error) {
	if b.Launcher == nil || from == "" || inSystem(path) {
		return false, nil
	}
	launcher, err := b.Launcher()
	if err != nil {
		return false, err
	}
	level := launcher.Level()
	return level != referee.LevelNone && (level != referee.LevelBasic || level == from), nil
}

// named is build.Named for files outside the system.
func named(path string) error {
	if inSystem(path) {
		return nil
	}
	return build.Named(path)
}

// interpreters returns the paths that the interpreters of the language table
// must read. Every bot that may be a script gets them all: its first line,
// which its author controls, chooses among them but gives access to nothing
// more.
func (b Resolver) interpreters() []string {
	var read []string
	for _, path := range b.Builder.Interpreters() {
		read = append(read, b.toolchain(path)...)
	}
	return read
}

// toolchain returns the paths that an installed program must read, except
// folders that contain anything private.
func (b Resolver) toolchain(path string) []string {
	read := toolchain(path)
	for i, dir := range read {
		if b.holdsPrivate(dir) {
			read[i] = path
		}
	}
	return read
}

func (b Resolver) holdsPrivate(dir string) bool {
	wd, _ := os.Getwd()
	return slices.ContainsFunc(append([]string{wd, b.folder}, b.Private...), func(path string) bool {
		if path == "" {
			return false
		}
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		rel, err := filepath.Rel(dir, path)
		return err == nil && filepath.IsLocal(rel)
	})
}
