package vmukni_test

import (
	"testing"

	"umpire/protocols/protocoltest"
	"umpire/protocols/vmukni"
	"umpire/referee/testlevel"
)

func TestConformance(t *testing.T) {
	protocoltest.Suite{
		Seeds:        testlevel.Times(1, 1, 5),
		Lines:        [][]string{{"2 1 4\n1 2 3 4 1\n2 3 4 1 2\n3 4 1 2 3\n4 1 2 3 4\n1 2 3 4 1\n3 2", "15", "6"}},
		FailedMayWin: "a failed seat keeps its points, and the other seat makes its moves",
	}.Run(t, vmukni.Game())
}
