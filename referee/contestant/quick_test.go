//go:build linux

package contestant_test

import (
	"strings"
	"testing"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/program"
	"umpire/referee/testlevel"
)

// TestQuickUntil plays contestants whose replies come quickly, so that nothing
// but the reply is waited for, until they misbehave.
func TestQuickUntil(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	a := newArena(t)
	t.Cleanup(a.nothingLeft(t)) // after the parallel rows
	const quickly = `i=0; while [ $i -lt 50 ]; do read line; i=$((i+1)); echo $i; done; read line; `
	for _, row := range []struct {
		name, then string
		limit      time.Duration
		cpu        bool
		want       string // the reply, or the kind of failure
		says       string
	}{
		{name: "replies late", then: `sleep 0.1; echo late`, want: "late"},
		{name: "writes more than a pipe holds to standard error", then: `head -c 300000 /dev/zero >&2; echo written`, want: "written"},
		{name: "replies byte by byte", then: `printf l; sleep 0.01; printf "ate\n"`, want: "late"},
		{name: "sleeps", then: `sleep 1000`, limit: 50 * time.Millisecond, want: "time"},
		{name: "sleeps where CPU time is limited", then: `sleep 1000`, limit: 50 * time.Millisecond, cpu: true, want: "time"},
		{name: "computes", then: `while :; do :; done`, limit: 50 * time.Millisecond, cpu: true, want: "time", says: "CPU time"},
		{name: "reads on", then: `read line`, want: "idle"},
		{name: "leaves", then: `exit 3`, want: "crash", says: "exit status 3"},
		{name: "leaves a child with its pipes", then: `sleep 1000 & exit 3`, want: "crash", says: "exit status 3"},
		{name: "closes its output", then: `exec >&-; read line; read line`, want: "crash", says: "closed its standard output"},
		{name: "floods standard error", then: `cat /dev/zero >&2`, want: "output", says: "standard error"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			defer locked()()
			bot := program.Bot{Name: row.name, Path: "/bin/sh", Args: []string{"sh", "-c", quickly + row.then}}
			c, err := a.started(bot, 1, "QUICK=1")
			if err != nil {
				t.Fatal(err)
			}
			defer c.Stop()
			ask := referee.Ask{Told: true, Limit: 10 * time.Minute, Wall: -1, Alone: true}
			for range 50 {
				c.Send("go on")
				if _, err := c.Receive(t.Context(), ask); err != nil {
					t.Fatal(err)
				}
			}
			if row.limit > 0 {
				ask.Limit, ask.CPU = row.limit, row.cpu
			}
			if row.cpu {
				ask.Wall = referee.WallBound(row.limit)
			}
			c.Send("go on")
			reply, err := c.Receive(t.Context(), ask)
			failure, _ := err.(*protocols.Failure)
			switch {
			case failure != nil && string(failure.Kind) == row.want && strings.Contains(failure.Detail, row.says):
			case err != nil || reply.Text != row.want:
				t.Errorf("got %q, %v, want %s", reply.Text, err, row.want)
			}
		})
	}
}
