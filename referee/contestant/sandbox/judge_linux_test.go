package sandbox_test

import (
	"context"
	"errors"
	"runtime"
	"time"

	"umpire/protocols"
	"umpire/referee/contestant"
	"umpire/referee/contestant/sandbox"
)

func init() { sandbox.Judge = judge }

func judge(l sandbox.Launcher, c sandbox.Command, hold bool, limit time.Duration) (verdict, output string, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	bot := contestant.Bot{Name: "attack", Path: c.Path, Args: c.Args, Env: c.Env, Dir: c.Dir, Read: c.Read}
	it, err := contestant.Start(bot, contestant.Options{Launcher: l, Limits: c.Limits, Seat: 1})
	if err != nil {
		return "", "", err
	}
	defer it.Stop()
	if !hold {
		it.CloseInput()
	}
	reply, err := it.Receive(context.Background(), contestant.Ask{Whole: true, Limit: limit})
	var failure *protocols.Failure
	if errors.As(err, &failure) {
		return string(failure.Kind), "", nil
	}
	return "ok", reply.Text, err
}
