// Package testlevel says how much a run of the tests tries. There are four
// levels, and each tries what the one before it does, and more:
//
//	go test -short                   the rules, and each behaviour that takes no time
//	go test                          each behaviour and each limit, once
//	UMPIRE_TEST=thorough go test     every pair of a level of isolation, a user, a language and so on
//	UMPIRE_TEST=release go test      all combinations of them
//
// What a run leaves out is skipped by the test itself, with a reason that begins
// with LeftOut, so that one can see in the output of go test what was not tried.
package testlevel

import (
	"fmt"
	"os"
	"testing"
)

// Level is how much a run of the tests tries.
type Level int

// The levels, from the quickest.
const (
	Short Level = iota
	Default
	Thorough
	Release
)

// LeftOut begins the reason of each test that is skipped because of the level.
const LeftOut = "left out: runs with "

// variable names the environment variable that holds a level above Default.
const variable = "UMPIRE_TEST"

// runs says how to run the tests of a level.
func (l Level) runs() string {
	switch l {
	case Short:
		return "-short"
	case Default:
		return "go test without -short"
	case Thorough:
		return variable + "=thorough"
	default:
		return variable + "=release"
	}
}

// Current is the level of this run: -short goes before the environment variable
// UMPIRE_TEST. It panics if that holds a word that names no level, as the run
// would otherwise try less than was asked for.
func Current() Level {
	level, err := parse(os.Getenv(variable))
	if err != nil {
		panic(err)
	}
	if testing.Short() {
		return Short
	}
	return level
}

func parse(word string) (Level, error) {
	switch word {
	case "":
		return Default, nil
	case "thorough":
		return Thorough, nil
	case "release":
		return Release, nil
	}
	return Default, fmt.Errorf("%s: found %q, expected thorough, release or nothing", variable, word)
}

// Needs skips a test in runs below a level.
func Needs(t testing.TB, level Level) {
	t.Helper()
	if Current() < level {
		t.Skip(LeftOut + level.runs())
	}
}

// Times is how often something is repeated, or how much of it is made: the first
// number in short runs, the second by default, the third in thorough runs and, unless
// there is one more for them, in those for a release.
func Times(short, normal, thorough int, release ...int) int {
	times := append([]int{short, normal, thorough}, release...)
	return times[min(int(Current()), len(times)-1)]
}
