package judging

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/contestant"
	"umpire/referee/interaction"
	"umpire/referee/paths"
	"umpire/referee/program"
	"umpire/referee/sandbox"
)

// judge is the judge of a match, or its checker once that is at work.
type judge struct {
	relay   Relay
	folder  matchFolder
	input   string                 // file that the pass reads
	process *contestant.Contestant // that runs, or ran last
	names   paths.Names            // of the paths in its standard error
	checks  bool                   // it is the checker of an interactive problem
	printed prefix                 // by a judge that prints a score
	// score is the judge's score, and scoreErr the fault of the one that it has written.
	score    *protocols.Score
	scoreErr error
}

// start starts a judge, which reads or writes output in a file, if the format says so.
func (j *judge) start(bot program.Bot, output string) (*contestant.Contestant, error) {
	feedback, p := j.folder.feedback(), j.relay.Problem
	command := bot.Command(j.relay.Launcher.Level(), sandbox.Limits{Memory: p.JudgeMemory, Disk: p.JudgeOutput}, nil)
	words := strings.NewReplacer("{in}", j.input, "{out}", output, "{ans}", j.relay.Case.Answer, "{feedback}", feedback)
	command.Args = slices.Clone(command.Args)
	for _, word := range p.Argv {
		command.Args = append(command.Args, words.Replace(word))
	}
	command.Args = append(command.Args, j.relay.Case.Args...)
	command.Env = program.JudgeEnvironment(command.Env)
	command.Read = append(slices.Clone(command.Read), j.input)
	if j.relay.Case.Answer != "" {
		command.Read = append(command.Read, j.relay.Case.Answer)
	}
	if filepath.Dir(output) == string(j.folder) && p.GivesOutput() {
		command.Read = append(command.Read, output)
	}
	command.Write, command.AnyStatus = []string{feedback}, true
	if p.Processes > 0 {
		j.relay.channels.giveJudge(&command)
		command.Dir = feedback
	}
	c, err := contestant.Start(j.relay.Launcher, command, 0)
	if err != nil {
		return nil, fmt.Errorf("start the judge: %w", bot.DescribeStartError(err))
	}
	j.process, j.names = c, bot.Names
	return c, nil
}

// inputFile is where a judge that has FIFOs finds the input in its working folder.
const inputFile = "input.txt"

// giveInput puts the input of the case into the folder where the judge runs, and returns it.
func (j *judge) giveInput() ([]byte, error) {
	input, err := os.ReadFile(j.input)
	if err == nil {
		err = os.WriteFile(j.folder.written(inputFile), input, 0o644)
	}
	return input, err
}

// ended adds what a judge that has ended says, and the score that it gives.
func (j *judge) ended(e *referee.Exchange) {
	format := j.relay.Problem.Format
	if e.Detail = j.message(); format.PrintsScore() && e.Signal == "" {
		j.hasPrinted(e)
	}
	answer := format.Answer(e.Exit, j.score)
	if e.Detail == "" && (e.Signal != "" || answer == interaction.None) { // why it has failed
		e.Detail = j.names.LastLine(j.process.Stderr())
	}
	if e.Signal != "" || answer == interaction.None || format.PrintsScore() {
		return
	}
	e.Score, j.scoreErr = j.readScore(e.Exit)
	if answer == interaction.Reject && j.relay.Case.Worth != nil && j.folder.wrote(scoreFile) {
		e.Detail = strings.TrimSpace(e.Detail + " (its " + scoreFile + " does not count, since it rejects)")
	}
}

// hasPrinted adds the score that a judge has printed, by itself. What it says is then the first
// line of its standard error.
func (j *judge) hasPrinted(e *referee.Exchange) {
	j.score = j.printed.score()
	switch e.Score = j.score; {
	case e.Exit == 0 && j.score == nil:
		j.scoreErr = &interaction.JudgeError{Why: "the first line that it printed: found " + j.printed.quoted() + ", expected a number of 0 or more" + interaction.End{Detail: e.Detail}.Says()}
	case e.Exit == 0:
		e.Detail = stockMessage(e.Detail)
	}
}

// stockMessage returns what CMS shows for a manager's message: its first line, or CMS's own text
// where that is a `translate:` word.
func stockMessage(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	line = strings.TrimSpace(line)
	word, _ := strings.CutPrefix(line, "translate:")
	switch {
	case word == line:
	case strings.TrimSpace(word) == "success":
		return "Output is correct"
	case strings.TrimSpace(word) == "wrong":
		return "Output isn't correct"
	case strings.TrimSpace(word) == "partial":
		return "Output is partially correct"
	}
	return line
}

// readScore returns the score of a run in which the judge has ended with a status that says
// something; nil if there is none.
func (j *judge) readScore(exit int) (*protocols.Score, error) {
	accepted := j.relay.Problem.Format.Answer(exit, nil) == interaction.Accept
	switch {
	case !j.relay.Problem.Format.TellsOnStderr():
		return readScoreFiles(j.folder, j.relay.Case.Worth, accepted)
	case accepted:
		return readPoints(j.process.Stderr(), j.relay.Case.Worth, exit)
	}
	return nil, nil
}

// maxMessage is how much of a judge's message is kept.
const maxMessage = 4 << 10

// message returns the judge's remark on the run, from its standard error or its file for that.
func (j *judge) message() string {
	var text []byte
	if j.relay.Problem.Format.TellsOnStderr() {
		text = []byte(j.names.In(string(j.process.Stderr())))
		text = text[:min(len(text), maxMessage)]
	} else {
		text, _ = j.folder.read("judgemessage.txt", maxMessage)
	}
	message := strings.TrimSpace(strings.ToValidUTF8(string(text), "�"))
	if j.checks {
		message = strings.TrimSpace("checker: " + message)
	}
	return message
}

// forChecker is the file that an interactive judge may write for the checker.
const forChecker = "output"

// output returns what is in that file; nothing if there is none.
func (j *judge) output() ([]byte, error) {
	text, err := j.folder.read(forChecker, j.relay.Problem.JudgeOutput)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		err = &interaction.JudgeError{Why: fmt.Sprintf("its output for the checker: %v", err)}
	}
	return text, err
}
