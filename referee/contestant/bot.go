package contestant

import (
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
)

// Bot is a program that is ready to be started, any number of times.
type Bot struct {
	Name   string // how it is shown; unique among the bots of a run
	Label  string // how the user named it, for commands that repeat a match
	Digest string // of what determines how it plays: its files and its command

	Path string   // the executable
	Args []string // Args[0] being its name
	Env  []string // in addition to umpire's own environment
	Dir  string   // working directory; "" means umpire's own
	Read []string // files and folders that it needs beyond the system's
}

// Builtins are the bots that come with umpire.
type Builtins struct {
	Game    string   // the game at hand: `@name` is one of its bots
	Names   []string // all names in full: `game/name`
	Path    string   // umpire's own executable
	Version string   // umpire's version: part of their digest
}

// Find makes a Bot of what the user named, as CLI.md, "Naming a bot", says:
// `[NAME=]@builtin`, a path, or a command line when it holds a space.
func (b Builtins) Find(label string) (Bot, error) {
	name, what := splitName(label)
	if what == "" {
		return Bot{}, fmt.Errorf("bot %q: found nothing, expected @NAME, a file or a command line", label)
	}
	var bot Bot
	var err error
	switch {
	case strings.HasPrefix(what, "@"):
		bot, err = b.builtin(what[1:])
	case strings.ContainsAny(what, " \t"):
		bot, err = commandLine(what)
	default:
		bot, err = file(what)
	}
	if err != nil {
		return Bot{}, fmt.Errorf("bot %q: %w", what, err)
	}
	bot.Label = label
	if name != "" {
		bot.Name = name
	}
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
				Name: "@" + name, Digest: digestOf("builtin", full, b.Version),
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
	args, err := splitWords(text)
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
	bot := Bot{Path: path, Args: args, Read: []string{path}}
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
	bot.Digest = digestOf(hash...)
	return bot, nil
}

// file makes a bot of an executable file.
func file(path string) (Bot, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Bot{}, reason(err)
	}
	if info.IsDir() {
		return Bot{}, errors.New("is a folder, expected a file")
	}
	if info.Mode()&0o111 == 0 {
		return Bot{}, errors.New("is not executable (chmod +x makes it so), and no source file of a known language")
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return Bot{}, err
	}
	sum, err := digestFile(abs)
	if err != nil {
		return Bot{}, err
	}
	return Bot{Name: stem(path), Digest: sum, Path: abs, Args: []string{abs}, Read: []string{abs}}, nil
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

func digestOf(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s,", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))[:32]
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

// splitWords splits a command line into words as a shell does, with quotes and
// backslashes, and nothing else of a shell.
func splitWords(text string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord := false
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		ch := text[i]
		switch {
		case quote == '\'' && ch != '\'', quote == '"' && ch != '"' && ch != '\\':
			word.WriteByte(ch)
		case quote != 0 && ch == quote:
			quote = 0
		case ch == '\\':
			if i++; i == len(text) {
				return nil, errors.New("ends with a backslash")
			}
			if quote == '"' && text[i] != '"' && text[i] != '\\' && text[i] != '$' && text[i] != '`' {
				word.WriteByte('\\')
			}
			word.WriteByte(text[i])
			inWord = true
		case ch == '\'' || ch == '"':
			quote, inWord = ch, true
		case ch == ' ' || ch == '\t' || ch == '\n':
			if inWord {
				words = append(words, word.String())
				word.Reset()
			}
			inWord = false
		default:
			word.WriteByte(ch)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("has an open quote %c", quote)
	}
	if inWord {
		words = append(words, word.String())
	}
	if len(words) == 0 {
		return nil, errors.New("holds no command")
	}
	return words, nil
}

// Distinguish makes the names of bots unique, by numbers behind those alike.
func Distinguish(bots []Bot) {
	taken := make(map[string]bool)
	for i := range bots {
		name := bots[i].Name
		for n := 2; taken[bots[i].Name]; n++ {
			bots[i].Name = fmt.Sprintf("%s-%d", name, n)
		}
		taken[bots[i].Name] = true
	}
}
