package patolli

import (
	"strings"
	"testing"

	"umpire/bots"
	"umpire/bots/bottest"
	"umpire/protocols"
	"umpire/protocols/patolli"
)

// TestReference checks that the reference answers any number of lines
// correctly.
func TestReference(t *testing.T) {
	for _, group := range patolli.Game().Groups {
		c, err := patolli.Game().Generate(group, 5)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Count(c.String(), "\n") + 1
		if o := bottest.Play(t, c, Bots()[0])[0]; o.Score != protocols.Points(lines) || o.Wrong != "" {
			t.Errorf("group %s: %+v", group, o)
		}
	}
}

// TestBadInput checks that the reference names a bad line.
func TestBadInput(t *testing.T) {
	table := bots.NewTable("patolli", 1, 1, strings.NewReader("1 2 3 4 5 6 0\n1 2 3\n"), new(strings.Builder))
	err := bots.Run(Bots()[0], table)
	if err == nil || !strings.HasPrefix(err.Error(), "read input: line 2: found 3 values") {
		t.Errorf("%v", err)
	}
}
