package sandbox

import (
	"os"
	"path/filepath"
	"slices"

	"umpire/referee/sandbox/watch"
)

// InSystem reports whether a path leads to what everybody may read.
func InSystem(path string) bool {
	real, err := filepath.EvalSymlinks(path)
	return err == nil && thisMachine().systemPaths().contain(real)
}

// Toolchain lists what an installed program outside the system's folders needs
// to be read beyond itself, for Command.Read: the folder its version manager or
// compiler is installed in. An empty list means that the system's folders are
// enough. Path is absolute. It goes by where the program lies, so it is for
// compilers and interpreters that the user has installed, not for untrusted
// programs.
func Toolchain(path string) []string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		real = path
	}
	var list []string
	for _, p := range []string{filepath.Clean(path), real} {
		if !thisMachine().systemPaths().contain(p) {
			list = append(list, prefix(p)...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// managers are folders that hold whole toolchains, each with the one that goes along.
var managers = map[string]string{
	".cargo": ".rustup", ".rustup": ".cargo", ".pyenv": "", ".nvm": "",
	".rbenv": "", ".sdkman": "", ".asdf": "", ".jenv": "", ".volta": "", ".ghcup": "", ".opam": "",
	".deno": "", ".bun": "", ".dotnet": "", ".plenv": "", ".goenv": "", ".nodenv": "", "mise": "",
}

// prefix is the folder an executable is installed under.
func prefix(path string) []string {
	for dir := filepath.Dir(path); dir != "/"; dir = filepath.Dir(dir) {
		if with, ok := managers[filepath.Base(dir)]; ok {
			other := filepath.Join(filepath.Dir(dir), with)
			if _, err := os.Stat(other); with != "" && err == nil {
				return []string{dir, other}
			}
			return []string{dir}
		}
	}
	// PREFIX/bin/program, unless PREFIX holds somebody's own files.
	dir := filepath.Dir(path)
	if root := filepath.Dir(dir); filepath.Base(dir) == "bin" && root != "/" && !private(root) {
		return []string{root}
	}
	return []string{path}
}

// private reports whether a folder is a home folder or holds some.
func private(dir string) bool {
	home, _ := os.UserHomeDir()
	return watch.Within(filepath.Clean(home), dir) || filepath.Dir(dir) == "/home" || filepath.Base(dir) == ".local"
}
