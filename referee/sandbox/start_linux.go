package sandbox

import (
	"errors"
	"slices"

	"golang.org/x/sys/unix"

	"umpire/referee"
	"umpire/referee/sandbox/cgroup"
	"umpire/referee/sandbox/launch"
	"umpire/referee/sandbox/seccomp"
)

// This file holds what a start is made from. The levels write its launch script, and the
// launcher, above them, leads it.

// launcher starts programs at a level.
type launcher struct {
	level   referee.Level
	machine *machine
	idmaps  idmaps
	groups  *cgroup.Groups // at strict
	scope   *userScope     // at strict; it may not be needed
	cells   launch.Cells

	scratches scratches   // at basic
	threads   threadCount // at basic
	rulesets  rulesets    // at basic
}

// start is the making of one start.
type start struct {
	launcher   *launcher
	machine    *machine
	level      referee.Level
	forkServer *launch.Server
	script     *launch.Script
	command    Command
	report     int           // umpire's end of the socket that the supervisor reports on
	cell       *launch.Cell  // if the command can have one
	given      []systemPath  // from box on, what it may read beyond the system
	uid        int           // of the contestant's own; 0: umpire's
	group      *cgroup.Group // at strict
	outputs    []*output     // from box on
	sends      []launch.Arg  // descriptors of the supervisor that umpire is to get
	folders    []string      // on the machine's file systems that the program may write in
	sent       []int         // descriptors to be closed once the launch script has been sent
	free       []func()
}

func (l *launcher) newStart(w *launch.Server, c Command) *start {
	return &start{launcher: l, machine: l.machine, level: l.level, forkServer: w, command: c}
}

func (s *start) release() { runAll(s.free) }

// isBoxed reports whether programs have namespaces.
func (l *launcher) isBoxed() bool {
	return l.level == referee.LevelBox || l.level == referee.LevelStrict
}

// acquireUser returns a user of its own for a contestant, 0 if umpire has none to give.
func (l *launcher) acquireUser() (int, error) {
	if l.level == referee.LevelNone || !l.machine.privileges.ownUIDs {
		return 0, nil
	}
	uid, ok := l.machine.users.acquire()
	if !ok {
		l.cells.CloseAll() // idle ones have some
		if uid, ok = l.machine.users.acquire(); !ok {
			return 0, errors.New("too many contestants at the same time")
		}
	}
	return uid, nil
}

func (s *start) supervisor() setup { return setup{s.script.Supervisor(), s.machine} }
func (s *start) started() setup    { return setup{s.script.Started(), s.machine} }
func (s *start) joining() setup    { return setup{s.script.Joining(), s.machine} }

// contestant is the program's setup, which begins in the same way at all levels.
func (s *start) contestant() setup {
	it := setup{s.script.Program(), s.machine}
	it.attach(s.command)
	it.inherit()
	it.offerToOOM()
	it.Do("change directory", unix.SYS_CHDIR, it.Str(s.command.Dir))
	return it
}

// insideUID is the user the contestant sees itself as.
func (s *start) insideUID() int {
	if s.script.Flags&unix.CLONE_NEWUSER != 0 {
		return launch.ContestantUID
	}
	return s.uid
}

// filter is the program's filter of system calls.
func (s *start) filter() []unix.SockFilter {
	return s.machine.filters.For(seccomp.Key{
		SharedNamespaces: s.level == referee.LevelBasic, Writes: len(s.command.Write) > 0,
		OwnUser: s.uid == 0, BoundsShared: s.group == nil, Landlock: s.machine.landlock,
	})
}

// runAll runs functions in reverse order: what was acquired last is released first.
func runAll(list []func()) {
	for _, f := range slices.Backward(list) {
		f()
	}
}
