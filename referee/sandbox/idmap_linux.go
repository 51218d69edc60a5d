package sandbox

import (
	"fmt"
	"os"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// idmaps holds user namespaces that stand for "the owner of these files is the
// contestant". Under root a contestant has a user of its own, to whom a bot's
// file may be closed; mounted with such a map it is open.
type idmaps struct {
	mu  sync.Mutex
	fds map[idmap]int
}

// idmap says whose files which user is to own.
type idmap struct{ owner, group, uid int }

// get returns a user namespace in which the owner of a path is uid. It stays
// open for the next contestant that has this user.
func (m *idmaps) get(w *forkServer, path string, uid int) (int, error) {
	info, err := os.Stat(path)
	if err != nil {
		return -1, err
	}
	st := info.Sys().(*syscall.Stat_t)
	key := idmap{int(st.Uid), int(st.Gid), uid}
	m.mu.Lock()
	defer m.mu.Unlock()
	if fd, ok := m.fds[key]; ok {
		return fd, nil
	}
	fd, err := w.userNamespace(key)
	if err != nil {
		return -1, fmt.Errorf("map owner of %s: %w", path, err)
	}
	if m.fds == nil {
		m.fds = make(map[idmap]int)
	}
	m.fds[key] = fd
	return fd, nil
}

// userNamespace makes a user namespace by a process that only waits for it to
// be opened.
func (w *forkServer) userNamespace(m idmap) (int, error) {
	ours, theirs, err := newReport()
	if err != nil {
		return -1, err
	}
	defer unix.Close(ours)
	p := newLaunchScript(theirs)
	p.flags = unix.CLONE_NEWUSER
	up := p.supervisor()
	p.awaitUser(up)
	up.do("end", unix.SYS_EXIT_GROUP, num(0))
	err = w.send(p)
	unix.Close(theirs)
	if err != nil {
		return -1, err
	}
	n, from, err := receiveMessage(ours)
	if err != nil {
		return -1, err
	}
	defer closeAll(from.files)
	if n.what != messageRunning {
		return -1, p.describeError(n)
	}
	if err := writeMaps(from.pid, fmt.Sprintf("%d %d 1", m.owner, m.uid), fmt.Sprintf("%d %d 1", m.group, m.uid)); err != nil {
		return -1, err
	}
	return unix.Open(fmt.Sprintf("/proc/%d/ns/user", from.pid), unix.O_RDONLY|unix.O_CLOEXEC, 0)
}
