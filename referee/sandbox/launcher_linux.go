package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"umpire/referee"
	"umpire/referee/sandbox/launch"
	"umpire/referee/sandbox/watch"
)

// maxIdleTime is how long a cell is kept without use.
const maxIdleTime = 10 * time.Second

// New returns the launcher of a level. That it can be made does not say that
// the machine keeps the level's promises: Choose does.
func New(level referee.Level) (Launcher, error) {
	if !slices.Contains(referee.Levels(), level) {
		return nil, fmt.Errorf("unknown isolation level %q: %w", level, os.ErrInvalid)
	}
	m := thisMachine()
	if level != referee.LevelNone {
		if err := m.privileges.checkUser(); err != nil {
			return nil, err
		}
	}
	l := &launcher{
		level: level, machine: m, cells: launch.Cells{MaxIdle: maxIdleTime, Mounts: &m.mounts, FreeUser: m.users.release},
		idmaps:    idmaps{fds: make(map[idmap]int)},
		scratches: scratches{free: make(map[int][]string)},
		rulesets:  rulesets{version: m.landlock, system: m.systemGrants, made: make(map[string]int)},
	}
	if level == referee.LevelStrict {
		var err error
		if l.groups, err = m.controlGroups(); err != nil {
			return nil, err
		}
		l.scope = &m.scope
	}
	_, err := l.forkServer()
	return l, err
}

// NewNone returns the launcher of level none.
func NewNone() (Launcher, error) { return New(referee.LevelNone) }

// forkServer returns the fork server of the level's programs.
func (l *launcher) forkServer() (*launch.Server, error) {
	if l.scope == nil {
		return l.machine.forkServer()
	}
	w := l.scope.forkServer.Load()
	switch {
	case w == nil:
		return l.machine.forkServer()
	case w.HasEnded():
		l.scope.end()
		return nil, ErrScopeEnded
	}
	return w, nil
}

// serverEndedBefore reports whether a start or a program failed as the fork server has
// ended, which no program can bring about that the level isolates. The kernel may close
// its socket after others.
func (l *launcher) serverEndedBefore(err error) bool {
	patience := otherKills
	if _, ok := errors.AsType[*launch.StepError](err); ok { // somebody lived to tell
		patience = 0
	}
	if l.scope != nil {
		if w := l.scope.forkServer.Load(); w != nil {
			return w.EndsWithin(patience)
		}
	}
	l.machine.mu.Lock()
	defer l.machine.mu.Unlock()
	return l.machine.server != nil && l.machine.server.EndsWithin(patience)
}

func (l *launcher) Level() referee.Level { return l.level }

// CloseIdle closes what is kept for the next programs. It need not be called: what is
// not used for a while is closed anyhow.
func (l *launcher) CloseIdle() { l.cells.CloseAll() }

func (l *launcher) Start(c Command) (Process, error) {
	w, err := l.forkServer()
	if err != nil {
		return nil, err
	}
	s := l.newStart(w, c)
	p, err := s.process()
	launch.CloseAll(s.sent)
	if s.script != nil {
		w.Release(s.script)
	}
	if err != nil {
		s.release()
		if l.scope != nil { // the fork server may have ended meanwhile
			if _, ended := l.forkServer(); ended != nil {
				return nil, ended
			}
		}
		return nil, err
	}
	return p, nil
}

// process starts the program.
func (s *start) process() (Process, error) {
	if err := s.write(); err != nil {
		return nil, err
	}
	p := s.newProcess()
	it, err := s.forkServer.Launch(s.script, s.cell, s.report, s.uid)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", s.command.Path, asRefusal(err))
	}
	for i, fd := range it.Files {
		s.outputs[i].copied = fd
	}
	p.program, p.supervisor = it.Program, it.Supervisor
	p.tree = watch.Tree{Root: it.Supervisor.PID, Program: it.Program.PID}
	if s.cell != nil {
		p.tree.Before = s.cell.Spent
	}
	p.memory = watch.NewMemory(&p.tree, s.command.Limits.Memory, s.launcher.isBoxed())
	s.group.CloseJoins()
	p.free = s.free
	return p, nil
}

// asRefusal marks the error of the step that executes the program.
func asRefusal(err error) error {
	if step, ok := errors.AsType[*launch.StepError](err); ok && strings.HasPrefix(step.Step, executeStep) {
		return markRefusal(err)
	}
	return err
}

// write prepares what the program needs, and writes the launch script.
func (s *start) write() error {
	err := s.prepare()
	if err != nil {
		return err
	}
	if s.script, s.report, err = s.forkServer.NewScript(s.cell); err != nil {
		return err
	}
	if s.cell == nil {
		s.free = append(s.free, func() { unix.Close(s.report) })
	}
	switch s.level {
	case referee.LevelNone:
		err = s.none()
	case referee.LevelBasic:
		err = s.basic()
	case referee.LevelBox, referee.LevelStrict:
		err = s.box()
	}
	if err != nil {
		return fmt.Errorf("prepare level %s: %w", s.level, err)
	}
	up := s.started()
	s.settle(up)
	up.Announce(s.sends...)
	return nil
}

// prepare makes the command whole.
func (s *start) prepare() error {
	c := &s.command
	if c.Dir == "" {
		dir, err := os.Getwd()
		if err != nil {
			return fmt.Errorf("find working directory: %w", err)
		}
		c.Dir = dir
	}
	if !filepath.IsAbs(c.Path) {
		c.Path = filepath.Join(c.Dir, c.Path)
	}
	if s.level == referee.LevelNone {
		return s.chooseCell()
	}
	if copied := c.Copies[c.Path]; copied != "" && s.level == referee.LevelBasic {
		c.Read = slices.DeleteFunc(slices.Clone(c.Read), func(path string) bool { return path == c.Path })
		c.Path = copied
	}
	c.Limits = c.Limits.withDefaults()
	c.Limits.Processes = min(c.Limits.Processes, s.machine.processShare())
	if groups := s.launcher.groups; groups != nil {
		group, err := groups.Make(c.Limits.Processes, c.Limits.Memory)
		if err != nil {
			return err
		}
		s.group = group
		s.free = append(s.free, func() { groups.Remove(group) })
	}
	if s.launcher.isBoxed() {
		var err error
		if s.given, err = s.machine.given(s.command); err != nil {
			return err
		}
		if err := s.chooseCell(); err != nil || s.cell != nil {
			return err
		}
	}
	uid, err := s.launcher.acquireUser()
	if err != nil {
		return err
	}
	if s.uid = uid; uid > 0 {
		s.free = append(s.free, func() { s.machine.users.release(uid) })
	}
	if s.level == referee.LevelBasic {
		return s.chooseCell()
	}
	return nil
}

// settle adds the steps of the supervisor once the program runs: whatever makes it
// busy takes the program's own CPUs, and no signals queue up at it. The next program
// of a cell sets its own limit of them; at none it has its supervisor's.
func (s *start) settle(up setup) {
	up.inherit()
	if s.level == referee.LevelNone {
		return
	}
	up.Do("limit signals", unix.SYS_PRLIMIT64, num(0), num(unix.RLIMIT_SIGPENDING),
		launch.Structure(up.Script, unix.Rlimit{Max: s.machine.privileges.hardLimits[unix.RLIMIT_SIGPENDING]}), num(0))
}
