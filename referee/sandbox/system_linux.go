package sandbox

import (
	"os"
	"path/filepath"
	"slices"

	"umpire/referee/sandbox/watch"

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

// systemPaths are all of them.
type systemPaths []systemPath

// findSystemPaths lists what of systemDirs and systemFiles exists.
func findSystemPaths() systemPaths {
	var list systemPaths
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

// contain reports whether a clean path lies within what everybody may read.
func (s systemPaths) contain(path string) bool {
	return slices.ContainsFunc(s, func(p systemPath) bool { return watch.Within(path, p.path) })
}
