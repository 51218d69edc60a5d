// Package program makes programs from what users name: it resolves names,
// files, folders and command lines, compiles sources, computes digests, and
// decides which files a program must read and which variables it gets. It
// starts no programs except compilers, and knows nothing of matches.
package program

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"umpire/referee"
	"umpire/referee/paths"
	"umpire/referee/program/build"
	"umpire/referee/record"
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
	// Random says that it replies with any of the choices that the judge of a game of
	// somebody's own says: there is nothing to start, and the fields below are not set.
	Random bool

	Path string   // the executable
	Args []string // Args[0] being its name
	// Program is the program built from a source; nil for other bots. Its
	// arguments depend on the memory limit, and replace Args.
	Program *build.Program
	Env     []string          // in addition to umpire's own environment
	Dir     string            // working directory; "" means umpire's own
	Read    []string          // files and folders that it needs beyond the system's
	Copies  map[string]string // of some of Read: see sandbox.Command

	// Broken is why the program could not be compiled or started, for a bot that
	// takes part all the same and fails; "" for one that can play.
	Broken string
	// Lack is what this machine lacks to judge the program, such as a language;
	// "" if nothing. Such a program is not started, and no verdict is given.
	Lack string
	// Elsewhere is Lack for a program that other machines may judge: this one does
	// not start it.
	Elsewhere string

	// Names says how paths in its standard error are shown.
	Names paths.Names
	// Content is the part of the bot that is on disk, for Check; nil if nothing
	// is.
	Content *build.Content
	// Uncovered describes what determines how the bot plays but is not covered
	// by Digest: a compiler or an interpreter, with its version.
	Uncovered []string

	lacks Ability // of this machine
	own   string  // the file of a bot that its game brings along; "": it is none
}

// Check returns an error if the bot's files are no longer those that Digest
// covers.
func (b Bot) Check(ctx context.Context) error { return b.Content.Check(ctx) }

// Resolver makes bots from what users name, and knows the bots that come with
// umpire.
type Resolver struct {
	Game    string         // the game at hand: `@name` is one of its bots
	Names   []string       // all names in full: `game/name`
	Path    string         // umpire's own executable
	Version string         // umpire's version: part of their digest
	Builder *build.Builder // makes bots from source files and folders
	// Own are the files of the bots that the game at hand brings along, by name; nil
	// for a built-in game.
	Own map[string]string
	// Chooses says that the game at hand may say choices, so that @random is a bot of it.
	Chooses bool
	// Private lists files and folders that no bot may read merely because they
	// lie inside a program's installation: cases, results, other bots.
	Private []string
	// Include are files that are put beside every source: see build.Extra.
	Include map[string][]build.File
	// Stub, FileName and Suffixes are as of build.Extra.
	Stub, FileName string
	Suffixes       []string
	// Launcher, if not nil, returns what starts compilers and bots; by its level it is
	// decided what plays from a copy. Nil: nothing isolates them.
	Launcher func() (sandbox.Launcher, error)

	folder string // of the entrant that is being resolved
}

// Resolve makes a Bot of an entrant that is a program. A source is compiled, which
// may take a while and ends with ctx; if a helper process is killed meanwhile, once more.
func (b Resolver) Resolve(ctx context.Context, e Entrant) (Bot, error) {
	bot, err := b.resolve(ctx, e)
	if errors.Is(err, sandbox.ErrHelperKilled) {
		return b.resolve(ctx, e)
	}
	return bot, err
}

func (b Resolver) resolve(ctx context.Context, e Entrant) (Bot, error) {
	if e.What == "" {
		return Bot{}, fmt.Errorf("bot %q: found nothing, expected @NAME, a file or a command line", e.Label)
	}
	var bot Bot
	var err error
	b.folder = e.Folder
	switch e.Kind {
	case KindBuiltIn:
		switch file := b.Own[e.What[1:]]; {
		case file != "":
			bot, err = b.path(ctx, Entrant{Label: e.Label, What: file, Kind: KindPath, Shown: filepath.Base(file)})
			bot.Name, bot.own = e.What, file
		case b.Chooses && e.What == randomBot.Name:
			bot = randomBot
		default:
			bot, err = b.builtin(e.What[1:])
		}
	case KindCommand:
		bot, err = b.commandLine(ctx, e)
	case KindPath:
		bot, err = b.path(ctx, e)
	default:
		err = errors.New("is a player from outside, expected a program")
	}
	if err != nil {
		return Bot{}, e.unplayable(ctx, err)
	}
	return e.entered(bot), nil
}

// entered completes a bot by what its user said of it.
func (e Entrant) entered(bot Bot) Bot {
	bot.Entrant, bot.Dir = e, cmp.Or(bot.Dir, e.Folder)
	bot.Name = record.BotName(cmp.Or(e.Name, bot.Name)) // where two names must not become one
	return bot
}

// Check finds what is wrong with an entrant that is a program, without compiling
// it: the error is that of Resolve. A compiler may still refuse it.
func (b Resolver) Check(ctx context.Context, e Entrant) error {
	if e.Kind != KindPath || e.What == "" {
		_, err := b.Resolve(ctx, e)
		return err
	}
	abs, kind, err := b.find(ctx, e)
	if err == nil && kind != kindExecutable {
		err = b.Builder.Check(ctx, abs, kind == kindScript, b.extra(e))
	}
	if err != nil {
		return e.unplayable(ctx, err)
	}
	return nil
}

// randomBot is the bot of games of somebody's own that replies with any of the choices.
var randomBot = Bot{Name: "@random", Digest: build.Digest("builtin", "random choices"), Random: true}

func (b Resolver) builtin(name string) (Bot, error) {
	full := name
	if !strings.Contains(name, "/") {
		full = b.Game + "/" + name
	}
	if slices.Contains(b.Names, full) {
		bot := Bot{
			Name: "@" + name, Digest: build.Digest("builtin", full, b.Version),
			Path: b.Path, Args: []string{"umpire", "bot", full}, Content: new(build.Content),
		}
		return bot, bot.Content.AddStamp(b.Path)
	}
	var have []string
	for _, own := range slices.Sorted(maps.Keys(b.Own)) {
		have = append(have, "@"+own)
	}
	if _, own := b.Own["random"]; b.Chooses && !own {
		have = append(have, randomBot.Name)
	}
	for _, known := range b.Names {
		if rest, ok := strings.CutPrefix(known, b.Game+"/"); ok {
			have = append(have, "@"+rest)
		}
	}
	if len(have) == 0 {
		return Bot{}, fmt.Errorf("no built-in bot of that name; %s has none", b.Game)
	}
	return Bot{}, fmt.Errorf("no built-in bot of that name%s", suggest.DidYouMean("@"+name, have, b.Game+" has "+strings.Join(have, ", ")))
}

// Exists reports whether a file or folder is there.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// The kinds of files and folders that bots are made of.
const (
	kindSource     = iota // a source file, or a folder
	kindScript            // a source file that is itself executed
	kindExecutable        // any other file that can be executed
)

// find finds the file or folder of an entrant, and what kind it is. An error of
// the entrant's own is a build.UnfitError, unless nothing is there.
func (b Resolver) find(ctx context.Context, e Entrant) (abs string, kind int, err error) {
	if abs, err = filepath.Abs(e.at(e.What)); err != nil {
		return "", 0, err
	}
	info, err := os.Stat(abs)
	if err == nil {
		err = named(abs)
	}
	if errors.Is(err, fs.ErrNotExist) && slices.Contains(b.Names, b.Game+"/"+e.What) {
		return "", 0, fmt.Errorf("%w; did you mean @%s?", reason(err), e.What)
	}
	if _, missing := os.Lstat(abs); missing != nil && !errors.Is(missing, fs.ErrPermission) {
		return "", 0, reason(missing)
	}
	if to, link := os.Readlink(abs); link == nil && errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("is a link to %s, which does not exist", strings.ToValidUTF8(to, "?"))
	}
	if err != nil {
		return "", 0, build.Unfit(ctx, reason(err))
	}
	start := ""
	if info.Mode().IsRegular() && build.Executable(info) != 0 {
		start = firstLine(abs)
	}
	switch source := b.Builder.IsSource(abs); {
	case info.IsDir():
		return abs, kindSource, nil
	case !info.Mode().IsRegular():
		err = errors.New("is neither a file nor a folder")
	case source && strings.HasPrefix(start, script):
		return abs, kindScript, nil
	case source && !strings.HasPrefix(start, machineCode):
		return abs, kindSource, nil
	case build.Executable(info) == 0:
		err = b.unknown(e.What)
	}
	return abs, kindExecutable, build.Unfit(ctx, err)
}

// extra is what the source of an entrant is built with.
func (b Resolver) extra(e Entrant) build.Extra {
	return build.Extra{Files: b.Include, Main: e.Main, Scripts: e.Scripts, Stub: b.Stub, FileName: b.FileName, Suffixes: b.Suffixes}
}

// path makes a bot from a file or a folder.
func (b Resolver) path(ctx context.Context, e Entrant) (Bot, error) {
	abs, kind, err := b.find(ctx, e)
	if err != nil {
		return Bot{}, err
	}
	var p build.Program
	switch kind {
	case kindScript:
		p, err = b.Builder.Script(ctx, abs, interpreted(strings.TrimPrefix(firstLine(abs), script)), b.extra(e))
	case kindSource:
		p, err = b.Builder.Source(ctx, abs, b.extra(e))
	default:
		bot, err := b.executable(ctx, abs)
		var folders []string
		if copied := bot.Copies[abs]; copied != "" {
			folders = append(folders, filepath.Dir(copied))
		}
		bot.Names = e.names(e.What, folders)
		return bot, err
	}
	if err != nil {
		return Bot{}, err
	}
	bot := b.ofProgram(stem(abs), p)
	bot.Names = e.names(e.What, p.Sources)
	return bot, nil
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

// unknown returns an error that says why a file can't be a bot.
func (b Resolver) unknown(path string) error {
	suffix := "has no suffix that says what language it is in"
	if ext := filepath.Ext(path); ext != "" {
		suffix = fmt.Sprintf("%q is no suffix of a source file", ext)
	}
	return fmt.Errorf("is not executable (chmod +x makes it so), and %s; known are %s", suffix, strings.Join(b.Builder.Languages.Suffixes(), " "))
}

// executable makes a bot from an executable file.
func (b Resolver) executable(ctx context.Context, path string) (Bot, error) {
	bot := Bot{Name: stem(path), Path: path, Args: []string{path}, Content: new(build.Content)}
	var err error
	if bot.Digest, err = b.add(ctx, &bot, path, referee.LevelBasic); err != nil {
		return Bot{}, err
	}
	bot.Read = []string{path}
	if !strings.HasPrefix(firstLine(path), machineCode) {
		bot.Read = append(bot.Read, b.interpreters()...)
	}
	return bot, nil
}

// Command returns the command that starts the bot at a level, with env in
// addition to its own environment.
func (b Bot) Command(level referee.Level, limits sandbox.Limits, env []string) sandbox.Command {
	args := b.Args
	if b.Program != nil {
		args = b.Program.Heap(limits.Memory)
		if runtime.GOOS == "windows" && limits.Memory > 0 {
			// What is committed counts there: a runtime commits, without ever touching it, as much
			// again as it takes for itself.
			limits.Memory += b.Program.Runtime
		}
	}
	return sandbox.Command{
		Path: b.Path, Args: args, Env: slices.Concat(environment(level), b.Env, env), Dir: b.Dir, Read: b.Read, Copies: b.Copies,
		Limits: limits,
	}
}

// BotsIn returns the files in bots/ below a folder, by their names without suffix.
func BotsIn(dir string) map[string]string {
	bots := make(map[string]string)
	entries, _ := os.ReadDir(filepath.Join(dir, "bots"))
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && e.Name() != "__pycache__" {
			bots[stem(e.Name())] = filepath.Join(dir, "bots", e.Name())
		}
	}
	return bots
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
	if of, ok := errors.AsType[*fs.PathError](err); ok {
		return of.Err
	}
	if of, ok := errors.AsType[*exec.Error](err); ok {
		return of.Err
	}
	return err
}

// UniqueNames makes the names of bots unique by appending numbers, and returns the
// bots that got one. Names given by the user take precedence over names derived from
// files.
func UniqueNames(bots []Bot) (renamed []Bot) {
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
			if bots[i].Name != name {
				renamed = append(renamed, bots[i])
			}
		}
	}
	number(true)
	number(false)
	return renamed
}
