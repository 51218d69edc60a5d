// Package judging judges submissions to problem packages: it stands between a submission and
// the package's judge, and has either of them run again by what was recorded of the other. It
// knows no formats of packages, and no commands.
package judging

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/contestant"
	"umpire/referee/external/problem"
	"umpire/referee/interaction"
	"umpire/referee/program"
	"umpire/referee/sandbox"
)

// Relay is the Conductor of the matches of a problem package: it stands between a
// submission and the package's judge, or has the judge look at the output.
type Relay struct {
	Problem  *problem.Problem
	Case     problem.Case
	Judge    program.Bot // not set where the problem has none
	Checker  program.Bot // likewise
	Launcher sandbox.Launcher
	Stalls   referee.Stalls // of umpire; nil: unknown
	// Answer, if not "", is the file to which the output of a submission to a batch problem is
	// written, in place of being judged.
	Answer string
	// Again seats the submission again, for a further pass.
	Again func(context.Context) (referee.Contestant, error)

	channels channels
}

// Conduct implements referee.Conductor. The caller stays locked to its thread.
func (r *Relay) Conduct(ctx context.Context, seats []referee.Contestant, limits protocols.Limits, _ referee.Watcher) (referee.Result, error) {
	m := newRelayed(*r, limits)
	err := m.play(ctx, seats)
	m.seen.finish()
	result := referee.Result{Exchanges: m.seen.list, Seats: make([]referee.Seat, 1)}
	ruling := interaction.Ruling{}
	if err == nil {
		ruling, err = interaction.Judge(r.Problem.Format, 0, m.seen.list)
	}
	if wrong, ok := errors.AsType[*interaction.JudgeError](err); ok {
		err = fmt.Errorf("judge: %w", wrong)
	}
	if err == nil {
		result.Seats[0] = ruling.Result()
	}
	s := &result.Seats[0]
	s.Usage, s.CPU, s.Wall, s.Charged = m.usage, m.usage.CPU, m.wall, m.usage.CPU
	return result, err
}

// Equip implements arena.Equipper: the submission's folder has its own files and those of
// the case. Each of its processes has FIFOs of its own.
func (r *Relay) Equip(own string) (list []referee.Given, end func(), err error) {
	p := r.Problem
	if p.Processes > 0 {
		if r.channels, err = openChannels(p.Processes, p.ByFIFOs); err != nil {
			return nil, nil, err
		}
	}
	for i := range max(1, p.Processes) {
		given := r.channels.giveBot(i, p.Processes)
		given.Args = append(given.Args, r.Case.Given...)
		list = append(list, given)
	}
	if r.Case.Files == "" {
		return list, r.channels.close, nil
	}
	folder, err := workingFolder(own, r.Case.Files, p.Ignores)
	if err != nil {
		r.channels.close()
		return nil, nil, err
	}
	for i := range list {
		list[i].Folder = folder
	}
	return list, func() { os.RemoveAll(folder); r.channels.close() }, nil
}

// relayed is a match that goes on.
type relayed struct {
	relay  Relay
	judge  judge
	limits protocols.Limits
	seen   transcript
	usage  referee.Usage // of the submission, in all passes
	wall   time.Duration
}

func newRelayed(r Relay, limits protocols.Limits) *relayed {
	return &relayed{relay: r, limits: limits, seen: transcript{begun: time.Now()}, judge: judge{relay: r, input: r.Case.Input}}
}

// nextPass is the file by which a judge asks for a further pass.
const nextPass = "nextpass.in"

func (m *relayed) play(ctx context.Context, seats []referee.Contestant) (err error) {
	if m.judge.folder, err = newMatchFolder(); err != nil {
		stopAll(m, seats)
		return err
	}
	defer m.judge.folder.remove()
	for pass := 1; ; pass++ {
		accepted, err := m.pass(ctx, seats)
		if err != nil || !accepted {
			return err
		}
		if more, err := m.next(pass); err != nil || !more {
			return err
		}
		seat, err := m.relay.Again(ctx)
		if err != nil {
			return err
		}
		seats = []referee.Contestant{seat}
		m.seen.add(referee.Exchange{Pass: pass + 1})
	}
}

// next reports whether the judge asks for a further pass after one, and has that read
// what it has written for it.
func (m *relayed) next(pass int) (more bool, err error) {
	file := m.judge.folder.written(nextPass)
	info, err := os.Lstat(file)
	switch {
	case err != nil || m.relay.Problem.Passes < 2:
		return false, nil
	case !info.Mode().IsRegular():
		return false, &interaction.JudgeError{Why: "its " + nextPass + " is not a file"}
	case pass == m.relay.Problem.Passes:
		return false, &interaction.JudgeError{Why: fmt.Sprintf("it asks for pass %d, and validation_passes allows %d", pass+1, pass)}
	}
	m.judge.input = m.judge.folder.file(fmt.Sprintf("pass-%d.in", pass+1))
	return true, os.Rename(file, m.judge.input)
}

// pass runs the submission once, and has its judge judge it. Seats, one for each of its
// processes, are stopped.
func (m *relayed) pass(ctx context.Context, seats []referee.Contestant) (accepted bool, err error) {
	bots, why, err := programs(ctx, seats)
	if len(bots) == 0 {
		if stopAll(m, seats); why != nil {
			m.seen.add(referee.Exchange{Seat: 1, Fail: why})
		}
		return false, err
	}
	if m.relay.Problem.Interactive {
		return m.interact(ctx, bots)
	}
	return m.batch(ctx, bots)
}

// programs are the processes that have taken seats. There are none if the submission could
// not be started, or comes from outside.
func programs(ctx context.Context, seats []referee.Contestant) (bots []*contestant.Contestant, why *protocols.Failure, err error) {
	for _, seat := range seats {
		bot, ok := seat.(*contestant.Contestant)
		if !ok {
			_, err := seat.Receive(ctx, referee.Ask{Limit: -1, Wall: -1})
			if why, failed := errors.AsType[*protocols.Failure](err); failed {
				return nil, why, nil
			}
			return nil, nil, errors.Join(err, errors.New("a problem of a package is for programs of this machine"))
		}
		bots = append(bots, bot)
	}
	return bots, nil, nil
}

// interact has judge and submission talk.
func (m *relayed) interact(ctx context.Context, bots []*contestant.Contestant) (bool, error) {
	relay := m.carrier()
	relay.Bots = bots
	err := m.listen(ctx, relay)
	m.wall += relay.Wall()
	stopAll(m, bots)
	accepted, err := m.accepted(err)
	if !accepted || err != nil || m.relay.Problem.Checker == "" {
		return accepted, err
	}
	return m.accepted(m.check(ctx))
}

// listen has an interactive judge hear what a relay carries to it.
func (m *relayed) listen(ctx context.Context, relay *contestant.Relay) (err error) {
	if m.relay.Problem.Processes > 0 {
		if relay.Input, err = m.judge.giveInput(); err != nil {
			return err
		}
		relay.ToJudge, relay.ToBots = m.relay.channels.toJudge, m.relay.channels.toBots
	}
	if relay.Judge, err = m.judge.start(m.relay.Judge, m.judge.folder.written(forChecker)); err != nil {
		return err
	}
	defer relay.Judge.Stop()
	return relay.Run(ctx)
}

// batch gives the submission the input, and its judge the output.
func (m *relayed) batch(ctx context.Context, bots []*contestant.Contestant) (bool, error) {
	input, err := os.ReadFile(m.judge.input)
	if err != nil {
		stopAll(m, bots)
		return false, err
	}
	var output []byte
	ended := false
	relay := m.carrier()
	relay.Bots, relay.Input = bots, input
	relay.See = func(e referee.Exchange) {
		output = append(output, e.Text...)
		if hasEnded(e) {
			ended = !hasFailed(e)
		}
		m.seen.add(e)
	}
	err = relay.Run(ctx)
	m.wall += relay.Wall()
	stopAll(m, bots)
	if err != nil || !ended {
		return false, err
	}
	switch {
	case m.relay.Answer != "":
		return m.answer(output)
	case !m.relay.Problem.HasJudge():
		return m.compare(output)
	}
	return m.accepted(m.look(ctx, m.relay.Judge, output))
}

// look has a judge look at output, which it reads from {out} or its standard input.
func (m *relayed) look(ctx context.Context, bot program.Bot, output []byte) error {
	file := m.judge.folder.file("output")
	if m.relay.Problem.GivesOutput() {
		if err := os.WriteFile(file, output, 0o644); err != nil {
			return err
		}
		output = nil
	}
	process, err := m.judge.start(bot, file)
	if err != nil {
		return err
	}
	defer process.Stop()
	relay := m.carrier()
	relay.Judge, relay.Input = process, output
	return relay.Run(ctx)
}

// check has the checker of an interactive problem look at what the judge has written.
func (m *relayed) check(ctx context.Context) error {
	output, err := m.judge.output()
	if err != nil {
		return err
	}
	m.judge.checks = true
	return m.look(ctx, m.relay.Checker, output)
}

// carrier returns what carries the bytes of a run.
func (m *relayed) carrier() *contestant.Relay {
	m.judge.printed, m.judge.score = nil, nil
	return &contestant.Relay{
		Limit: m.limits.Time, Output: m.relay.Problem.Output, JudgeLimit: m.relay.Problem.JudgeTime,
		JudgeOutput: m.relay.Problem.JudgeOutput, Stalls: m.relay.Stalls,
		Said:    m.judge.printed.add,
		Rejects: func(exit int) bool { return m.relay.Problem.Format.Answer(exit, m.judge.score) != interaction.Accept },
		See: func(e referee.Exchange) {
			if e.Ended && e.Seat == 0 {
				m.judge.ended(&e)
			}
			m.seen.add(e)
		},
	}
}

// accepted reports whether the run has been accepted so far.
func (m *relayed) accepted(err error) (bool, error) {
	prints := m.relay.Problem.Format.PrintsScore() // which it need not where the submission has failed
	if err != nil || m.judge.scoreErr != nil && !prints {
		return false, cmp.Or(err, m.judge.scoreErr)
	}
	ruling, err := interaction.Judge(m.relay.Problem.Format, 0, m.seen.list)
	if err != nil && prints {
		err = cmp.Or(m.judge.scoreErr, err)
	}
	if err == nil {
		err = m.checkRejection(ruling.Verdict)
	}
	return ruling.Verdict == referee.OK, err
}

// checkRejection returns an error if the judge rejects, and asks for a further pass.
func (m *relayed) checkRejection(v referee.Verdict) error {
	if v == referee.Wrong && m.relay.Problem.Passes > 1 && m.judge.folder.wrote(nextPass) {
		return &interaction.JudgeError{Why: "it rejects, and asks for a further pass"}
	}
	return nil
}

// compare compares output with the answer.
func (m *relayed) compare(output []byte) (bool, error) {
	answer, err := os.ReadFile(m.relay.Case.Answer)
	if err != nil {
		return false, err
	}
	e := referee.Exchange{Ended: true, Exit: 42}
	rules, err := m.relay.Problem.Comparison(m.relay.Case.Args)
	if err != nil {
		return false, err
	}
	if e.Detail = rules.Differ(string(output), string(answer)); e.Detail != "" {
		e.Exit = 43
	}
	if e.Score, err = m.judge.readScore(e.Exit); err != nil {
		return false, err
	}
	m.seen.add(e)
	return e.Exit == 42, nil
}

// stopAll stops processes of the submission.
func stopAll[C referee.Contestant](m *relayed, seats []C) {
	for _, seat := range seats {
		addUsage(&m.usage, seat.Stop())
	}
}

// addUsage adds what a process of a submission has used to what the others have.
func addUsage(all *referee.Usage, u referee.Usage) {
	u.CPU += all.CPU
	u.Memory = max(u.Memory, all.Memory)
	if len(u.Stderr) == 0 {
		u.Stderr = all.Stderr
	}
	*all = u
}

// answer keeps the output of a submission as the answer to its input, in place of judging it.
func (m *relayed) answer(output []byte) (bool, error) {
	if int64(len(output)) > m.relay.Problem.Output {
		return false, errors.New("the answer is too long")
	}
	accept := 0
	if m.relay.Problem.Format.Answer(accept, nil) != interaction.Accept {
		accept = 42
	}
	m.seen.add(referee.Exchange{Ended: true, Exit: accept})
	return true, os.WriteFile(m.relay.Answer, output, 0o644)
}
