// Package starters holds the programs that contestants start from: a folder for
// each game, by its name, with a file for each language. Each plays by the rules,
// as simply as can be, and shows where a strategy and debug output go.
package starters

import (
	"bytes"
	"embed"
	"errors"
	"io/fs"
	"path"
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
	entries, err := files.ReadDir(game)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []Starter
	for _, e := range entries {
		source, err := files.ReadFile(path.Join(game, e.Name()))
		if err != nil {
			return nil, err
		}
		list = append(list, Starter{e.Name(), bytes.TrimPrefix(source, []byte(goIgnored))})
	}
	return list, nil
}
