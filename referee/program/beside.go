package program

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"

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
					return fmt.Sprintf("files beside the bot's own, such as %s, are not part of it: give its folder", name)
				}
			}
		}
	}
	return ""
}
