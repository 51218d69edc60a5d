package build

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// ForFile returns the row for a file: among those for its suffix, the first
// whose tools are in PATH, or else the first. It reports whether there is a
// row.
func (t Languages) ForFile(name string) (Language, bool) {
	rows := t.of(name)
	if len(rows) == 0 {
		return Language{}, false
	}
	installed := slices.IndexFunc(rows, func(l Language) bool { return l.Missing() == "" })
	return rows[max(installed, 0)], true
}

// Missing names the first tool of the row that is not in PATH; "" if all are.
func (l Language) Missing() string {
	for _, name := range l.tools() {
		if _, err := exec.LookPath(name); err != nil {
			return name
		}
	}
	return ""
}

// ByHand returns the commands with which a person compiles and runs a source
// file in the working folder as umpire does, without a memory limit. Compile is
// empty where there is nothing to compile. The file must be named as its
// language requires: a Java file after its class.
func (l Language) ByHand(file string) (compile, run []string) {
	return l.byHandOn(runtime.GOOS, file)
}

// byHandOn is ByHand on a system.
func (l Language) byHandOn(system, file string) (compile, run []string) {
	base := strings.TrimSuffix(file, filepath.Ext(file))
	words := map[string]string{"{source}": file, "{sources}": file, "{out}": base, "{class}": base}
	here := "./"
	if system == "windows" {
		here = `.\`
		if fill(l.Run, words)[0] == base { // a program, not a folder of what is compiled
			words["{out}"] += ".exe"
		}
	}
	if l.Compile != "" {
		compile = fill(l.Compile, words)
	}
	run = slices.DeleteFunc(fill(l.Run, words), func(word string) bool { return strings.Contains(word, HeapMiB) })
	if strings.HasPrefix(l.Run, "{out}") || strings.HasPrefix(l.Run, `"{out}`) {
		run[0] = here + strings.ReplaceAll(run[0], "/", here[1:])
	}
	return compile, run
}
