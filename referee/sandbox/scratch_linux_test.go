package sandbox

import (
	"slices"
	"strings"
	"testing"
	"time"

	"umpire/referee"
	"umpire/referee/testlevel"
)

// TestScratchTellsNothing checks that a program at basic gets the scratch
// folder of an earlier one only if that has made nothing there, and with times
// that do not show whether it has looked.
func TestScratchTellsNothing(t *testing.T) {
	testlevel.Needs(t, testlevel.Default) // it waits until other tests' cells have ended
	for name, c := range map[string]struct {
		does   string
		reused bool
	}{
		"nothing":          {":", true},
		"look":             {"ls $TMPDIR", true},
		"make and remove":  {"mkdir $TMPDIR/x; rmdir $TMPDIR/x", false},
		"leave a file":     {": >$TMPDIR/x", false},
		"close the folder": {"chmod 0 $TMPDIR; chmod 700 $TMPDIR; : >$TMPDIR/x; rm -f $TMPDIR/x", false},
	} {
		t.Run(name, func(t *testing.T) {
			l, err := New(referee.LevelBasic)
			if err != nil {
				t.Skip(err)
			}
			// Folders are kept by user, and a user that a cell of another test gave back
			// meanwhile would be the next program's.
			poll(t, time.Minute, allUsersFree)
			folder := func(script string) string {
				return run(t, l, command(t, "sh", "-c", "echo $TMPDIR; "+script), "").out
			}
			first := folder(c.does)
			for range 2 { // umpire looks itself in between
				dir, times, _ := strings.Cut(folder("stat -c '%X %Y' $TMPDIR"), "\n")
				if (dir+"\n" == first) != c.reused || times != "0 0\n" {
					t.Errorf("folder %s, times %s after %s", dir, times, first)
				}
			}
		})
	}
}

// allUsersFree reports whether no contestant and no cell has a user of its own.
func allUsersFree() bool {
	users := &thisMachine().users
	users.mu.Lock()
	defer users.mu.Unlock()
	return !slices.Contains(users.used[:], true)
}
