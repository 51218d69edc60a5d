package program

import (
	"os"
	"path/filepath"
	"strings"

	"umpire/referee/program/build"
	"umpire/referee/record"
)

// Entrant is a bot as the user named it, taken apart. Whether there is such a bot
// is for Resolver.Resolve to find out.
type Entrant struct {
	Label  string // as typed: [NAME=]WHAT
	Name   string // the display name in front; "" if there is none
	What   string // the rest, which says who plays
	Kind   string // one of the kinds below
	Guest  string // name of a remote player or a person
	Folder string // base of its relative paths; "" is the working directory
	Shown  string // path that is shown for What, where that is a copy; "": What itself
	// Main and Scripts are those of build.Extra.
	Main    string
	Scripts bool
}

// Kinds of entrants.
const (
	KindBuiltIn = "built-in"        // @NAME or @GAME/NAME
	KindPath    = "path"            // of a file or folder
	KindCommand = "command line"    // one that is no path
	KindRemote  = record.KindRemote // remote:NAME
	KindHuman   = record.KindHuman  // human:NAME or human
)

// ParseEntrant takes apart what a user typed. A path may contain spaces and a '=',
// so what exists counts as a path, and only what could be a name as one.
func ParseEntrant(folder, label string) Entrant {
	e := Entrant{Label: label, What: label, Folder: folder}
	if name, what, found := strings.Cut(label, "="); found && name != "" && !strings.ContainsAny(name, "@/") && !e.isThere(label) {
		if !strings.ContainsAny(name, " \t") || strings.TrimSpace(name) == name && e.isName(name, what) {
			return NewEntrant(folder, name, what)
		}
	}
	return e.classify()
}

// NewEntrant is an entrant whose display name is known.
func NewEntrant(folder, name, what string) Entrant {
	return Entrant{Label: name + "=" + what, Name: name, What: what, Folder: folder}.classify()
}

// classify finds out what kind of entrant it is.
func (e Entrant) classify() Entrant {
	kind, guest, isGuest := SplitGuest(e.What)
	switch {
	case isGuest:
		e.Kind, e.Guest = kind, guest
	case strings.HasPrefix(e.What, "@"):
		e.Kind = KindBuiltIn
	case strings.ContainsAny(e.What, " \t") && !e.isThere(e.What):
		e.Kind = KindCommand
	default:
		e.Kind = KindPath
	}
	return e
}

// isName reports whether words with spaces between them are a display name in front of
// a bot, and not a command line: a bot is there, and the first word is no program.
func (e Entrant) isName(words, what string) bool {
	first := strings.Fields(words)
	if len(first) == 0 || !strings.HasPrefix(what, "@") && !Exists(e.at(what)) {
		return false
	}
	_, err := e.command(first[0])
	return err != nil
}

// ParseEntrants takes apart several labels.
func ParseEntrants(folder string, labels []string) []Entrant {
	list := make([]Entrant, len(labels))
	for i, label := range labels {
		list[i] = ParseEntrant(folder, label)
	}
	return list
}

// SplitGuest splits `remote:NAME` and `human:NAME`, for which `human` stands if it
// has no name; ok is false for anything else.
func SplitGuest(what string) (kind, name string, ok bool) {
	if what == KindHuman {
		return KindHuman, KindHuman, true
	}
	kind, name, ok = strings.Cut(what, ":")
	return kind, name, ok && (kind == KindRemote || kind == KindHuman)
}

// IsGuest reports whether the entrant is a player from outside.
func (e Entrant) IsGuest() bool { return e.Kind == KindRemote || e.Kind == KindHuman }

// isThere reports whether a path is there, be it a link that leads nowhere.
func (e Entrant) isThere(path string) bool {
	_, err := os.Lstat(e.at(path))
	return err == nil
}

// at returns a path relative to Folder.
func (e Entrant) at(path string) string {
	if e.Folder == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(e.Folder, path)
}

// Files lists the files and folders that make up the entrant, without checking
// whether it is a bot.
func (e Entrant) Files() []string {
	switch e.Kind {
	case KindPath:
		abs, _ := filepath.Abs(e.at(e.What))
		return []string{abs}
	case KindCommand:
		args, err := build.SplitWords(e.What)
		if err != nil {
			return nil
		}
		files := e.named(args[1:])
		if !inPath(args[0]) {
			files = append(files, e.named(args[:1])...)
		}
		return files
	}
	return nil
}

// Place returns how the entrant is told from others from run to run, whatever is
// in its files at the time: its path, the name of a built-in bot or a guest, or a
// command line with the folder it is run in.
func (e Entrant) Place() string {
	switch e.Kind {
	case KindPath:
		return e.Files()[0]
	case KindCommand:
		folder, _ := filepath.Abs(e.Folder)
		return folder + "\n" + e.What
	}
	return e.What
}

// PlaceIn is Place among the entrants of one game, where a built-in bot goes without the
// game's name.
func (e Entrant) PlaceIn(game string) string {
	if name, ok := strings.CutPrefix(e.What, "@"+game+"/"); ok && e.Kind == KindBuiltIn {
		return "@" + name
	}
	return e.Place()
}
