package sandbox

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"umpire/referee"
	"umpire/referee/sandbox/cgroup"
	"umpire/referee/sandbox/seccomp"
)

// launcher starts programs at a level.
type launcher struct {
	level  referee.Level
	idmaps idmaps
	groups *cgroup.Groups // at strict

	scratches scratches   // at basic
	threads   threadCount // at basic
	rulesets  rulesets    // at basic
}

func (l *launcher) Level() referee.Level { return l.level }

// launch is the making of one start.
type launch struct {
	*launcher
	*launchScript
	forkServer *forkServer
	command    Command
	uid        int           // of the contestant's own; 0: umpire's
	group      *cgroup.Group // at strict
	outputs    []*output     // from box on
	sends      []arg         // descriptors of the supervisor that umpire is to get
	folders    []string      // on the machine's file systems that the program may write in
	sent       []int         // descriptors to be closed once the launch script has been sent
	free       []func()
}

func (l *launcher) Start(c Command) (Process, error) {
	w, err := sharedForkServer()
	if err != nil {
		return nil, err
	}
	ours, theirs, err := newReport()
	if err != nil {
		return nil, err
	}
	s := &launch{launcher: l, launchScript: newLaunchScript(theirs), forkServer: w, command: c}
	p, err := s.start(ours)
	closeAll(s.sent)
	if s.files[0] >= 0 {
		unix.Close(theirs)
	}
	if err != nil {
		unix.Close(ours)
		s.release()
		return nil, err
	}
	return p, nil
}

func (s *launch) release() {
	runAll(s.free)
}

func (s *launch) start(report int) (Process, error) {
	if err := s.prepare(); err != nil {
		return nil, err
	}
	var err error
	switch s.level {
	case referee.LevelNone:
		err = s.none()
	case referee.LevelBasic:
		err = s.basic()
	case referee.LevelBox, referee.LevelStrict:
		err = s.box()
	default:
		err = errors.New("no such level")
	}
	if err != nil {
		return nil, fmt.Errorf("prepare level %s: %w", s.level, err)
	}
	s.announceStart()
	p := &supervised{report: report, group: s.group, oomKills: oomKills()}
	if limits := s.command.Limits; s.level != referee.LevelNone {
		if s.level == referee.LevelBasic {
			if s.uid == 0 {
				p.processes = limits.Processes
			}
			s.folders = append(s.folders, s.command.Write...)
		}
		p.folders = folders{paths: s.folders, bytes: limits.Disk, file: limits.FileSize}
		p.folders.visible = s.uid == 0 || hasCapability(unix.CAP_SYS_PTRACE)
	}
	var copies []int
	p.program, p.supervisor, copies, err = s.forkServer.launch(s.launchScript, report, s.uid)
	if lost := errors.Is(err, io.EOF); err != nil && !lost {
		return nil, fmt.Errorf("start %s: %w", s.command.Path, err)
	} else if lost { // as a program can at none, which runs before its supervisor says so; Wait tells
		copies = slices.Repeat([]int{-1}, len(s.outputs))
	}
	for i, o := range s.outputs {
		o.copied = copies[i]
	}
	p.outputs, p.disk = s.outputs, s.command.Limits.Disk
	p.tree = tree{root: p.supervisor.pid, program: p.program.pid}
	p.memory = s.memoryWatch(&p.tree)
	s.group.CloseJoins()
	p.free = s.free
	return p, nil
}

// memoryWatch returns the watch over the memory of a program that has been started.
func (s *launch) memoryWatch(t *tree) memoryWatch {
	w := memoryWatch{tree: t, limit: s.command.Limits.Memory}
	if s.level == referee.LevelBox || s.level == referee.LevelStrict {
		unopened := -1
		w.tmpfs = &unopened
	}
	return w
}

// prepare makes the command whole.
func (s *launch) prepare() error {
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
		return nil
	}
	c.Limits = c.Limits.withDefaults()
	c.Limits.Processes = min(c.Limits.Processes, processShare())
	if s.groups != nil {
		group, err := s.groups.Make(c.Limits.Processes, c.Limits.Memory)
		if err != nil {
			return err
		}
		s.group = group
		s.free = append(s.free, func() { s.groups.Remove(group) })
	}
	if !ownUIDs() {
		return nil
	}
	uid, ok := users.take()
	if !ok {
		return errors.New("too many contestants at once")
	}
	s.uid = uid
	s.free = append(s.free, func() { users.give(uid) })
	return nil
}

// filter is the program's filter of system calls.
func (s *launch) filter() []unix.SockFilter {
	return seccomp.Filter(seccomp.Key{
		SharedNamespaces: s.level == referee.LevelBasic, Writes: len(s.command.Write) > 0,
		OwnUser: s.uid == 0, Landlock: landlockABI(),
	})
}

// runAll runs functions in reverse order: what was taken last is given first.
func runAll(list []func()) {
	for _, f := range slices.Backward(list) {
		f()
	}
}

// announceStart lets the supervisor settle, and say that the program runs.
func (s *launch) announceStart() {
	up := s.afterwards()
	up.settle()
	s.announce(up, append([]arg{{botWord, result}}, s.sends...)...)
}
