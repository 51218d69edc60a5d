package sandbox

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"umpire/referee"
	"umpire/referee/procfs"
)

// A trial takes some eighty milliseconds. That one was passed is remembered by an
// empty file, whose name is a digest of the level and of all that the outcome
// depends on. Failures are not: they may be of the moment.

// keepTrials is how long what is remembered stays in its folder.
const keepTrials = 30 * 24 * time.Hour

// tryOnce tries a level, unless it is known to have passed under the same conditions.
// The folder that keeps that may be empty: then nothing is kept.
func tryOnce(l Launcher, dir string) (_ Launcher, isKnown bool, err error) {
	known := conditions()
	if dir == "" || known == "" {
		return l, false, tryLevel(l)
	}
	file := filepath.Join(dir, string(l.Level())+"-"+known)
	isKnown = ownFile(file)
	if !isKnown {
		if err := tryLevel(l); err != nil {
			return nil, false, err
		}
		remember(dir, file)
	}
	return remembered{l, file}, isKnown, nil
}

// remembered is a launcher whose trial is forgotten when it fails to start a
// program: the next command tries again.
type remembered struct {
	Launcher
	file string
}

func (r remembered) Start(c Command) (Process, error) {
	p, err := r.Launcher.Start(c)
	if err != nil {
		_ = os.Remove(r.file)
	}
	return p, err
}

// ownFile reports whether a file is there that nobody but umpire's user can have
// made.
func ownFile(path string) bool {
	for _, p := range []string{path, filepath.Dir(path)} {
		var st unix.Stat_t
		if unix.Lstat(p, &st) != nil || int(st.Uid) != os.Geteuid() || st.Mode&0o022 != 0 {
			return false
		}
	}
	return true
}

// remember makes the file, and removes old ones. Where it can't, the next
// command tries again.
func remember(dir, file string) {
	if os.MkdirAll(dir, 0o700) != nil || os.WriteFile(file, nil, 0o600) != nil {
		return
	}
	list, _ := os.ReadDir(dir)
	for _, e := range list {
		if info, err := e.Info(); err == nil && isTrial(e.Name()) && time.Since(info.ModTime()) > keepTrials {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// isTrial reports whether a file's name is one that remember gives.
func isTrial(name string) bool {
	level, known, _ := strings.Cut(name, "-")
	_, err := hex.DecodeString(known)
	return err == nil && len(known) == 32 && slices.Contains(referee.Levels(), referee.Level(level))
}

// kernelSettings are those on which the levels depend.
var kernelSettings = []string{
	"kernel/random/boot_id", "kernel/version", "kernel/unprivileged_userns_clone", "kernel/apparmor_restrict_unprivileged_userns",
	"kernel/core_pattern", "kernel/yama/ptrace_scope", "kernel/pid_max", "kernel/threads-max",
}

// namespaceKinds are those of namespaces that box and strict may take, as /proc names them.
var namespaceKinds = []string{"user", "pid", "net", "ipc", "uts", "mnt", "cgroup"}

// conditions is a digest of what a trial's outcome depends on: the boot, the
// kernel and its settings, umpire's user, capabilities, filters, namespaces and
// limits, those of its control groups, its own binary, and where temporary files
// go. It is empty where that can't be found out.
func conditions() string {
	h := sha256.New()
	for _, name := range kernelSettings {
		fmt.Fprintln(h, procfs.FirstLine("/proc/sys/"+name))
	}
	fmt.Fprintln(h, procfs.FirstLine("/sys/kernel/security/lsm"))
	for _, kind := range namespaceKinds {
		space, _ := os.Readlink("/proc/self/ns/" + kind)
		fmt.Fprintln(h, space, procfs.FirstLine("/proc/sys/user/max_"+kind+"_namespaces"))
	}
	if !addProcess(h) || !addGroups(h) {
		return ""
	}
	exe, err := os.Executable()
	var binary unix.Stat_t
	if err != nil || unix.Stat(exe, &binary) != nil {
		return ""
	}
	fmt.Fprintln(h, exe, binary.Dev, binary.Ino, binary.Size, binary.Mtim, binary.Ctim)
	var fs unix.Statfs_t
	if unix.Statfs(os.TempDir(), &fs) != nil {
		return ""
	}
	fmt.Fprintln(h, os.TempDir(), fs.Type, fs.Flags)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// addProcess adds who umpire is, and what it may.
func addProcess(h hash.Hash) bool {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(status)) {
		name, _, _ := strings.Cut(line, ":")
		if strings.HasPrefix(name, "Cap") || slices.Contains([]string{"Uid", "Gid", "Groups", "NoNewPrivs", "Seccomp", "Seccomp_filters"}, name) {
			fmt.Fprint(h, line)
		}
	}
	limits, err := os.ReadFile("/proc/self/limits")
	h.Write(limits)
	return err == nil
}

// addGroups adds the control groups that contestants are in, with their limits and those
// above. What umpire has made, or has had made, has another name each time.
func addGroups(h hash.Hash) bool {
	mounts, err := thisMachine().groupMounts()
	if err != nil {
		return false
	}
	for _, name := range []string{"", "memory", "pids", "freezer", "cpuacct"} {
		m, ok := mounts[name]
		if !ok {
			continue
		}
		for dir := range m.Above() {
			if !strings.HasPrefix(filepath.Base(dir), "umpire.") {
				fmt.Fprintln(h, name, dir)
			}
			for _, file := range []string{"memory.max", "memory.limit_in_bytes", "pids.max", "cgroup.subtree_control"} {
				fmt.Fprintln(h, procfs.FirstLine(filepath.Join(dir, file)))
			}
		}
	}
	return true
}
