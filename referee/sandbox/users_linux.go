package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"umpire/referee/procfs"
	"umpire/referee/sandbox/launch"
)

// This file says as which user a contestant runs. Root gives each one of its
// own; an ordinary user has none but itself to give.

// userPool hands out the 256 users of this umpire process to contestants, so that no
// two have the same at the same time: the kernel counts processes by user, and what
// one uses up another lacks.
type userPool struct {
	mu   sync.Mutex
	used [256]bool
}

func (u *userPool) acquire() (int, bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for i, used := range u.used {
		if !used {
			u.used[i] = true
			return firstUID + umpireSlot()<<8 + i, true
		}
	}
	return 0, false
}

func (u *userPool) release(uid int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.used[uid&255] = false
}

const firstUID = 1 << 30

// slotBits is how many bits the largest process number has (pid_max).
const slotBits = 22

// umpireSlot is the place of this process's users. Umpires in one pid namespace
// differ in the process number; those of two containers, which may have the same
// number, very likely in what the namespace's number spreads to.
func umpireSlot() int {
	namespace, _ := strconv.ParseUint(procfs.PIDNamespace(), 10, 32)
	spread := uint32(namespace) * 2654435769 >> (32 - slotBits) // Fibonacci hashing
	return os.Getpid() ^ int(spread)
}

// mayGiveUsers reports whether contestants can be given users of their own.
func (m *machine) mayGiveUsers() bool {
	for _, c := range []int{unix.CAP_SETUID, unix.CAP_SETGID, unix.CAP_CHOWN} {
		if os.Geteuid() != 0 || !m.hasCapability(c) {
			return false
		}
	}
	b, err := os.ReadFile("/proc/self/uid_map")
	f := strings.Fields(string(b))
	if err != nil || len(f) != 3 {
		return false
	}
	count, _ := strconv.ParseInt(f[2], 10, 64)
	return f[0] == "0" && count >= 1<<31
}

// isKernelRoot reports whether umpire is the kernel's own user 0, and not that of a
// user namespace. To it files of /proc/sys are open even without capabilities,
// so no contestant may be that user.
func isKernelRoot() bool {
	const file = "/proc/sys/kernel/core_pattern"
	var st unix.Stat_t
	// In a namespace without the kernel's user 0 its files seem to be of an
	// ordinary user, which umpire could be.
	return unix.Stat(file, &st) == nil && int(st.Uid) == os.Geteuid() && unix.Access(file, unix.W_OK) != unix.EACCES
}

// checkUser says why contestants can't be isolated from umpire's user.
func (m *machine) checkUser() error {
	if m.kernelRoot && !m.ownUIDs {
		return errors.New("contestants would be the kernel's user 0: as root, umpire needs CAP_SETUID, CAP_SETGID and CAP_CHOWN, and a container with all users")
	}
	return nil
}

// userNamespaced reports whether box and strict take a user namespace. Root needs
// none, unless it lacks the capability for the other namespaces.
func (m *machine) userNamespaced() bool { return !m.ownUIDs || !m.hasCapability(unix.CAP_SYS_ADMIN) }

// mapOwnUser makes umpire's user a nameless one in a user namespace.
func (s *start) mapOwnUser(up setup) {
	for _, m := range []struct{ file, text string }{
		{"setgroups", "deny"},
		{"uid_map", fmt.Sprintf("%d %d 1", launch.ContestantUID, os.Geteuid())},
		{"gid_map", fmt.Sprintf("%d %d 1", launch.ContestantUID, os.Getegid())},
	} {
		fd := up.Get("open "+m.file, unix.SYS_OPENAT, launch.AtCwd, up.Str("/proc/self/"+m.file),
			num(unix.O_WRONLY|unix.O_CLOEXEC), num(0))
		up.Do("write "+m.file, unix.SYS_WRITE, fd, up.Add([]byte(m.text)), num(len(m.text)))
		up.Do("close "+m.file, unix.SYS_CLOSE, fd)
	}
}

// lend gives the folders that a program may write to its user for as long as it
// runs, where they can't be mounted as if they were that user's.
func (s *start) lend(folders []string) error {
	for _, dir := range folders {
		var st unix.Stat_t
		if err := unix.Stat(dir, &st); err != nil {
			return fmt.Errorf("find %s: %w", dir, err)
		}
		s.free = append(s.free, func() { _ = chownAll(dir, int(st.Uid), int(st.Gid)) })
		if err := chownAll(dir, s.uid, s.uid); err != nil {
			return fmt.Errorf("lend folder: %w", err)
		}
	}
	return nil
}

// chownAll gives a folder away with all in it. No program that could change it
// meanwhile runs.
func chownAll(dir string, uid, gid int) error {
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(path, uid, gid))
	})
}
