package arena

import (
	"context"
	"runtime"
	"slices"
	"strconv"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/contestant"
	"umpire/referee/program"
	"umpire/referee/sandbox"
)

// Program is a Player that runs a program on this machine.
type Program struct {
	program.Bot
	Launcher sandbox.Launcher
	// Stderr, if not nil, keeps standard error of which a record holds only a
	// part.
	Stderr *contestant.StderrFolder
}

// Identity implements referee.Player.
func (p Program) Identity() referee.Identity {
	return referee.Identity{Name: p.Name, Label: p.Entrant.Label, Digest: p.Digest}
}

// Sit implements referee.Player: it starts the program. The error is umpire's;
// a program that exits immediately is not an error but a contestant that fails
// when it is asked. The caller stays locked to its thread until the contestant
// has stopped (sandbox.Launcher).
func (p Program) Sit(ctx context.Context, s referee.Seating) (referee.Contestant, error) {
	switch {
	case p.Broken != "":
		return broken{protocols.Failure{Kind: protocols.KindCompile, Detail: p.Broken}}, nil
	case p.Random:
		return newRandom(s), nil
	}
	c, err := p.start(ctx, s)
	if err != nil {
		return nil, err
	}
	if p.Stderr != nil && s.Record != "" {
		c.KeepStderr(p.Stderr, s.Record)
	}
	return c, nil
}

// broken is the contestant of a program that could not be compiled or started.
type broken struct{ why protocols.Failure }

func (broken) Send(string) {}
func (broken) CloseInput() {}

func (b broken) Receive(context.Context, referee.Ask) (referee.Reply, error) {
	return referee.Reply{}, &b.why
}

// Stop returns the failure also where no reply was asked for.
func (b broken) Stop() referee.Usage { return referee.Usage{Failure: &b.why} }

// CheckStart starts the program as in a match, and kills it immediately. The
// error says why it can't be started.
func (p Program) CheckStart(ctx context.Context, s referee.Seating) error {
	if p.Random {
		return nil
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c, err := p.start(ctx, s)
	if err == nil {
		c.Kill()
	}
	return err
}

func (p Program) start(ctx context.Context, s referee.Seating) (*contestant.Contestant, error) {
	// Otherwise the interpreter would fail, or a different program would play.
	if err := p.Check(ctx); err != nil {
		return nil, err
	}
	command := p.Command(p.Launcher.Level(), sandboxLimits(s), environment(s))
	if command.Args = append(slices.Clone(command.Args), s.Given.Args...); s.Given.Folder != "" {
		command.Dir, command.Read = s.Given.Folder, append(slices.Clone(command.Read), s.Given.Folder)
	}
	command.Read = append(slices.Clone(command.Read), s.Given.Pipes...)
	c, err := contestant.Start(p.Launcher, command, s.Seat)
	if err != nil {
		return nil, p.DescribeStartError(err)
	}
	c.ShowPaths(p.Names)
	return c, nil
}

// environment returns the variables that tell a contestant its game, seat and
// time budget for the whole match.
func environment(s referee.Seating) []string {
	ms := ""
	if s.Limits.Time > 0 {
		ms = strconv.FormatInt(s.Limits.Time.Milliseconds(), 10)
	}
	return []string{
		"UMPIRE_GAME=" + s.Game, "UMPIRE_SEAT=" + strconv.Itoa(s.Seat),
		"UMPIRE_SEATS=" + strconv.Itoa(s.Seats), "UMPIRE_TIME_MS=" + ms,
	}
}

// sandboxLimits returns how much of the machine a contestant may use. This is
// the only place where the limits of a match become those of a sandbox; the
// sandbox fills in its defaults for what the match does not limit.
func sandboxLimits(s referee.Seating) sandbox.Limits {
	return sandbox.Limits{Memory: s.Limits.Memory, CPU: cpuBackstop(s)}
}

// cpuBackstop is more CPU time than any process of an honest contestant can use
// in the match, with a thread on every processor and the opponents' turns to
// think in; 0 if the match does not limit its time. The clocks end a contestant
// long before: the kernel's limit is for a process that no clock is charged for.
func cpuBackstop(s referee.Seating) time.Duration {
	if s.Limits.Time == 0 {
		return 0
	}
	turns := time.Duration(max(1, s.Seats)) * (10*(s.Limits.Time+s.Limits.Startup) + 10*time.Second)
	return turns * time.Duration(runtime.NumCPU())
}
