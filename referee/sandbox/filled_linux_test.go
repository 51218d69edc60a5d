package sandbox

import (
	"bufio"
	"strings"
	"testing"
	"time"

	"umpire/referee"
)

// TestFilled checks that what a program has written is found though no look at its
// folder is due, as on a slow machine, where looks are far apart.
func TestFilled(t *testing.T) {
	l := launcherOf(t, referee.LevelBasic)
	c := command(t, "sh", "-c", `head -c $0 /dev/zero >$TMPDIR/f; echo written; read x`, "0")
	c.Limits.Disk = 1 << 20
	for _, row := range []struct {
		size string
		over bool
	}{{"1000000", false}, {"2000000", true}} {
		c.Args[3] = row.size
		p, e := begin(t, l, c)
		p.(*supervised).folders.Next = time.Now().Add(time.Hour)
		line, _ := bufio.NewReader(e.out).ReadString('\n')
		p.Memory()
		if over := p.Filled(); strings.TrimSpace(line) != "written" || over != row.over {
			t.Errorf("%s bytes %s: over is %v", row.size, line, over)
		}
		e.in.Close()
		if exit := p.Wait(); exit.OutOfDisk != row.over {
			t.Errorf("%s bytes: %+v", row.size, exit)
		}
	}
}
