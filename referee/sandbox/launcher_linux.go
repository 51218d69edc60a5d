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
	cells  cells

	scratches scratches   // at basic
	threads   threadCount // at basic
	rulesets  rulesets    // at basic
}

func (l *launcher) Level() referee.Level { return l.level }

// CloseIdle closes what is kept for the next programs. It need not be called: what is
// not used for a while is closed anyhow.
func (l *launcher) CloseIdle() { l.cells.closeAll() }

// launch is the making of one start.
type launch struct {
	*launcher
	*launchScript
	forkServer *forkServer
	command    Command
	report     int           // umpire's end
	cell       *cell         // if the command can have one
	given      []systemPath  // from box on, what it may read beyond the system
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
	s := &launch{launcher: l, forkServer: w, command: c}
	p, err := s.start()
	closeAll(s.sent)
	if s.cell != nil { // else its list of files says later whether the report's other end is to be closed
		s.recycle()
	}
	if err != nil {
		s.release()
		return nil, err
	}
	return p, nil
}

func (s *launch) release() {
	runAll(s.free)
}

// write prepares what the program needs, and writes the launch script.
func (s *launch) write() error {
	if err := s.prepare(); err != nil {
		return err
	}
	if err := s.openReport(); err != nil {
		return err
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
		return fmt.Errorf("prepare level %s: %w", s.level, err)
	}
	s.announceStart()
	return nil
}

// openReport finds the socket that the supervisor reports on.
func (s *launch) openReport() error {
	if s.cell != nil {
		s.report, s.launchScript = s.cell.report, newLaunchScript(-1)
		s.names[whereCell] = s.cell.names
		return nil
	}
	ours, theirs, err := newReport()
	if err != nil {
		return err
	}
	s.report, s.launchScript = ours, newLaunchScript(theirs)
	s.free = append(s.free, func() {
		unix.Close(ours)
		if s.files[0] >= 0 {
			unix.Close(theirs)
		}
	})
	return nil
}

// run hands the launch script over, and waits until the program has been executed.
func (s *launch) run() (program, supervisor processHandle, others []int, err error) {
	if s.cell != nil {
		err = s.cell.send(s.launchScript)
	} else {
		err = s.forkServer.launch(s.launchScript, s.report, s.uid)
	}
	if err != nil {
		return processHandle{-1, -1}, processHandle{-1, -1}, nil, err
	}
	return s.awaitStart(s.report)
}

func (s *launch) start() (Process, error) {
	if err := s.write(); err != nil {
		return nil, err
	}
	p := &supervised{report: s.report, cell: s.cell, group: s.group, oomKills: oomKills()}
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
	var err error
	p.program, p.supervisor, copies, err = s.run()
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
	if s.cell != nil {
		p.tree.before = s.cell.spent
	}
	p.memory = s.memoryWatch(&p.tree)
	s.group.CloseJoins()
	p.free = s.free
	return p, nil
}

// memoryWatch returns the watch over the memory of a program that has been started.
func (s *launch) memoryWatch(t *tree) memoryWatch {
	w := memoryWatch{tree: t, limit: s.command.Limits.Memory}
	if s.isBoxed() {
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
		return s.takeCell()
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
	if s.isBoxed() {
		var err error
		if s.given, err = s.command.given(); err != nil {
			return err
		}
		if err := s.takeCell(); err != nil || s.cell != nil {
			return err
		}
	}
	uid, err := s.takeUser()
	if err != nil {
		return err
	}
	if s.uid = uid; uid > 0 {
		s.free = append(s.free, func() { users.give(uid) })
	}
	if s.level == referee.LevelBasic {
		return s.takeCell()
	}
	return nil
}

// isBoxed reports whether programs have namespaces.
func (l *launcher) isBoxed() bool {
	return l.level == referee.LevelBox || l.level == referee.LevelStrict
}

// takeUser returns a user of its own for a contestant, 0 if umpire has none to give.
func (l *launcher) takeUser() (int, error) {
	if l.level == referee.LevelNone || !ownUIDs() {
		return 0, nil
	}
	uid, ok := users.take()
	if !ok {
		l.cells.closeAll() // idle ones have some
		if uid, ok = users.take(); !ok {
			return 0, errors.New("too many contestants at once")
		}
	}
	return uid, nil
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
	s.settle(up)
	s.announce(up, append([]arg{{botWord, result}}, s.sends...)...)
}
