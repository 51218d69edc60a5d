package sandbox

import (
	"fmt"
	"strings"

	"golang.org/x/sys/unix"

	"umpire/referee"
	"umpire/referee/sandbox/launch"
)

// From box on a cell has its namespaces and a root, and each contestant in it a mount
// namespace of its own, for what it is given and may write, and at strict a control
// group. Below box a cell is a supervisor alone, and a program confines itself.

// chooseCell gives the start a cell, if its command can have one.
func (s *start) chooseCell() error {
	if s.isLarge() {
		return nil
	}
	var key launch.Key
	if s.launcher.isBoxed() {
		// A command that writes has copies made in its root.
		if len(s.command.Write) > 0 || !s.machine.keepsCells() {
			return nil
		}
		var ok bool
		if key.Tops, ok = s.machine.tops(s.given, s.command.Dir); !ok {
			return nil
		}
	}
	if err := unix.SchedGetaffinity(0, &key.CPUs); err != nil {
		return fmt.Errorf("find CPUs: %w", err)
	}
	cells := &s.launcher.cells
	k := cells.Take(key)
	if k == nil {
		var err error
		if k, err = s.newCell(key); err != nil {
			return err
		}
	}
	s.cell = k
	if s.launcher.isBoxed() {
		s.uid = k.UID
	}
	s.free = append(s.free, func() { cells.Give(k) })
	return nil
}

// isLarge reports whether the launch script may be more than a cell takes.
func (s *start) isLarge() bool {
	size := pathSize(s.command.Dir)
	for _, p := range s.given {
		size += pathSize(p.path) + len(p.source)
	}
	for _, list := range [][]string{s.command.Args, s.command.Env} {
		for _, text := range list {
			size += len(text) + 16
		}
	}
	return size > launch.MaxCellScript/2
}

// pathSize is at least how much of a launch script one path takes: each folder on
// the way may have to be made, and what it leads to mounted.
func pathSize(path string) int {
	const mounting = 8
	return (strings.Count(path, "/") + mounting) * (len(path) + 2*launch.CallSize)
}

// keepsCells reports whether there can be cells from box on. Root without CAP_SYS_ADMIN can
// take hold only of what a new supervisor, which is still root, may reach; and a
// kernel without CONFIG_CHECKPOINT_RESTORE can't have a process number given twice.
func (m *machine) keepsCells() bool {
	return m.reusesPIDs && (!m.privileges.userNamespaced() || !m.privileges.ownUIDs)
}

// newCell makes a cell for starts like this one.
func (s *start) newCell(key launch.Key) (*launch.Cell, error) {
	uid := 0
	if s.launcher.isBoxed() {
		var err error
		if uid, err = s.launcher.acquireUser(); err != nil {
			return nil, err
		}
	}
	return s.launcher.cells.NewCell(s.forkServer, key, uid, func(p *launch.Script) {
		empty := s.launcher.newStart(s.forkServer, Command{})
		empty.script, empty.uid = p, uid
		if s.launcher.isBoxed() {
			empty.cellSetup(key.Tops)
		} else {
			empty.plainSetup()
		}
	})
}

// plainSetup is the supervisor's part in a cell without namespaces. Of the
// descriptors that cells keep it needs only the report.
func (s *start) plainSetup() {
	up := s.supervisor()
	up.inherit()
	if s.level == referee.LevelBasic {
		up.basic()
	} else {
		up.adopt()
	}
	for fd := range launch.CellFiles {
		up.Keep(launch.ReportFile, fd)
	}
	up.CloseFrom(launch.CellFiles)
}
