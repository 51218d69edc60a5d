package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// What of the system every contestant may read and execute: programs and
// libraries, and the configuration runtimes look at. Of /etc and /var only what
// is named; of /dev only what has no state.
var (
	systemDirs = []string{
		"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store",
	}
	systemFiles = []string{
		"/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime",
		"/etc/java*", "/etc/jvm*", "/etc/ssl/certs/java", "/etc/ssl/openssl.cnf", "/etc/pki/tls/openssl.cnf",
		"/etc/python*", "/etc/perl", "/etc/pypy*", "/etc/node*",
		"/etc/fpc*", "/var/lib/ghc", "/etc/os-release", "/etc/locale.alias", "/etc/mono", "/etc/php", "/etc/R", "/etc/lua*",
		"/etc/crypto-policies", "/etc/system-fips", "/etc/debian_version",
	}
	devices = []string{"/dev/null", zeroDevice, "/dev/full", "/dev/random", "/dev/urandom"}
)

// zeroDevice is read only: a mapping that is shared, for which it must be opened for
// writing, is memory that stands in no process's account.
const zeroDevice = "/dev/zero"

// systemPath is a part of the system that exists here.
type systemPath struct {
	path string
	dir  bool
	pipe bool   // it is a FIFO
	link string // where it leads, if it is a symbolic link

	source        string // what is to be seen there; "": what is there
	device, inode uint64
}

// findSystemPaths lists what of systemDirs and systemFiles exists.
func findSystemPaths() []systemPath {
	var list []systemPath
	for _, pattern := range slices.Concat(systemDirs, systemFiles) {
		paths, _ := filepath.Glob(pattern)
		for _, path := range paths {
			if p, ok := statPath(path); ok {
				list = append(list, p)
			}
		}
	}
	return list
}

// statPath looks a path up; ok is false if it leads nowhere.
func statPath(path string) (p systemPath, ok bool) {
	var st unix.Stat_t
	if unix.Stat(path, &st) != nil {
		return p, false
	}
	link, _ := os.Readlink(path)
	return systemPath{
		path: path, dir: st.Mode&unix.S_IFMT == unix.S_IFDIR, pipe: st.Mode&unix.S_IFMT == unix.S_IFIFO, link: link, device: st.Dev, inode: st.Ino,
	}, true
}

// inSystem reports whether a clean path lies within what everybody may read.
func (m *machine) inSystem(path string) bool {
	return slices.ContainsFunc(m.systemPaths(), func(p systemPath) bool { return within(path, p.path) })
}

// within reports whether a clean path is, or lies below, a folder.
func within(path, dir string) bool {
	return path == dir || dir == "/" || strings.HasPrefix(path, dir) && path[len(dir)] == '/'
}

// InSystem reports whether a path leads to what everybody may read.
func InSystem(path string) bool {
	real, err := filepath.EvalSymlinks(path)
	return err == nil && thisMachine().inSystem(real)
}

// Toolchain lists what an installed program outside the system's folders needs
// to be read beyond itself, for Command.Read: the folder its version manager or
// compiler is installed in. An empty list means that the system's folders are
// enough. Path is absolute. It goes by where the program lies, so it is for
// compilers and interpreters that the user has installed, not for untrusted
// programs.
func Toolchain(path string) []string {
	list := prefixes(path)
	slices.Sort(list)
	return slices.Compact(list)
}

// managers are folders that hold whole toolchains, with those that go along.
var managers = map[string][]string{
	".cargo": {".cargo", ".rustup"}, ".rustup": {".cargo", ".rustup"}, ".pyenv": nil, ".nvm": nil,
	".rbenv": nil, ".sdkman": nil, ".asdf": nil, ".jenv": nil, ".volta": nil, ".ghcup": nil, ".opam": nil,
	".deno": nil, ".bun": nil, ".dotnet": nil, ".plenv": nil, ".goenv": nil, ".nodenv": nil, "mise": nil,
}

func prefixes(path string) []string {
	var list []string
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		real = path
	}
	for _, p := range []string{filepath.Clean(path), real} {
		if thisMachine().inSystem(p) {
			continue
		}
		list = append(list, prefix(p)...)
	}
	return list
}

// prefix is the folder an executable is installed under.
func prefix(path string) []string {
	for dir := filepath.Dir(path); dir != "/"; dir = filepath.Dir(dir) {
		if with, ok := managers[filepath.Base(dir)]; ok {
			list := []string{dir}
			for _, name := range with {
				if other := filepath.Join(filepath.Dir(dir), name); other != dir {
					if _, err := os.Stat(other); err == nil {
						list = append(list, other)
					}
				}
			}
			return list
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
	return within(filepath.Clean(home), dir) || filepath.Dir(dir) == "/home" || filepath.Base(dir) == ".local"
}
