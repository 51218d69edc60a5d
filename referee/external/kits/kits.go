// Package kits holds a small game of its author's own, tic-tac-toe, with its judge in
// several languages: to be written into a folder, where it is to become another game.
package kits

import (
	"bytes"
	"embed"
	"io/fs"
	"path"
	"strings"
)

//go:embed common py cpp go js java
var files embed.FS

// Kit is the game with a judge in one language.
type Kit struct {
	Lang                                           string // the word for it: the suffix of its files
	judge, generate, helper, house, other, starter string
}

// Kits are all of them, sorted by word.
var Kits = []Kit{
	{"cpp", "judge.cpp", "judge.cpp", "umpire.hpp", "first.cpp", "middle", "starter.cpp"},
	{"go", "judge.go", "judge.go", "umpire.go", "first.go", "middle", "starter.go"},
	{"java", "Judge.java", "Judge.java", "Umpire.java", "First.java", "Middle", "Starter.java"},
	{"js", "judge.js", "node generate.js", "umpire.js", "first.js", "middle", "starter.js"},
	{"py", "judge.py", "python3 generate.py", "umpire.py", "first.py", "middle", "starter.py"},
}

// File is a file of a kit.
type File struct {
	Name string // with slashes, below the folder
	Data []byte
}

// goIgnored is the line that keeps the programs in Go out of this module.
const goIgnored = "//go:build ignore\n\n"

// Judge is the name of the file of the judge, by which the language is known.
func (k Kit) Judge() string { return k.judge }

// Files returns the files of the kit, for a game of that name.
func (k Kit) Files(game string) (list []File, err error) {
	fill := strings.NewReplacer("GAME", game, "JUDGE", k.judge, "GENERATE", k.generate, "HELPER", k.helper, "HOUSE", k.house,
		"BOT1", strings.TrimSuffix(k.house, path.Ext(k.house)), "BOT2", k.other, "STARTER", k.starter)
	for _, dir := range []string{"common", k.Lang} {
		err = fs.WalkDir(files, dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := files.ReadFile(name)
			if data = bytes.TrimPrefix(data, []byte(goIgnored)); dir == "common" {
				data = []byte(fill.Replace(string(data)))
			}
			list = append(list, File{strings.TrimPrefix(name, dir+"/"), data})
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}
