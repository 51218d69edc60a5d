package referee

import (
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
)

// TestReproduce plays a seat of a recorded match of the relay game with other
// scripts.
func TestReproduce(t *testing.T) {
	crash := &protocols.Failure{Kind: protocols.KindCrash, Detail: "x"}
	late := &protocols.Failure{Kind: protocols.KindTime, Detail: "x"}
	for _, test := range []struct {
		name          string
		recorded, now []any
		through       bool
		until         int
		want          string // per reply: = or !, then how the live one failed
	}{
		{"the same", []any{"roll", "hold"}, []any{"roll", "hold"}, false, 0, "= ="},
		{"another reply", []any{"roll", "hold"}, []any{"hold"}, false, 0, "!"},
		{"another reply, going on", []any{"roll", "hold"}, []any{"hold", "hold"}, true, 0, "! ="},
		{"the same crash", []any{"roll", crash}, []any{"roll", crash}, false, 0, "= =crash"},
		{"a crash no more", []any{"roll", crash}, []any{"roll", "hold"}, true, 0, "= !"},
		{"another failure", []any{"roll", crash}, []any{"roll", late}, true, 0, "= !time"},
		{"an earlier failure", []any{"roll", crash}, []any{crash}, true, 0, "!crash"},
		{"the same foul", []any{"roll", "rool"}, []any{"roll", "rool"}, false, 0, "= =foul"},
		{"another foul", []any{"roll", "rool"}, []any{"roll", "hol"}, true, 0, "= !foul"},
		{"a foul too early", []any{"roll", "hold"}, []any{"rool"}, true, 0, "!foul"},
		{"the beginning", []any{"roll", "hold"}, []any{"roll"}, true, 1, "="},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := protocoltest.Relay()
			c := parsed(t, g, "100\n7")
			table := []Contestant{&scripted{replies: test.recorded}, &scripted{replies: []any{crash}}}
			played, err := Lines{Match: c.Start(2)}.Conduct(t.Context(), table, protocols.Limits{}, Watcher{})
			if err != nil {
				t.Fatal(err)
			}
			live := &scripted{replies: test.now}
			var sent int
			all, _, err := Reproduction{
				Setup: Setup{Game: g, Case: c, Seats: 2}, Events: played.Events, Seat: 1, Through: test.through, Until: test.until,
				Sent: func(string) { sent++ },
			}.Conduct(t.Context(), live)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range all {
				mark := "!"
				if c.Same() {
					mark = "="
				}
				got = append(got, mark+string(c.LiveKind))
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("got %q, want %s", got, test.want)
			}
			if live.stopped != 1 || len(live.replies) != 0 || sent == 0 {
				t.Errorf("stopped %d times, %d replies not asked for, sent %d times", live.stopped, len(live.replies), sent)
			}
		})
	}
}
