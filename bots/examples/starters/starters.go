// Package starters holds the programs that contestants start from: a folder for
// each game, by its name, with a file for each language. Each plays by the rules,
// as simply as can be, and shows where a strategy and debug output go.
//
// Games whose programs are nearly the same share a folder, named after all of
// them: "mensch-3+mensch-4". Its files, NAME.parts, say GAME for the game's name,
// and mark the parts that only some of the games have: those between a line
// "@only GAME…" and the next "@only" or "@all". A contestant gets a whole program
// without marks.
package starters

import (
	"bytes"
	"embed"
	"path"
	"slices"
	"strings"
)

//go:embed */*
var files embed.FS

// Starter is one program.
type Starter struct {
	File   string // name of its source file, whose suffix is the language's
	Source []byte
}

// goIgnored is the line that keeps the programs in Go out of this module. It is
// not part of a Starter.
const goIgnored = "//go:build ignore\n\n"

// Of returns the starters of a game; none if it has no folder here.
func Of(game string) ([]Starter, error) {
	folders, err := files.ReadDir(".")
	if err != nil {
		return nil, err
	}
	var list []Starter
	for _, folder := range folders {
		if !slices.Contains(strings.Split(folder.Name(), "+"), game) {
			continue
		}
		entries, err := files.ReadDir(folder.Name())
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			source, err := files.ReadFile(path.Join(folder.Name(), e.Name()))
			if err != nil {
				return nil, err
			}
			list = append(list, starterOf(game, e.Name(), source))
		}
	}
	return list, nil
}

// starterOf is a game's program from a file.
func starterOf(game, file string, source []byte) Starter {
	if name, shared := strings.CutSuffix(file, ".parts"); shared {
		return Starter{name, partsOf(game, source)}
	}
	return Starter{file, bytes.TrimPrefix(source, []byte(goIgnored))}
}

// partsOf puts a game's program together from a source that several games share.
func partsOf(game string, source []byte) []byte {
	var out []byte
	mine := true
	for line := range bytes.Lines(source) {
		switch only, isMark := strings.CutPrefix(string(line), "@only "); {
		case isMark:
			mine = slices.Contains(strings.Fields(only), game)
		case string(line) == "@all\n":
			mine = true
		case mine:
			out = append(out, bytes.ReplaceAll(line, []byte("GAME"), []byte(game))...)
		}
	}
	return out
}
