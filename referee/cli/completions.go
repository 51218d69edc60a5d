package cli

import (
	"context"
	"maps"
	"slices"
	"strings"

	"umpire/bots/examples/starters"
	"umpire/protocols"
	"umpire/referee/cases"
	"umpire/referee/cli/shell"
	"umpire/referee/external"
	"umpire/referee/external/kits"
	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/standings"
)

// completions returns the words that may stand at a gap, and whether also files may.
func (a *app) completions(at shell.Gap) (words []shell.Word, files bool) {
	var game protocols.Game
	if len(at.Args) > 0 {
		game, _ = a.umpire.Game(at.Args[0])
	}
	add := func(word, about string) { words = append(words, shell.Word{Text: word, About: about}) }
	switch at.Value {
	case "GAME":
		games, _ := a.umpire.AllGames(func(string, error) {})
		for _, g := range games {
			add(g.Name, g.Title)
		}
	case "BOT":
		if at.Command == "match" {
			add(program.KindHuman, "a person at the keyboard")
		}
		a.addBots(game, at.Typed, add)
		if at.Command == "log" { // of any game
			addShort(a, add)
		}
	case "OLD", "NEW":
		if game.Name != "" { // else the first argument is a run
			a.addBots(game, at.Typed, add)
		}
	case "GAME/NAME":
		for _, b := range a.bots {
			add(b.Game+"/"+b.Name, b.About)
		}
	case "LANG":
		isGame := slices.ContainsFunc(at.Flags, func(f string) bool { return strings.HasPrefix(f, "--game=") })
		a.addStarters(game, isGame, add)
	case "NAME", "GROUP":
		if at.Command == "games" { // to be removed
			for _, name := range a.umpire.AddedNames() {
				add(name, "")
			}
		}
		addCases(a, at.Value, game, add)
	case "LIST":
		before := at.Typed[:strings.LastIndex(at.Typed, ",")+1]
		for _, t := range standings.Tiebreaks {
			if !slices.Contains(strings.Split(before, ","), string(t)) {
				add(before+string(t), "")
			}
		}
	case "LANGUAGE", "SUFFIX":
		addLanguages(at, add)
	}
	isFile := !strings.HasPrefix(at.Typed, program.KindHuman+":")
	return words, isFile && slices.Contains([]string{"GAME", "BOT", "OLD", "NEW", "RUN"}, at.Value)
}

// addBots adds the bots that come with a game; all there are, if it is none. Their full names
// are only offered to one who begins to type them.
func (a *app) addBots(game protocols.Game, typed string, add func(word, about string)) {
	if f := a.umpire.Folder(game); f != nil {
		for _, name := range ownBots(f) {
			add("@"+name, "")
		}
		return
	}
	for _, b := range a.bots {
		full := "@" + b.Game + "/"
		switch {
		case game.Name == "", b.Game == game.Name && len(typed) > 1 && (strings.HasPrefix(full, typed) || strings.HasPrefix(typed, full)):
			add(full+b.Name, b.About)
		}
		if b.Game == game.Name {
			add("@"+b.Name, b.About)
		}
	}
}

// ownBots are the names of the bots that a game of one's own has, with random.
func ownBots(f *external.Folder) []string {
	names := slices.Sorted(maps.Keys(f.Bots()))
	if !slices.Contains(names, "random") {
		names = append(names, "random")
	}
	return names
}

// addShort adds the short names of the built-in bots, each once.
func addShort(a *app, add func(word, about string)) {
	names := make(map[string]bool)
	for _, b := range a.bots {
		names["@"+b.Name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		add(name, "")
	}
}

// addStarters adds the languages of a game's starters, or of the games that `umpire new`
// writes; both, if it is not said which are meant.
func (a *app) addStarters(game protocols.Game, isGame bool, add func(word, about string)) {
	files := make(map[string]string) // by word
	put := func(file string) { files[starter{Starter: starters.Starter{File: file}}.word()] = file }
	if isGame || game.Name == "" {
		for _, k := range kits.Kits {
			put(k.Judge())
		}
	}
	switch f := a.umpire.Folder(game); {
	case isGame:
	case f != nil:
		own, _ := f.Starters(context.Background())
		for file := range own {
			put(file)
		}
	default:
		if game.Name == "" {
			game = a.umpire.Games[0]
		}
		list, _ := starters.Of(game.Name)
		for _, s := range list {
			put(s.File)
		}
	}
	for _, word := range slices.Sorted(maps.Keys(files)) {
		add(word, files[word])
	}
}

// addCases adds the names of a game's standard cases, or of their groups.
func addCases(a *app, name string, game protocols.Game, add func(word, about string)) {
	if game.Name == "" {
		return
	}
	set, err := cases.Load(a.umpire.StandardCases(), game.Name, game)
	if err != nil {
		return
	}
	if name == "GROUP" {
		for _, group := range set.GroupNames() {
			add(group, "")
		}
		return
	}
	for _, c := range set.Cases {
		add(c.Name, "")
	}
}

// addLanguages adds the languages of the table, or their suffixes: without the dot, unless one
// is typed.
func addLanguages(at shell.Gap, add func(word, about string)) {
	table, _ := build.LoadLanguages(context.Background(), "")
	about := make(map[string]string)
	for _, l := range table {
		words := []string{l.Name}
		if at.Value == "SUFFIX" {
			words = l.Suffixes
		}
		for _, word := range words {
			if !strings.HasPrefix(at.Typed, ".") {
				word = strings.TrimPrefix(word, ".")
			}
			about[word] = l.Name
		}
	}
	for _, word := range slices.Sorted(maps.Keys(about)) {
		add(word, about[word])
	}
}
