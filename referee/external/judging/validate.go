package judging

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"umpire/referee"
	"umpire/referee/contestant"
	"umpire/referee/external/problem"
	"umpire/referee/interaction"
	"umpire/referee/program"
	"umpire/referee/sandbox"
)

// Validate has an input validator of a problem, one of its Validators, look at the input of a
// case. Why says why it does not accept it; "" if it does.
func Validate(ctx context.Context, p *problem.Problem, launcher sandbox.Launcher, name string, validator program.Bot, c problem.Case) (why string, err error) {
	input, err := os.ReadFile(c.Input)
	if err != nil {
		return "", err
	}
	one := aside{
		launcher: launcher, part: validator, args: c.ValidatorArgs[name], files: c.Files, ignores: p.Ignores, input: input, memory: p.JudgeMemory, time: p.JudgeTime,
		accepts: func(exit int) bool { return p.Format.Answer(exit, nil) == interaction.Accept },
	}
	_, why, err = one.run(ctx)
	return why, err
}

// Bounds on a generator of inputs.
const (
	generatorTime = 10 * time.Second // CPU time
	maxGenerated  = 64 << 20         // bytes
)

// Generate has a program print an input: a seed and a size are its last arguments. Why says how
// it has failed; "" if it has not.
func Generate(ctx context.Context, p *problem.Problem, launcher sandbox.Launcher, generator program.Bot, seed, size int) (input []byte, why string, err error) {
	one := aside{
		launcher: launcher, part: generator, args: []string{fmt.Sprint(seed), fmt.Sprint(size)}, memory: p.JudgeMemory, time: generatorTime, most: maxGenerated,
		accepts: func(exit int) bool { return exit == 0 },
	}
	return one.run(ctx)
}

// aside is a run of a program that belongs to a package, beside its judges and submissions.
type aside struct {
	launcher sandbox.Launcher
	part     program.Bot
	args     []string
	files    string // folder whose files are in its working folder; "": none
	ignores  func(base string) bool
	input    []byte
	memory   int64
	time     time.Duration // CPU time
	most     int           // bytes of output; 0: it does not count
	accepts  func(exit int) bool
}

// run runs the program. Why says how it has failed, or that it does not accept; "" if it does.
func (a aside) run(ctx context.Context) (output []byte, why string, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	command := a.part.Command(a.launcher.Level(), sandbox.Limits{Memory: a.memory}, nil)
	command.Args = append(slices.Clone(command.Args), a.args...)
	command.Env = program.JudgeEnvironment(command.Env)
	if a.files != "" {
		own := ""
		if a.part.Program != nil {
			own = a.part.Program.Dir
		}
		if command.Dir, err = workingFolder(own, a.files, a.ignores); err != nil {
			return nil, "", err
		}
		defer os.RemoveAll(command.Dir)
		command.Read = append(slices.Clone(command.Read), command.Dir)
	}
	process, err := contestant.Start(a.launcher, command, 0)
	if err != nil {
		return nil, "", a.part.DescribeStartError(err)
	}
	relay := contestant.Relay{
		Judge: process, Input: a.input, JudgeLimit: a.time, Rejects: func(int) bool { return true },
		See: func(e referee.Exchange) {
			switch {
			case e.Fail != nil:
				why = e.Fail.Detail
			case e.Ended && e.Signal != "":
				why = "it was killed by " + e.Signal
			case e.Ended && !a.accepts(e.Exit):
				why = fmt.Sprintf("exit status %d", e.Exit)
			case a.most > 0 && len(output)+len(e.Text) > a.most:
				why = fmt.Sprintf("it prints more than %d MiB", a.most>>20)
			case a.most > 0:
				output = append(output, e.Text...)
			}
		},
	}
	err = relay.Run(ctx)
	usage := process.Stop()
	if last := a.part.Names.LastLine(usage.Stderr); why != "" && last != "" {
		why += "; its standard error ends: " + strings.TrimSpace(last)
	}
	return output, why, err
}
