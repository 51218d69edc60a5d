package launch

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"umpire/referee/procfs"
)

// ContestantUID is the contestant's user in a user namespace.
const ContestantUID = 1000

// AwaitUser lets the supervisor wait until umpire has made the contestant's user
// ContestantUID of the user namespace, which only root outside may.
func (s Setup) AwaitUser() {
	s.announce()
	s.Do("wait for users", unix.SYS_RECVFROM, ReportFile, s.Add(make([]byte, 8)), Num(1), Num(0), Num(0), Num(0))
}

// mapUser is umpire's part of AwaitUser: outside is the contestant's user.
func (p *Script) mapUser(report, outside int) error {
	line := fmt.Sprintf("%d %d 1", ContestantUID, outside)
	if _, err := p.writeMaps(report, line, line); err != nil {
		return err
	}
	_, err := unix.SendmsgN(report, []byte{0}, nil, nil, unix.MSG_NOSIGNAL)
	return err
}

// writeMaps sets the users and groups of the user namespace of a process that waits for
// that, and returns its folder in /proc.
func (p *Script) writeMaps(report int, users, groups string) (dir string, err error) {
	n, from, err := receiveMessage(report)
	if err != nil {
		return "", err
	}
	CloseAll(from.files)
	if n.what != messageRunning {
		return "", p.describeError(n)
	}
	dir = procfs.Dir(from.pid)
	return dir, errors.Join(os.WriteFile(dir+"/uid_map", []byte(users), 0), os.WriteFile(dir+"/gid_map", []byte(groups), 0))
}

// UserNamespace makes a user namespace with a map of users and one of groups, each as
// uid_map has it, by a process that only waits for it to be opened. The descriptor is
// to be closed.
func (w *Server) UserNamespace(users, groups string) (int, error) {
	p, report, err := w.NewScript(nil)
	if err != nil {
		return -1, err
	}
	defer unix.Close(report)
	p.Flags = unix.CLONE_NEWUSER
	up := p.Supervisor()
	up.AwaitUser()
	up.Do("end", unix.SYS_EXIT_GROUP, Num(0))
	defer w.Release(p)
	if err := w.send(p); err != nil {
		return -1, err
	}
	p.closeReport()
	dir, err := p.writeMaps(report, users, groups)
	if err != nil {
		return -1, err
	}
	return unix.Open(dir+"/ns/user", unix.O_RDONLY|unix.O_CLOEXEC, 0)
}
