package program

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"umpire/referee/pattern"
)

// missed matches what compilers and runtimes write of a file or module that is not there: its name.
var missed = pattern.New(`(?:No module named|Cannot find module|Can't locate|cannot load such file --|file not found for module` +
	`|symbol: +(?:class|variable)|(?:FileNotFound|NoSuchFile)Exception:|No such file or directory:|ENOENT: no such file or directory, open) ['"` + "`" + `]?([\w./+-]+)` +
	`|([\w./+-]+)['"’]?: [Nn]o such file|['"]([\w./+-]+)['"] file not found|package ([\w.]+) does not exist`)

// Beside says, in a phrase, what lies beside the file of a bot, and not in the bot, that a text names
// as missing, written by the bot or by the compiler of its source; "" if there is no such thing.
func (e Entrant) Beside(text string) string {
	for _, found := range missed().FindAllStringSubmatch(text, -1) {
		name := filepath.Clean(cmp.Or(found[1:]...))
		if !filepath.IsLocal(name) || name == "." {
			continue
		}
		for _, own := range e.Files() {
			if info, err := os.Stat(own); err != nil || info.IsDir() {
				continue
			}
			names := []string{name, name + filepath.Ext(own)}
			if names[0] == names[1] { // an executable, which may be a script
				names = append(names, name+".py", name+".js", name+".rb")
			}
			for _, name := range names {
				if path := filepath.Join(filepath.Dir(own), name); path != own && Exists(path) {
					return giveFolder(name)
				}
			}
		}
	}
	return ""
}

func giveFolder(name string) string {
	return fmt.Sprintf("files beside the bot's own, such as %s, are not part of it: give its folder", name)
}

// undefined matches what compilers and linkers write of a name that no source defines: the name.
var undefined = pattern.New(`(?m)undefined: (\w+)$|undefined (?:reference to .|symbol: )(?:\w+::)*(\w+)|CS0(?:103|246): [^'` + "`]*['`]" + `(\w+)`)

// functions matches what C and C++ define for other sources, or, with static, do not.
var functions = pattern.New(`(?m)(?:^|[;{}])\s*([A-Za-z_][\w:<>,*&\s]*[\s*&:])(\w+)\s*\([^;{}]*\)[\w\s]*\{`)

// definitions match what a source with a suffix defines: the name comes last.
var definitions = map[string]func() *regexp.Regexp{
	".go":  pattern.New(`(?m)^(?:func|type|var|const) (\w+)`),
	".c":   functions,
	".cpp": functions,
	".cc":  functions,
	".cxx": functions,
	".cs":  pattern.New(`(?m)^[\w \t]*\b(?:class|struct|enum|interface|record)[ \t]+(\w+)|\bstatic\s[\w\s]*\s(Main)\s*\(`),
}

// definedBeside is Beside for names that a compiler found undefined: it looks for a source of the
// same language that defines one. A source that is a program itself, as another bot, is no part of it.
func (e Entrant) definedBeside(text string) string {
	lacking := make(map[string]bool)
	for _, found := range undefined().FindAllStringSubmatch(text, -1) {
		lacking[cmp.Or(found[1:]...)] = true
	}
	for _, own := range e.Files() {
		suffix := filepath.Ext(own)
		if definitions[suffix] == nil || len(lacking) == 0 {
			continue
		}
		list, _ := os.ReadDir(filepath.Dir(own))
		for _, other := range list {
			path := filepath.Join(filepath.Dir(own), other.Name())
			if filepath.Ext(path) == suffix && path != own && definesAny(path, lacking) {
				return giveFolder(other.Name())
			}
		}
	}
	return ""
}

// definesAny reports whether a source defines one of some names, and no program.
func definesAny(path string, names map[string]bool) (yes bool) {
	const most = 1 << 20 // bytes
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > most || strings.HasSuffix(path, "_test.go") {
		return false
	}
	source, _ := os.ReadFile(path)
	for _, found := range definitions[filepath.Ext(path)]().FindAllStringSubmatch(string(source), -1) {
		switch name := cmp.Or(found[len(found)-1], found[1]); {
		case strings.EqualFold(name, "main"):
			return false
		case !strings.Contains(found[1], "static "):
			yes = yes || names[name]
		}
	}
	return yes
}
