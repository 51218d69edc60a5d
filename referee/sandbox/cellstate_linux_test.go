package sandbox

import (
	"os"
	"slices"
	"strings"
	"testing"

	"umpire/referee"
)

// TestCellAsNew has each contestant of a cell leave one kind of thing behind, and
// compares all that the next one sees with what the first in a new cell has seen.
func TestCellAsNew(t *testing.T) {
	if os.Getenv(insideEnv) == "" {
		if testing.Short() {
			t.Skip("it runs as each kind of user")
		}
		inside(t, "TestCellAsNew", []string{"box", "strict"}, "ATTACKS="+buildAttack(t, "look_around")+":"+buildAttack(t, "leave_behind"))
		return
	}
	look, leave, _ := strings.Cut(os.Getenv("ATTACKS"), ":")
	list := slices.DeleteFunc(levels(), func(l referee.Level) bool { return l == referee.LevelNone || l == referee.LevelBasic })
	atEachLevel(t, list, func(t *testing.T, l Launcher) {
		if !keepsCells() {
			t.Skip("there are no cells here")
		}
		c := command(t, look)
		c.Env = nil
		first, cell := inCell(t, l, c, nothing)
		if first.exit.Status != 0 || !strings.Contains(first.out, "room for") {
			t.Fatalf("%+v", first)
		}
		for _, what := range []string{"signals", "processes", "forks", "files", "self", "descriptors"} {
			run(t, l, command(t, leave, what), "")
			next, same := inCell(t, l, c, nothing)
			if same != cell {
				t.Errorf("after %s the next is in %s, not %s", what, same, cell)
				cell = same
			}
			if got := changes(first.out, next.out); len(got) > 0 {
				t.Errorf("after %s the next sees\n%s", what, strings.Join(got, "\n"))
			}
			if next.exit.Memory > first.exit.Memory*3/2 || next.exit.CPU > 4*first.exit.CPU {
				t.Errorf("after %s the next has used %+v, the first %+v", what, next.exit, first.exit)
			}
		}
	})
}

// changes are the lines that are in one of two texts alone.
func changes(before, after string) (list []string) {
	b, a := strings.Split(before, "\n"), strings.Split(after, "\n")
	for _, line := range b {
		if !slices.Contains(a, line) {
			list = append(list, "- "+line)
		}
	}
	for _, line := range a {
		if !slices.Contains(b, line) {
			list = append(list, "+ "+line)
		}
	}
	return list
}
