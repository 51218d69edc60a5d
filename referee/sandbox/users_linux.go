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
)

// This file says as which user a contestant runs. Root gives each one of its
// own; an ordinary user has none but itself to give.

// users hands out users to contestants, so that no two at once have the same:
// the kernel counts processes by user, and what one uses up another lacks.
var users userPool

// userPool holds the 256 users of this umpire process.
type userPool struct {
	mu   sync.Mutex
	used [256]bool
}

func (u *userPool) take() (int, bool) {
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

func (u *userPool) give(uid int) {
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

// ownUIDs reports whether contestants can be given users of their own.
var ownUIDs = sync.OnceValue(func() bool {
	for _, c := range []int{unix.CAP_SETUID, unix.CAP_SETGID, unix.CAP_CHOWN} {
		if os.Geteuid() != 0 || !hasCapability(c) {
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
})

// kernelRoot reports whether umpire is the kernel's own user 0, and not that of a
// user namespace. To it files of /proc/sys are open even without capabilities,
// so no contestant may be that user.
var kernelRoot = sync.OnceValue(func() bool {
	const file = "/proc/sys/kernel/core_pattern"
	var st unix.Stat_t
	// In a namespace without the kernel's user 0 its files seem to be of an
	// ordinary user, which umpire could be.
	return unix.Stat(file, &st) == nil && int(st.Uid) == os.Geteuid() && unix.Access(file, unix.W_OK) != unix.EACCES
})

// checkUser says why contestants can't be isolated from umpire's user.
func checkUser() error {
	if kernelRoot() && !ownUIDs() {
		return errors.New("contestants would be the kernel's user 0: as root, umpire needs CAP_SETUID, CAP_SETGID and CAP_CHOWN, and a container with all users")
	}
	return nil
}

// userNamespaced reports whether box and strict take a user namespace. Root needs
// none, unless it lacks the capability for the other namespaces.
func userNamespaced() bool { return !ownUIDs() || !hasCapability(unix.CAP_SYS_ADMIN) }

// mapOwnUser makes umpire's user a nameless one in a user namespace.
func (s *launch) mapOwnUser(up childSetup) {
	for _, m := range []struct{ file, text string }{
		{"setgroups", "deny"},
		{"uid_map", fmt.Sprintf("%d %d 1", unprivilegedUID, os.Geteuid())},
		{"gid_map", fmt.Sprintf("%d %d 1", unprivilegedUID, os.Getegid())},
	} {
		fd := up.get("open "+m.file, unix.SYS_OPENAT, atCwd, up.str("/proc/self/"+m.file),
			num(unix.O_WRONLY|unix.O_CLOEXEC), num(0))
		up.do("write "+m.file, unix.SYS_WRITE, fd, up.add([]byte(m.text)), num(len(m.text)))
		up.do("close "+m.file, unix.SYS_CLOSE, fd)
	}
}

// awaitUser lets the supervisor wait until umpire has made the contestant's
// user one of the user namespace, which only root outside may.
func (p *launchScript) awaitUser(up childSetup) {
	p.announce(up)
	up.do("wait for users", unix.SYS_RECVFROM, reportFile, p.add(make([]byte, 8)), num(1), num(0), num(0), num(0))
}

// mapUser is umpire's part of awaitUser: outside is the contestant's user.
func (p *launchScript) mapUser(report, outside int) error {
	n, from, err := receiveMessage(report)
	if err != nil {
		return err
	}
	closeAll(from.files)
	if n.what != messageRunning {
		return p.describeError(n)
	}
	line := fmt.Sprintf("%d %d 1", unprivilegedUID, outside)
	if err := writeMaps(from.pid, line, line); err != nil {
		return err
	}
	_, err = unix.SendmsgN(report, []byte{0}, nil, nil, unix.MSG_NOSIGNAL)
	return err
}

// writeMaps sets the users and groups of a process's user namespace.
func writeMaps(pid int, users, groups string) error {
	dir := fmt.Sprintf("/proc/%d/", pid)
	return errors.Join(os.WriteFile(dir+"uid_map", []byte(users), 0), os.WriteFile(dir+"gid_map", []byte(groups), 0))
}

// lend gives the folders that a program may write to its user for as long as it
// runs, where they can't be mounted as if they were that user's.
func (s *launch) lend(folders []string) error {
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
