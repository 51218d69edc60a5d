package program

import (
	"cmp"
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"umpire/referee/program/build"
)

// Package is a bot in a form that another machine can make the same bot of,
// with the same digest.
type Package struct {
	Builtin string `json:"builtin,omitempty"` // game/name of a bot that comes with umpire
	Broken  string `json:"broken,omitempty"`  // Bot.Broken: there is nothing to start
	Random  bool   `json:"random,omitempty"`  // Bot.Random
	// Lack is Bot.Elsewhere: the digest does not cover how another machine makes the
	// bot.
	Lack string `json:"lack,omitempty"`
	// Name is the name of the file or folder that the bot is made of; Folder
	// says which.
	Name   string       `json:"name,omitempty"`
	Folder bool         `json:"folder,omitempty"`
	Files  []build.File `json:"files,omitempty"`
	// Shown is the path that its user typed; paths in its words are shown by it.
	Shown string `json:"shown,omitempty"`

	Needs []Ability `json:"-"` // what the other machine must have
}

// Ability is something that a program needs and a machine may have: a language
// with its compiler or interpreter, or the architecture of machine code.
type Ability struct {
	Key  string `json:"key"`  // the same for equal abilities on all machines
	Text string `json:"text"` // for people
}

// Pack makes the package of a bot, of what plays here: an edit of what that was made of
// is an error, or nothing where a copy plays. The error says why the bot can be played
// on this machine only.
func (b Bot) Pack(ctx context.Context) (*Package, error) {
	e := b.Entrant
	switch {
	case e.IsGuest():
		return nil, errors.New("it is not a program")
	case b.Broken != "":
		return &Package{Broken: b.Broken}, nil
	case b.Random:
		return &Package{Random: true}, nil
	case e.Kind == KindBuiltIn && b.own == "":
		return &Package{Builtin: b.Args[len(b.Args)-1]}, nil
	case e.Kind == KindCommand:
		return nil, errors.New("it is a command line; a file or a folder could be sent")
	}
	what := cmp.Or(b.own, e.What)
	path, err := filepath.Abs(e.at(what))
	if err != nil {
		return nil, err
	}
	p := &Package{Name: filepath.Base(path), Shown: what}
	if filepath.IsAbs(what) {
		p.Shown = p.Name
	}
	var sum string
	if p.Files, p.Folder, sum, err = build.ReadFiles(ctx, cmp.Or(b.Copies[path], path), nil); err != nil {
		return nil, reason(err)
	}
	changed := false
	switch {
	case b.Elsewhere != "":
		changed = contentDigest(ctx, path, b.Elsewhere) != b.Digest
	case b.Program != nil:
		changed = sum != b.Program.Source
	default:
		err = b.Check(ctx)
	}
	if changed {
		err = errors.New("it has changed since umpire read it")
	}
	if err != nil {
		return nil, err
	}
	if b.Elsewhere != "" {
		p.Lack = b.Elsewhere
		if b.lacks.Key != "" { // or nothing that another machine must have
			p.Needs = []Ability{b.lacks}
		}
		return p, nil
	}
	p.Needs, err = b.needs()
	return p, err
}

// needs returns what another machine must have to start the bot.
func (b Bot) needs() ([]Ability, error) {
	switch p := b.Program; {
	case p != nil && p.Language != "":
		return []Ability{{p.Toolchain, p.Tool}}, nil
	case p != nil && p.Interpreter != "": // of a judge's command
		return []Ability{runs(filepath.Base(p.Interpreter))}, nil
	}
	need, err := startNeeds(cmp.Or(b.Copies[b.Path], b.Path))
	return []Ability{need}, err
}

// startNeeds returns what an executable file needs to be started.
func startNeeds(path string) (Ability, error) {
	if line, ok := strings.CutPrefix(firstLine(path), script); ok {
		return runs(interpreterName(line)), nil
	}
	return machine(path)
}

// machine returns the kind of machine that machine code is for.
func machine(path string) (Ability, error) {
	f, err := elf.Open(path)
	if err != nil {
		return Ability{}, fmt.Errorf("is neither a script nor an executable of Linux: %w", reason(err))
	}
	defer f.Close()
	name := strings.ToLower(strings.TrimPrefix(f.Machine.String(), "EM_"))
	return Ability{"machine-" + runtime.GOOS + "-" + name, "a machine with " + runtime.GOOS + " on " + name}, nil
}

// IsForeign reports whether the bot is machine code for another kind of machine than
// this one, whose umpire is an executable file.
func (b Bot) IsForeign(umpire string) bool {
	own, err := machine(umpire)
	if err != nil {
		return false
	}
	its, err := machine(b.Path)
	return err == nil && its != own
}

// interpreterName returns the name of the interpreter that the first line of a
// script names after #!.
func interpreterName(line string) string {
	if words := interpreted(line); len(words) > 0 {
		return filepath.Base(words[0])
	}
	return "sh"
}

// interpreted returns the interpreter that the first line of a script names after
// #!, with its options.
func interpreted(line string) []string {
	words := strings.Fields(line)
	for i, w := range words {
		if i > 0 && !strings.HasPrefix(w, "-") && !strings.Contains(w, "=") || filepath.Base(w) != "env" && i == 0 {
			return words[i:]
		}
	}
	return nil
}

func runs(name string) Ability { return Ability{"runs-" + name, "the interpreter " + name} }

// Abilities lists the abilities of this machine.
func (b Resolver) Abilities(ctx context.Context) []Ability {
	var list []Ability
	if own, err := machine(b.Path); err == nil {
		list = append(list, own)
	}
	for _, row := range b.Builder.Installed(ctx) {
		if row.Err == nil {
			list = append(list, Ability{row.Toolchain, row.Name}, Ability{row.Row, row.Name})
		}
	}
	names := append(b.commands(), "sh", "bash", "dash", "zsh", "awk")
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if _, err := exec.LookPath(name); err == nil {
			list = append(list, runs(name))
		}
	}
	return list
}

// Unpack makes the bot of a package, whose files it writes to folder dir unless
// that is there: it must be another one for other files. Dir is in a cache, which
// is pruned (build.Prune). The caller must compare the digest.
func (b Resolver) Unpack(ctx context.Context, dir string, p *Package) (Bot, error) {
	switch {
	case p.Broken != "":
		return Bot{Broken: p.Broken}, nil
	case p.Random:
		return randomBot, nil
	}
	label := "@" + p.Builtin
	if p.Builtin == "" {
		var err error
		if label, err = p.unpack(b.Builder, dir); err != nil {
			return Bot{}, err
		}
	}
	e := ParseEntrant("", label)
	e.Shown = p.Shown
	bot, err := b.Resolve(ctx, e)
	if broken, ok := errors.AsType[*BrokenError](err); ok && broken.Bot.Lack == "" {
		return broken.Bot, nil
	}
	return bot, err
}

// unpack returns the path of the bot in a folder, which it makes if it is not
// there: whole or not at all, as others may be doing the same.
func (p *Package) unpack(b *build.Builder, dir string) (string, error) {
	if !filepath.IsLocal(p.Name) || filepath.Base(p.Name) != p.Name || p.Name == "." {
		return "", fmt.Errorf("package: found the name %q, expected that of a file", p.Name)
	}
	path := filepath.Join(dir, p.Name)
	if Exists(path) && b.Use(dir) {
		return path, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	build.Prune(filepath.Dir(dir))
	making, err := os.MkdirTemp(filepath.Dir(dir), build.Unpacking)
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(making)
	if err := os.Chmod(making, 0o755); err != nil {
		return "", err
	}
	files := making
	if p.Folder {
		files = filepath.Join(making, p.Name)
	}
	if err := build.WriteFiles(files, p.Files); err != nil {
		return "", err
	}
	// The same program may be there by another name, which its digest does not cover.
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	b.Use(dir)
	if err := os.Rename(filepath.Join(making, p.Name), path); err != nil && !Exists(path) {
		return "", err
	}
	return path, nil
}
