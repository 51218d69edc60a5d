package arena_test

import (
	"testing"

	"go.uber.org/goleak"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/arena/arenatest"
)

func TestLocal(t *testing.T) {
	defer goleak.VerifyNone(t)
	arenatest.Test(t, func(_ *testing.T, games []protocols.Game, players []referee.Player) arena.Runner {
		return &arena.Local{Games: games, Players: players, Jobs: 4}
	})
}
