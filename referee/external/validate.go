package external

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"umpire/referee"
	"umpire/referee/contestant"
	"umpire/referee/interaction"
	"umpire/referee/program"
	"umpire/referee/sandbox"
)

// Validate has an input validator of a problem, one of Validators, look at the input of a
// case. Why says why it does not accept it; "" if it does.
func (p *Problem) Validate(ctx context.Context, launcher sandbox.Launcher, name string, validator program.Bot, c ProblemCase) (why string, err error) {
	input, err := os.ReadFile(c.Input)
	if err != nil {
		return "", err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	command := validator.Command(launcher.Level(), sandbox.Limits{Memory: p.JudgeMemory}, nil)
	command.Args = append(slices.Clone(command.Args), c.ValidatorArgs[name]...)
	command.Env = judgeEnvironment(command.Env)
	if c.Files != "" {
		own := ""
		if validator.Program != nil {
			own = validator.Program.Dir
		}
		if command.Dir, err = workingFolder(own, c.Files); err != nil {
			return "", err
		}
		defer os.RemoveAll(command.Dir)
		command.Read = append(slices.Clone(command.Read), command.Dir)
	}
	process, err := contestant.Start(launcher, command, 0)
	if err != nil {
		return "", validator.DescribeStartError(err)
	}
	relay := contestant.Relay{
		Judge: process, Input: input, JudgeLimit: p.JudgeTime, Rejects: func(int) bool { return true },
		See: func(e referee.Exchange) {
			switch {
			case e.Fail != nil:
				why = e.Fail.Detail
			case e.Ended && e.Signal != "":
				why = "it was killed by " + e.Signal
			case e.Ended && p.Format.Answer(e.Exit) != interaction.Accept:
				why = fmt.Sprintf("exit status %d", e.Exit)
			}
		},
	}
	err = relay.Run(ctx)
	usage := process.Stop()
	if last := lastLine(validator.Names.In(string(usage.Stderr))); why != "" && last != "" {
		why += "; its standard error ends: " + strings.TrimSpace(last)
	}
	return why, err
}
