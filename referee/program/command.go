package program

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"umpire/referee/program/build"
)

// commandLine makes a bot of a command line. Its executable and every file or
// folder that an argument names belong to it.
func (b Resolver) commandLine(ctx context.Context, text string) (Bot, error) {
	args, err := build.SplitWords(text)
	if err != nil {
		return Bot{}, err
	}
	bot := Bot{Args: args, Content: new(build.Content)}
	hash := []string{"command", text}
	if bot.Path, err = b.command(args[0]); err != nil {
		return Bot{}, reason(err)
	}
	sum, err := bot.Content.Add(ctx, bot.Path)
	if err != nil {
		return Bot{}, reason(err)
	}
	hash = append(hash, sum)
	bot.Read = append(bot.Read, bot.Path)
	if inPath(args[0]) {
		// PATH is the user's, so what is found there is installed, and not a
		// stranger's file that lies somewhere.
		bot.Read = append(bot.Read, b.toolchain(bot.Path)...)
		if it := b.interpreter(ctx, args[0]); it != "" {
			hash = append(hash, it)
			bot.Uncovered = append(bot.Uncovered, it)
		}
	}
	given := slices.Clone(args[1:])
	if i := b.sourceAt(args); i > 0 {
		// Alone, as a source that is named without its interpreter.
		p, err := b.Builder.Script(ctx, b.at(args[i]))
		if err != nil {
			return Bot{}, fmt.Errorf("its argument %s: %w", args[i], reason(err))
		}
		bot.Name, bot.Args = stem(args[i]), slices.Clone(args)
		bot.Args[i], given[i-1] = p.Args[0], ""
		bot.Read, bot.Content = append(bot.Read, p.Read...), bot.Content.Join(p.Content)
		hash = append(hash, p.Digest)
	}
	for _, path := range b.named(given) {
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

// sourceAt is the first word that names a source file behind the interpreter of
// its language; 0 if there is none.
func (b Resolver) sourceAt(args []string) int {
	if b.Builder == nil {
		return 0
	}
	for i, arg := range args {
		info, err := os.Stat(b.at(arg))
		if i > 0 && err == nil && info.Mode().IsRegular() && b.Builder.Interprets(args[:i], arg) {
			return i
		}
	}
	return 0
}

// inPath reports whether a command is looked for in PATH.
func inPath(name string) bool { return !strings.Contains(name, "/") }

// command finds the executable of a command line.
func (b Resolver) command(name string) (string, error) {
	if !inPath(name) {
		name = b.at(name)
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

// named are the files and folders that arguments name: as they are, behind a
// `=`, or between colons as in a class path.
func (b Resolver) named(args []string) []string {
	var paths []string
	for _, arg := range args {
		_, value, _ := strings.Cut(arg, "=")
		for _, text := range []string{arg, value} {
			list := []string{text}
			if !exists(b.at(text)) {
				list = strings.Split(text, ":")
			}
			for _, path := range list {
				if path == "" || !exists(b.at(path)) {
					continue
				}
				if abs, err := filepath.Abs(b.at(path)); err == nil && !slices.Contains(paths, abs) {
					paths = append(paths, abs)
				}
			}
		}
	}
	return paths
}

// give gives a bot a file or folder of its command line. What is the system's
// everybody has, and what is the kernel's each has of its own.
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
		return "", nil // a device, which is nobody's
	}
	bot.Read = append(bot.Read, path)
	if bot.Name == "" && !info.IsDir() {
		bot.Name = stem(path)
	}
	if sum, err = bot.Content.Add(ctx, path); err != nil {
		return "", fmt.Errorf("its argument %s: %w", path, reason(err))
	}
	return sum, nil
}

// named is build.Named for what is not the system's.
func named(path string) error {
	if inSystem(path) {
		return nil
	}
	return build.Named(path)
}

// Files lists the files and folders that a bot, as the user names it, is made
// of, without finding out whether it is one.
func Files(folder, label string) []string {
	_, what := splitName(label)
	b := Resolver{Folder: folder}
	if strings.HasPrefix(what, "@") {
		return nil
	}
	if !isCommandLine(what) || exists(b.at(what)) {
		abs, _ := filepath.Abs(b.at(what))
		return []string{abs}
	}
	args, err := build.SplitWords(what)
	if err != nil {
		return nil
	}
	files := b.named(args[1:])
	if !inPath(args[0]) {
		files = append(files, b.named(args[:1])...)
	}
	return files
}

// interpreter describes the interpreter that a command is, if it is one.
func (b Resolver) interpreter(ctx context.Context, name string) string {
	if b.Builder == nil {
		return ""
	}
	return b.Builder.Interpreter(ctx, name)
}

// interpreters are what the interpreters of the language table need to be read.
// Every bot gets them that may be a script: its first line, which is its
// author's, decides which it uses, and gives it nothing.
func (b Resolver) interpreters() []string {
	if b.Builder == nil {
		return nil
	}
	var read []string
	for _, path := range b.Builder.Interpreters() {
		read = append(read, b.toolchain(path)...)
	}
	return read
}

// toolchain is what a program that is installed needs to be read, but no folder
// around anything private.
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
	return slices.ContainsFunc(append([]string{wd, b.Folder}, b.Private...), func(path string) bool {
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
