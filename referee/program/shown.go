package program

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"umpire/referee/paths"
	"umpire/referee/program/build"
)

// names says how paths are shown in what a bot, or a compiler of its source, writes.
// Typed is the path of its file or folder as its user typed it, and sources are
// folders with copies.
func (e Entrant) names(typed string, sources []string) paths.Names {
	real, _ := filepath.Abs(e.at(typed))
	typed = strings.TrimSuffix(cmp.Or(e.Shown, typed), "/")
	if filepath.IsAbs(typed) {
		typed = filepath.Base(typed)
	}
	folder := typed
	if info, err := os.Stat(real); err != nil || !info.IsDir() {
		folder = strings.TrimSuffix(strings.TrimSuffix(typed, filepath.Base(typed)), "/")
	}
	var n paths.Names
	add := func(path, shown string) {
		n.Add(path, shown)
		if to, err := filepath.EvalSymlinks(path); err == nil {
			n.Add(to, shown)
		}
	}
	for _, dir := range sources {
		add(dir, folder)
	}
	add(real, typed)
	home, _ := os.UserHomeDir()
	add(home, "~")
	return n
}

// showRefused returns a compiler's words about an entrant's source, with the paths
// in them as they are shown.
func (e Entrant) showRefused(refused *build.Error) error {
	typed := e.What
	words, _ := build.SplitWords(e.What)
	for _, word := range words {
		if abs, err := filepath.Abs(e.at(word)); err == nil && abs == refused.Source && e.Kind == KindCommand {
			typed = word
		}
	}
	n := e.names(typed, []string{refused.Dir})
	for _, name := range refused.Files {
		shown := n.In(filepath.Join(refused.Dir, name))
		if len(refused.Files) == 1 { // which may have been named after its class
			shown = n.In(refused.Source)
			n.Add(filepath.Join(refused.Dir, name), shown)
		}
		n.Add(name, shown)
		n.Add("./"+name, shown)
	}
	text := n.In(refused.Error())
	if cause := cmp.Or(e.Beside(text), e.definedBeside(text)); cause != "" {
		text += "\nhint: " + cause
	}
	return errors.New(text)
}

// Share has a package that stands for several bots with the same content show no path
// that only one of their users typed; shown is the other one's.
func (p *Package) Share(shown string) {
	if p.Shown == shown {
		return
	}
	if p.Shown = filepath.Base(p.Shown); p.Shown != filepath.Base(shown) {
		p.Shown = "bot" + filepath.Ext(p.Name)
	}
}
