package external

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/contestant"
	"umpire/referee/program"
	"umpire/referee/record"
	"umpire/referee/sandbox"
	"umpire/referee/talk"
)

// Judge is a folder's judge, ready to be started any number of times.
type Judge struct {
	Folder   *Folder
	Bot      program.Bot
	Launcher sandbox.Launcher
}

// Resolve makes the judge's program: see program.Resolver.Judge.
func (f *Folder) Resolve(ctx context.Context, r program.Resolver) (program.Bot, error) {
	return r.Judge(ctx, f.Dir, "judge", f.Judge, f.decides)
}

// ResolveGenerator makes the program that draws cases.
func (f *Folder) ResolveGenerator(ctx context.Context, r program.Resolver) (program.Bot, error) {
	return r.Judge(ctx, f.Dir, "generate", f.Generate, f.decides)
}

// Judges leads the matches of one job, of which one goes on at a time.
func (j Judge) Judges() arena.Judges { return &judgesOfJob{Judge: j} }

type judgesOfJob struct {
	Judge
	kept *process // nil unless it may lead another match
}

// mostMatches is how many matches a process leads at most.
const mostMatches = 1000

// Match implements arena.Judges.
func (j *judgesOfJob) Match(f arena.Fixture, c protocols.Case) (m protocols.Match, end func()) {
	p := j.kept
	if j.kept = nil; p != nil && !slices.Equal(p.want, f.Want) {
		p.kill()
		p = nil
	}
	if p == nil {
		p = &process{judge: j.Judge, want: f.Want}
	}
	p.again = p.c != nil
	match := talk.NewMatch(j.Folder.Facts, len(f.Seats), p)
	match.Begin, match.Blame = c.(talk.Case).Lines(len(f.Seats), f.MatchSeed()), f.Blame
	match.Drop = func(verb string) bool { return !slices.Contains(f.Want, verb) }
	return match, func() {
		if p.matches++; j.Folder.ManyMatches && match.Ended() && p.matches < mostMatches && !p.c.Wrote() {
			j.kept = p
			return
		}
		p.kill()
	}
}

// Close implements arena.Judges.
func (j *judgesOfJob) Close() {
	if j.kept != nil {
		j.kept.kill()
		j.kept = nil
	}
}

// drawTime is how long a generator of cases may take for one.
const drawTime = 10 * time.Second

// DrawWith runs the folder's generator, which bot is, and returns the text of a case.
func (f *Folder) DrawWith(ctx context.Context, launcher sandbox.Launcher, bot program.Bot, group string, seed uint64) (string, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	p := &process{judge: Judge{Folder: f, Bot: bot, Launcher: launcher}}
	if err := p.start(group, strconv.FormatUint(seed, 10)); err != nil {
		return "", err
	}
	p.c.CloseInput()
	reply, err := p.c.Receive(ctx, referee.Ask{Limit: drawTime, Wall: -1, UntilEOF: true, Alone: true})
	usage := p.c.Stop()
	if failure, ok := errors.AsType[*protocols.Failure](err); ok {
		err = fmt.Errorf("generate: `%s %s %d`: %s", f.Generate, group, seed, failure.Detail)
		if last := bot.Names.LastLine(usage.Stderr); last != "" {
			err = fmt.Errorf("%w; its standard error ends: %s", err, last)
		}
	}
	return reply.Text, err
}

// Again has a fresh judge hear what it heard in a recorded match. The error says where it
// says something else.
func (j Judge) Again(ctx context.Context, r record.Record) error {
	setup, events, err := r.Setup(nil)
	if err != nil {
		return err
	}
	before, err := r.Said()
	if err != nil {
		return err
	}
	seed, err := strconv.ParseUint(cmp.Or(r.Seed, "0"), 10, 64)
	if err != nil {
		return fmt.Errorf("seed: found %q, expected a number", r.Seed)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	p := &process{judge: j}
	defer p.kill()
	match := talk.NewMatch(j.Folder.Facts, setup.Seats, bounded{p, ctx})
	match.Begin, match.Blame = talk.NewCase(j.Folder.Facts, r.Case.Text, protocols.Limits{}).Lines(setup.Seats, seed), true
	match.Drop = func(string) bool { return true }
	setup.Case = talk.Begun{Case: setup.Case, Match: match}
	if _, err := setup.Replay(events, referee.Watcher{}); err != nil {
		return fmt.Errorf("judged again: %w", err)
	}
	return talk.Compare(match.Talk(), before)
}

// bounded is a judge whose waiting ends with a context.
type bounded struct {
	*process
	ctx context.Context
}

func (b bounded) Hear(_ context.Context, lines string, say func(string) bool) error {
	return b.process.Hear(b.ctx, lines, say)
}

// process is a judge that runs, or will when it is first told something.
type process struct {
	judge   Judge
	want    []string // see arena.Fixture
	c       *contestant.Contestant
	matches int
	again   bool // it has led a match, and is told of the next one now
}

// Hear implements talk.Judge. A process that has ended since its last match, or says anything
// that belongs to none, does not hear of the next one.
func (p *process) Hear(ctx context.Context, lines string, say func(string) bool) error {
	again, said := p.again, false
	if p.again = false; again && !p.c.IsQuiet() {
		p.kill()
		again = false
	}
	if p.c == nil {
		if err := p.start(); err != nil {
			return err
		}
	}
	p.c.Send(lines)
	_, err := p.c.Receive(ctx, referee.Ask{
		Told: true, Limit: cmp.Or(p.judge.Folder.JudgeTime, -1), Wall: -1, Alone: true,
		Last: func(line []byte) bool { said = true; return say(string(line)) },
	})
	if err == nil {
		return nil
	}
	if void, ok := errors.AsType[*referee.VoidError](err); ok && void.Failure != nil {
		void.Err = fmt.Errorf("the judge: %s", void.Failure.Detail)
	}
	failure, ok := errors.AsType[*protocols.Failure](err)
	if !ok {
		return err
	}
	usage := p.c.Stop()
	p.c, p.matches = nil, 0
	if again && !said && (failure.Kind == protocols.KindCrash || failure.Kind == protocols.KindMemory) {
		return p.Hear(ctx, lines, say) // it was on its way out
	}
	return p.explain(failure, usage)
}

// explain says how the judge failed.
func (p *process) explain(failure *protocols.Failure, u referee.Usage) error {
	what := failure.Detail
	switch failure.Kind {
	case protocols.KindTime:
		what = fmt.Sprintf("it said no whole step within %g s", p.judge.Folder.JudgeTime.Seconds())
	case protocols.KindIdle:
		what, _, _ = strings.Cut("it "+what, ": it is seat ") // which a judge has not
	case protocols.KindCrash:
		what = "it left without `end`: " + what
	default:
		what = "it " + strings.Replace(what, "without an answer", "without a line end", 1)
	}
	if last := p.judge.Bot.Names.LastLine(u.Stderr); last != "" {
		what += "; its standard error ends: " + last
	}
	return errors.New(what)
}

// start starts the judge. The caller stays locked to its thread until it is killed.
func (p *process) start(args ...string) (err error) {
	j := p.judge
	command := j.Bot.Command(j.Launcher.Level(), sandbox.Limits{Memory: j.Folder.JudgeMemory}, nil)
	command.Args = append(slices.Clone(command.Args), args...)
	command.Env = program.JudgeEnvironment(command.Env, "UMPIRE_WANT="+strings.Join(p.want, " "))
	if p.c, err = contestant.Start(j.Launcher, command, 0); err != nil {
		return fmt.Errorf("start %s: %w", j.Bot.Name, j.Bot.DescribeStartError(err))
	}
	return nil
}

func (p *process) kill() {
	if p.c != nil {
		p.c.Kill()
		p.c = nil
	}
}
