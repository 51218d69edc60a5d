// Package judging judges submissions to problem packages: it stands between a submission and
// the package's judge, and has either of them run again by what was recorded of the other. It
// knows no formats of packages, and no commands.
package judging

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/contestant"
	"umpire/referee/external/problem"
	"umpire/referee/interaction"
	"umpire/referee/paths"
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
	m := &relayed{Relay: *r, limits: limits}
	m.seen.begun = time.Now()
	err := m.play(ctx, seats)
	m.seen.finish()
	result := referee.Result{Exchanges: m.seen.list, Seats: make([]referee.Seat, 1)}
	ruling := interaction.Ruling{}
	if err == nil {
		ruling, err = interaction.Judge(r.Problem.Format, 0, m.seen.list)
	}
	if judge, ok := errors.AsType[*interaction.JudgeError](err); ok {
		err = fmt.Errorf("judge: %w", judge)
	}
	if err == nil {
		result.Seats[0] = ruling.Result()
	}
	s := &result.Seats[0]
	s.Usage, s.CPU, s.Wall, s.Charged = m.usage, m.usage.CPU, m.wall, m.usage.CPU
	return result, err
}

// relayed is a match that goes on.
type relayed struct {
	Relay
	limits protocols.Limits
	seen   transcript
	usage  referee.Usage // of the submission, in all passes
	wall   time.Duration
	folder string                 // of this match, for what its judge writes
	input  string                 // file that the pass reads
	judge  *contestant.Contestant // that runs, or ran last
	names  paths.Names            // of the paths in its standard error
	// checks says that it is the checker of an interactive problem.
	checks  bool
	printed prefix // by a judge that prints a score
	// score is the judge's score, and scoreErr the fault of the one that it has written.
	score    *protocols.Score
	scoreErr error
}

// feedbackFolder is the name of the folder that a judge writes in.
const feedbackFolder = "feedback"

// nextPass is the file by which a judge asks for a further pass.
const nextPass = "nextpass.in"

func (m *relayed) play(ctx context.Context, seats []referee.Contestant) error {
	if err := m.open(); err != nil {
		stopAll(m, seats)
		return err
	}
	defer os.RemoveAll(m.folder)
	for pass := 1; ; pass++ {
		accepted, err := m.pass(ctx, seats)
		if err != nil || !accepted {
			return err
		}
		if more, err := m.next(pass); err != nil || !more {
			return err
		}
		seat, err := m.Again(ctx)
		if err != nil {
			return err
		}
		seats = []referee.Contestant{seat}
		m.seen.add(referee.Exchange{Pass: pass + 1})
	}
}

// open makes the folder of the match.
func (m *relayed) open() (err error) {
	m.input = m.Case.Input
	if m.folder, err = os.MkdirTemp("", "umpire-judge-"); err != nil {
		return err
	}
	feedback := filepath.Join(m.folder, feedbackFolder)
	err = os.Mkdir(feedback, 0o755)
	for dir, mode := range map[string]os.FileMode{m.folder: 0o755, feedback: 0o777} { // the judge may run as another user
		if err == nil {
			err = os.Chmod(dir, mode)
		}
	}
	if err != nil {
		os.RemoveAll(m.folder)
	}
	return err
}

// next reports whether the judge asks for a further pass after one, and has that read
// what it has written for it.
func (m *relayed) next(pass int) (more bool, err error) {
	file := filepath.Join(m.folder, feedbackFolder, nextPass)
	info, err := os.Lstat(file)
	switch {
	case err != nil || m.Problem.Passes < 2:
		return false, nil
	case !info.Mode().IsRegular():
		return false, &interaction.JudgeError{Why: "its " + nextPass + " is not a file"}
	case pass == m.Problem.Passes:
		return false, &interaction.JudgeError{Why: fmt.Sprintf("it asks for pass %d, and validation_passes allows %d", pass+1, pass)}
	}
	m.input = filepath.Join(m.folder, fmt.Sprintf("pass-%d.in", pass+1))
	return true, os.Rename(file, m.input)
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
	if m.Problem.Interactive {
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
	relay := m.relay()
	relay.Bots = bots
	began := time.Now()
	err := m.listen(ctx, relay)
	m.wall += time.Since(began)
	stopAll(m, bots)
	accepted, err := m.accepted(err)
	if !accepted || err != nil || m.Problem.Checker == "" {
		return accepted, err
	}
	return m.accepted(m.check(ctx))
}

// listen has an interactive judge hear what a relay carries to it.
func (m *relayed) listen(ctx context.Context, relay *contestant.Relay) (err error) {
	if m.Problem.Processes > 0 {
		if relay.Input, err = m.giveInput(); err != nil {
			return err
		}
		relay.ToJudge, relay.ToBots = m.channels.toJudge, m.channels.toBots
	}
	if relay.Judge, err = m.start(m.Judge, m.judgeOutput()); err != nil {
		return err
	}
	defer relay.Judge.Stop()
	return relay.Run(ctx)
}

// batch gives the submission the input, and its judge the output.
func (m *relayed) batch(ctx context.Context, bots []*contestant.Contestant) (bool, error) {
	input, err := os.ReadFile(m.input)
	if err != nil {
		stopAll(m, bots)
		return false, err
	}
	var output []byte
	ended := false
	relay := m.relay()
	relay.Bots, relay.Input = bots, input
	relay.See = func(e referee.Exchange) {
		output = append(output, e.Text...)
		ended = ended || e.Ended && e.Exit == 0 && e.Signal == ""
		if e.Fail != nil {
			ended = false
		}
		m.seen.add(e)
	}
	began := time.Now()
	err = relay.Run(ctx)
	m.wall += time.Since(began)
	stopAll(m, bots)
	if err != nil || !ended {
		return false, err
	}
	switch {
	case m.Answer != "":
		return m.answer(output)
	case !m.Problem.HasJudge():
		return m.compare(output)
	}
	return m.accepted(m.look(ctx, m.Judge, output))
}

// look has a judge look at output, which it reads from {out} or its standard input.
func (m *relayed) look(ctx context.Context, judge program.Bot, output []byte) error {
	file := filepath.Join(m.folder, "output")
	if m.Problem.GivesOutput() {
		if err := os.WriteFile(file, output, 0o644); err != nil {
			return err
		}
		output = nil
	}
	process, err := m.start(judge, file)
	if err != nil {
		return err
	}
	defer process.Stop()
	relay := m.relay()
	relay.Judge, relay.Input = process, output
	return relay.Run(ctx)
}

// check has the checker of an interactive problem look at what the judge has written.
func (m *relayed) check(ctx context.Context) error {
	output, err := m.judgeWrote()
	if err != nil {
		return err
	}
	m.checks = true
	return m.look(ctx, m.Checker, output)
}

// judgeOutput is the file that an interactive judge may write for the checker.
func (m *relayed) judgeOutput() string { return filepath.Join(m.folder, feedbackFolder, "output") }

// judgeWrote returns what is in that file; nothing if there is none.
func (m *relayed) judgeWrote() ([]byte, error) {
	text, err := m.feedback(filepath.Base(m.judgeOutput()), m.Problem.JudgeOutput)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		err = &interaction.JudgeError{Why: fmt.Sprintf("its output for the checker: %v", err)}
	}
	return text, err
}

// feedback reads a file of the folder that the judge writes in, without following links.
func (m *relayed) feedback(name string, most int64) ([]byte, error) {
	root, err := os.OpenRoot(filepath.Join(m.folder, feedbackFolder))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if info, err := root.Lstat(name); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, errors.New("is not a file")
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}

// relay returns what carries the bytes of a run.
func (m *relayed) relay() *contestant.Relay {
	m.printed, m.score = nil, nil
	return &contestant.Relay{
		Limit: m.limits.Time, Output: m.Problem.Output, JudgeLimit: m.Problem.JudgeTime, Stalls: m.Stalls,
		Said:    m.printed.add,
		Rejects: func(exit int) bool { return m.Problem.Format.Answer(exit, m.score) != interaction.Accept },
		See: func(e referee.Exchange) {
			if e.Ended && e.Seat == 0 {
				m.judged(&e)
			}
			m.seen.add(e)
		},
	}
}

// judged adds what a judge that has ended says, and the score that it gives.
func (m *relayed) judged(e *referee.Exchange) {
	e.Detail = m.message()
	answer := m.Problem.Format.Answer(e.Exit, nil)
	if e.Detail == "" && (e.Signal != "" || answer == interaction.None) { // why it has failed
		e.Detail = m.names.LastLine(m.judge.Stderr())
	}
	if e.Signal != "" {
		return
	}
	if m.Problem.Format.PrintsScore() {
		e.Score = m.printed.score()
		m.score = e.Score
		return
	}
	if answer == interaction.None {
		return
	}
	e.Score, m.scoreErr = m.readScore(e.Exit)
	if answer == interaction.Reject && m.Case.Worth != nil && m.wrote(scoreFile) {
		e.Detail = strings.TrimSpace(e.Detail + " (its " + scoreFile + " does not count, since it rejects)")
	}
}

// accepted reports whether the run has been accepted so far.
func (m *relayed) accepted(err error) (bool, error) {
	if err = cmp.Or(err, m.scoreErr); err != nil {
		return false, err
	}
	ruling, err := interaction.Judge(m.Problem.Format, 0, m.seen.list)
	if err == nil && ruling.Verdict == referee.Wrong && m.Problem.Passes > 1 {
		if _, err := os.Lstat(filepath.Join(m.folder, feedbackFolder, nextPass)); err == nil {
			return false, &interaction.JudgeError{Why: "it rejects, and asks for a further pass"}
		}
	}
	return ruling.Verdict == referee.OK, err
}

// compare compares output with the answer.
func (m *relayed) compare(output []byte) (bool, error) {
	answer, err := os.ReadFile(m.Case.Answer)
	if err != nil {
		return false, err
	}
	e := referee.Exchange{Ended: true, Exit: 42}
	rules, err := problem.ParseComparison(m.Case.Args)
	if err != nil {
		return false, err
	}
	if e.Detail = rules.Differ(string(output), string(answer)); e.Detail != "" {
		e.Exit = 43
	}
	if e.Score, err = m.readScore(e.Exit); err != nil {
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
	if int64(len(output)) > m.Problem.Output {
		return false, errors.New("the answer is too long")
	}
	accept := 0
	if m.Problem.Format.Answer(accept, nil) != interaction.Accept {
		accept = 42
	}
	m.seen.add(referee.Exchange{Ended: true, Exit: accept})
	return true, os.WriteFile(m.Answer, output, 0o644)
}

// start starts a judge, which reads or writes output in a file, if the format says so.
func (m *relayed) start(judge program.Bot, output string) (*contestant.Contestant, error) {
	feedback := filepath.Join(m.folder, feedbackFolder)
	p := m.Problem
	command := judge.Command(m.Launcher.Level(), sandbox.Limits{Memory: p.JudgeMemory, Disk: p.JudgeOutput}, nil)
	words := strings.NewReplacer("{in}", m.input, "{out}", output, "{ans}", m.Case.Answer, "{feedback}", feedback)
	command.Args = slices.Clone(command.Args)
	for _, word := range p.Argv {
		command.Args = append(command.Args, words.Replace(word))
	}
	command.Args = append(command.Args, m.Case.Args...)
	command.Env = program.JudgeEnvironment(command.Env)
	command.Read = append(slices.Clone(command.Read), m.input)
	if m.Case.Answer != "" {
		command.Read = append(command.Read, m.Case.Answer)
	}
	if filepath.Dir(output) == m.folder && p.GivesOutput() {
		command.Read = append(command.Read, output)
	}
	command.Write, command.AnyStatus = []string{feedback}, true
	if p.Processes > 0 {
		m.channels.giveJudge(&command)
		command.Dir = feedback
	}
	c, err := contestant.Start(m.Launcher, command, 0)
	if err != nil {
		return nil, fmt.Errorf("start the judge: %w", judge.DescribeStartError(err))
	}
	m.judge, m.names = c, judge.Names
	return c, nil
}

// maxMessage is how much of a judge's message is kept.
const maxMessage = 4 << 10

// message is what the judge says of the run, on its standard error or in its file for that.
func (m *relayed) message() string {
	var text []byte
	if m.Problem.Format.TellsOnStderr() {
		text = []byte(m.names.In(string(m.judge.Stderr())))
		text = text[:min(len(text), maxMessage)]
	} else {
		text, _ = m.feedback("judgemessage.txt", maxMessage)
	}
	message := strings.TrimSpace(strings.ToValidUTF8(string(text), "�"))
	if m.checks {
		message = strings.TrimSpace("checker: " + message)
	}
	return message
}
