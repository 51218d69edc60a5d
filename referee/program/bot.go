// Package program makes programs from what users name: it resolves names,
// files, folders and command lines, compiles sources, computes digests, and
// decides which files a program must read and which variables it gets. It
// starts no programs except compilers, and knows nothing of matches.
package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"umpire/referee"
	"umpire/referee/program/build"
	"umpire/referee/sandbox"
	"umpire/referee/suggest"
)

// Bot is a program ready to be started, any number of times.
type Bot struct {
	Name    string  // how it is shown; unique among the bots of a run
	Entrant Entrant // how the user named it, for commands that repeat a match
	Digest  string  // digest of what determines how it plays: its files and its command
	// Kind is remote or human for a player from outside, whose name is Guest:
	// there is nothing to start, and the fields below are not set.
	Kind, Guest string

	Path string   // the executable
	Args []string // Args[0] being its name
	// Program is the program built from a source; nil for other bots. Its
	// arguments depend on the memory limit, and replace Args.
	Program *build.Program
	Env     []string // in addition to umpire's own environment
	Dir     string   // working directory; "" means umpire's own
	Read    []string // files and folders that it needs beyond the system's

	// Broken is why the program could not be compiled or started, for a bot that
	// takes part all the same and fails; "" for one that can play.
	Broken string

	// Content is the part of the bot that is on disk, for Check; nil if nothing
	// is.
	Content *build.Content
	// Uncovered describes what determines how the bot plays but is not covered
	// by Digest: a compiler or an interpreter, with its version.
	Uncovered []string
}

// Check returns an error if the bot's files are no longer those that Digest
// covers.
func (b Bot) Check(ctx context.Context) error { return b.Content.Check(ctx) }

// Resolver makes bots from what users name, and knows the bots that come with
// umpire.
type Resolver struct {
	Game    string   // the game at hand: `@name` is one of its bots
	Names   []string // all names in full: `game/name`
	Path    string   // umpire's own executable
	Version string   // umpire's version: part of their digest
	// Builder makes bots from source files and folders; nil: sources can't be
	// bots.
	Builder *build.Builder
	// Private lists files and folders that no bot may read merely because they
	// lie inside a program's installation: cases, results, other bots.
	Private []string

	folder string // of the entrant that is being resolved
}

// Resolve makes a Bot of an entrant that is a program. A source is compiled, which
// may take a while and ends with ctx.
func (b Resolver) Resolve(ctx context.Context, e Entrant) (Bot, error) {
	if e.What == "" {
		return Bot{}, fmt.Errorf("bot %q: found nothing, expected @NAME, a file or a command line", e.Label)
	}
	var bot Bot
	var err error
	b.folder = e.Folder
	switch e.Kind {
	case KindBuiltIn:
		bot, err = b.builtin(e.What[1:])
	case KindCommand:
		bot, err = b.commandLine(ctx, e)
	case KindPath:
		bot, err = b.path(ctx, e)
	default:
		err = errors.New("is a player from outside, expected a program")
	}
	var refused *build.Error
	if err != nil && !errors.As(err, &refused) {
		return Bot{}, fmt.Errorf("bot %q: %w", e.What, err)
	}
	if refused != nil {
		abs, _ := filepath.Abs(e.at(e.What)) // path has found it
		bot = Bot{Name: stem(abs), Digest: refused.Digest, Broken: clipped(refused.Error())}
		err = &BrokenError{bot: &bot, err: fmt.Errorf("bot %q: %w", e.What, err)}
	}
	bot.Entrant = e
	if e.Name != "" {
		bot.Name = e.Name
	}
	// As written in records, where two names must not become one.
	bot.Name = strings.ToValidUTF8(bot.Name, "\ufffd")
	if bot.Dir == "" {
		bot.Dir = e.Folder
	}
	return bot, err
}

// BrokenError is the error of Resolve for a bot that is there but can't be
// compiled.
type BrokenError struct {
	bot *Bot
	err error
}

func (e *BrokenError) Error() string { return e.err.Error() }

func (e *BrokenError) Unwrap() error { return e.err }

// Bot returns the bot, which can only fail.
func (e *BrokenError) Bot() Bot { return *e.bot }

// mostWords is the most bytes of a compiler's output that a broken bot keeps.
const mostWords = 4 << 10

// clipped cuts a compiler's words at a line.
func clipped(text string) string {
	if len(text) <= mostWords {
		return text
	}
	text = text[:mostWords]
	if i := strings.LastIndexByte(text, '\n'); i > 0 {
		text = text[:i]
	}
	return strings.ToValidUTF8(text, "") + "\n…"
}

func (b Resolver) builtin(name string) (Bot, error) {
	full := name
	if !strings.Contains(name, "/") {
		full = b.Game + "/" + name
	}
	for _, known := range b.Names {
		if known == full {
			bot := Bot{
				Name: "@" + name, Digest: build.Digest("builtin", full, b.Version),
				Path: b.Path, Args: []string{"umpire", "bot", full}, Content: new(build.Content),
			}
			return bot, bot.Content.AddStamp(b.Path)
		}
	}
	var have []string
	for _, known := range b.Names {
		if rest, ok := strings.CutPrefix(known, b.Game+"/"); ok {
			have = append(have, "@"+rest)
		}
	}
	return Bot{}, fmt.Errorf("no built-in bot of that name%s", suggest.DidYouMean("@"+name, have, b.Game+" has "+strings.Join(have, ", ")))
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// path makes a bot from a file or a folder.
func (b Resolver) path(ctx context.Context, e Entrant) (Bot, error) {
	path := e.What
	abs, err := filepath.Abs(e.at(path))
	if err != nil {
		return Bot{}, err
	}
	info, err := os.Stat(abs)
	if err == nil {
		err = named(abs)
	}
	if errors.Is(err, fs.ErrNotExist) && slices.Contains(b.Names, b.Game+"/"+path) {
		return Bot{}, fmt.Errorf("%w; did you mean @%s?", reason(err), path)
	}
	if err != nil {
		return Bot{}, reason(err)
	}
	source := b.Builder != nil && b.Builder.IsSource(abs)
	start := ""
	if info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
		start = startOf(abs)
	}
	var p build.Program
	switch {
	case info.IsDir():
		if b.Builder == nil {
			return Bot{}, errors.New("is a folder, expected a file")
		}
		p, err = b.Builder.Folder(ctx, abs)
	case !info.Mode().IsRegular():
		return Bot{}, errors.New("is neither a file nor a folder")
	case source && start == script:
		p, err = b.Builder.Script(ctx, abs)
	case source && start != machineCode:
		p, err = b.Builder.File(ctx, abs)
	case info.Mode()&0o111 == 0:
		return Bot{}, b.unknown(path)
	default:
		return b.executable(ctx, abs)
	}
	var refused *build.Error
	if err != nil && !errors.As(err, &refused) {
		err = reason(err)
	}
	if err != nil {
		return Bot{}, err
	}
	return b.ofProgram(stem(abs), p), nil
}

// ofProgram makes a bot from a built program.
func (b Resolver) ofProgram(name string, p build.Program) Bot {
	bot := Bot{
		Name: name, Digest: p.Digest, Path: p.Args[0], Args: p.Args, Program: &p, Dir: p.Dir, Read: slices.Clone(p.Read),
		Content: p.Content,
	}
	switch {
	case p.Interpreter != "":
		bot.Read = append(bot.Read, b.toolchain(p.Interpreter)...)
	case p.Language == "":
		bot.Read = append(bot.Read, b.interpreters()...)
	}
	if p.Tool != "" {
		bot.Uncovered = []string{p.Tool}
	}
	return bot
}

// The ways a file begins that the kernel can execute: it names its interpreter
// or is machine code. A source file that is merely marked as executable, as all
// files are on some file systems, begins in neither way.
const (
	script      = "#!"
	machineCode = "\x7fELF"
)

// startOf returns script or machineCode; "" if a file is neither.
func startOf(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	var start [4]byte
	n, _ := io.ReadFull(f, start[:])
	for _, s := range []string{script, machineCode} {
		if strings.HasPrefix(string(start[:n]), s) {
			return s
		}
	}
	return ""
}

// unknown returns an error that says why a file can't be a bot.
func (b Resolver) unknown(path string) error {
	if b.Builder == nil {
		return errors.New("is not executable (chmod +x makes it so)")
	}
	return fmt.Errorf("is not executable (chmod +x makes it so), and %q is no suffix of a source file; known are %s",
		filepath.Ext(path), strings.Join(b.Builder.Languages.Suffixes(), " "))
}

// executable makes a bot from an executable file, which is started in place.
func (b Resolver) executable(ctx context.Context, path string) (Bot, error) {
	bot := Bot{Name: stem(path), Path: path, Args: []string{path}, Content: new(build.Content)}
	var err error
	if bot.Digest, err = bot.Content.Add(ctx, path); err != nil {
		return Bot{}, reason(err)
	}
	bot.Read = []string{path}
	if startOf(path) != machineCode {
		bot.Read = append(bot.Read, b.interpreters()...)
	}
	return bot, nil
}

// Command returns the command that starts the bot at a level, with env in
// addition to its own environment.
func (b Bot) Command(level referee.Level, limits sandbox.Limits, env []string) sandbox.Command {
	return sandbox.Command{
		Path: b.Path, Args: b.args(limits.Memory), Env: append(b.env(level), env...), Dir: b.Dir, Read: b.Read, Limits: limits,
	}
}

// args returns the bot's arguments under a memory limit.
func (b Bot) args(memory int64) []string {
	if b.Program == nil {
		return b.Args
	}
	return b.Program.Heap(memory)
}

// stem returns a file's name without its folder and suffix.
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

// UniqueNames makes the names of bots unique by appending numbers. Names given
// by the user take precedence over names derived from files.
func UniqueNames(bots []Bot) {
	taken := make(map[string]bool)
	last := make(map[string]int) // the greatest number that a name has been given
	number := func(given bool) {
		for i := range bots {
			if (bots[i].Entrant.Name != "") != given {
				continue
			}
			name := bots[i].Name
			for taken[bots[i].Name] {
				last[name] = max(2, last[name]+1)
				bots[i].Name = fmt.Sprintf("%s-%d", name, last[name])
			}
			taken[bots[i].Name] = true
		}
	}
	number(true)
	number(false)
}
