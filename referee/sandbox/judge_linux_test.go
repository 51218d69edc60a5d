package sandbox_test

import (
	"context"
	"errors"
	"runtime"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/contestant"
	"umpire/referee/program"
	"umpire/referee/sandbox"
)

func init() { sandbox.Judge = judge }

// opponentsTurn is how long an attack's opponent takes in its turn.
const opponentsTurn = 100 * time.Millisecond

func judge(l sandbox.Launcher, c sandbox.Command, ponders, hold bool, limit time.Duration) (verdict, output string, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	bot := program.Bot{Name: "attack", Path: c.Path, Args: c.Args, Env: c.Env, Dir: c.Dir, Read: c.Read}
	it, err := contestant.Start(l, bot.Command(l.Level(), c.Limits, nil), 1)
	if err != nil {
		return "", "", err
	}
	defer it.Stop()
	for turn := time.Now(); ponders && time.Since(turn) < opponentsTurn; time.Sleep(25 * time.Millisecond) {
		it.Watch()
	}
	if !hold {
		it.CloseInput()
	}
	reply, err := it.Receive(context.Background(), referee.Ask{UntilEOF: true, Limit: limit})
	var failure *protocols.Failure
	if errors.As(err, &failure) {
		return string(failure.Kind), "", nil
	}
	return "ok", reply.Text, err
}
