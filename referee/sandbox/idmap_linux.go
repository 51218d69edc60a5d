package sandbox

import (
	"fmt"
	"os"
	"sync"
	"syscall"

	"umpire/referee/sandbox/launch"
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
func (m *idmaps) get(w *launch.Server, path string, uid int) (int, error) {
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
	fd, err := w.UserNamespace(fmt.Sprintf("%d %d 1", key.owner, uid), fmt.Sprintf("%d %d 1", key.group, uid))
	if err != nil {
		return -1, fmt.Errorf("map owner of %s: %w", path, err)
	}
	m.fds[key] = fd
	return fd, nil
}
