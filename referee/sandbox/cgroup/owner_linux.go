package cgroup

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"umpire/referee/procfs"
)

// What umpire makes for a while is named after its process, for all time:
// "umpire.NAMESPACE.PID.START". So what a killed umpire has left can be told.

// ErrNameless is the error of an umpire that can't find out its own name: it makes nothing
// that is named after it.
var ErrNameless = errors.New("umpire can't find its own process in /proc")

// Prefix is the beginning of the names of an umpire process's groups, and names
// that process for all time; "" if there is no process of that number, or nothing can be
// read of it.
func Prefix(pid int) string {
	base := procfs.Dir(pid)
	if pid == os.Getpid() {
		base = "/proc/self" // also where /proc is of another PID namespace
	} else if self, _ := os.Readlink("/proc/self"); self != strconv.Itoa(os.Getpid()) {
		return ""
	}
	f := procfs.StatFieldsOf(base)
	if len(f) < 20 || procfs.PIDNamespace() == "" {
		return ""
	}
	return fmt.Sprintf("umpire.%s.%d.%s.", procfs.PIDNamespace(), pid, f[19])
}

// IsOwner reports whether a name is that of an umpire process, a Prefix without its end.
func IsOwner(name string) bool {
	_, ok := ownerOf(name)
	return ok && strings.Count(name, ".") == 3
}

// IsStale reports whether a name is, or begins with, that of an umpire process of this PID
// namespace that is no more. One of which nothing can be read may still be there.
func IsStale(name string) bool {
	pid, ok := ownerOf(name)
	if !ok || unix.Kill(pid, 0) == unix.ESRCH {
		return ok
	}
	prefix := Prefix(pid)
	return prefix != "" && !strings.HasPrefix(name+".", prefix)
}

// ownerOf is the number of the umpire process that a name begins with.
func ownerOf(name string) (pid int, ok bool) {
	f := strings.Split(name, ".")
	if len(f) < 4 || f[0] != "umpire" {
		return 0, false
	}
	for _, number := range f[1:4] {
		if _, err := strconv.ParseUint(number, 10, 64); err != nil {
			return 0, false
		}
	}
	pid, err := strconv.Atoi(f[2])
	return pid, err == nil && pid > 0
}
