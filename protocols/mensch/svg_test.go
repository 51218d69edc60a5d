package mensch

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
)

// TestSVG compares the pictures of some positions with files checked by eye.
func TestSVG(t *testing.T) {
	golden := func(name string, m protocols.Drawer, seat int) {
		t.Helper()
		protocoltest.Golden(t, name, m.SVG(seat), *update)
	}
	r := newReferee(t, quick, 4) // rolls 6 1, 3, 5, 6 4, 2
	golden("start", r.m, 1)
	r.say(1, "dice")
	golden("rolled", r.m, 1)
	r.say(1, "enter R2")
	golden("entered", r.m, 1)
	r.say(1, "move R2 1")
	golden("moved", r.m, 2)

	r = newReferee(t, quick, 2)
	r.put("R1@11 R2@5 B3@12")
	r.say(1, "dice", "move R1 1")
	golden("captured", r.m, 1)
	r.say(1, "dice")
	golden("refused", r.m, 0)
	r.fail(1, protocols.KindCrash)
	golden("over", r.m, 0)

	// Two options lead to one cell: R1 by 6 and R2 by 1.
	r = newReferee(t, quick, 3)
	r.put("R1@4 R2@9 R3@45 B1@40")
	r.say(1, "dice")
	golden("one-target-twice", r.m, 1)

	c, err := parseTask(3, "37 71 101\n4\ndice\nenter R2\nmove R2 1\ndice")
	if err != nil {
		t.Fatal(err)
	}
	m := c.Start(1).(*tracedBatch)
	m.Next()
	m.Reply(1, "6 1\n1\n2\n4\n")
	golden("batch", m, 0)
	var pictures []protocols.Drawer
	for state := range m.Trace() {
		pictures = append(pictures, state.(protocols.Drawer))
	}
	if len(pictures) != 5 {
		t.Fatalf("%d pictures of the trace, expected 5", len(pictures))
	}
	golden("trace", pictures[3], 0)
}

// TestClicks checks what can be clicked: the target of each option where it is
// the only one there, and a piece with a single option.
func TestClicks(t *testing.T) {
	r := newReferee(t, quick, 3)
	r.put("R1@4 R2@9 R3@45 B1@40")
	r.say(1, "dice") // 6 1
	var replies []string
	for _, part := range strings.Split(r.m.SVG(1), `data-key="`)[1:] {
		key, rest, _ := strings.Cut(part, `"`)
		if _, reply, ok := strings.Cut(rest, `data-reply="`); ok {
			reply, _, _ = strings.Cut(reply, `"`)
			replies = append(replies, key+"="+reply)
		}
	}
	// Both R1 by 6 and R2 by 1 lead to cell 10. R1 and R2 have two options each; R3,
	// in the first final cell, has one; R4 enters.
	want := "[R3=move R3 1 R4=enter R4 option1=move R1 1 option4=move R2 6 option5=move R3 1 option6=enter R4 giveup=giveup]"
	if got := fmt.Sprint(replies); got != want {
		t.Errorf("found %s, expected %s", got, want)
	}
}

// TestChoices plays by choices, which must be exactly the accepted requests.
func TestChoices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, err := generate(standard, rapid.Uint64().Draw(t, "seed"))
		if err != nil {
			t.Fatal(err)
		}
		m := c.Start(rapid.IntRange(2, 4).Draw(t, "seats")).(*match)
		turns := rapid.IntRange(1, 300).Draw(t, "turns")
		for step := m.Next(); len(step.Await) > 0 && turns > 0; step = m.Next() {
			turns--
			seat := step.Await[0]
			var accepted, offered []string
			for _, request := range everyRequest(int(m.seats)) {
				try := *m
				if foul := try.Reply(seat, request); foul == nil && try.last.reply.Refusal == Accepted {
					accepted = append(accepted, request)
				}
			}
			for _, choice := range m.Choices(seat) {
				offered = append(offered, choice.Reply)
			}
			next := rapid.SampledFrom(offered).Draw(t, "choice")
			slices.Sort(accepted)
			if slices.Sort(offered); !slices.Equal(offered, accepted) {
				t.Fatalf("choices %v, accepted are %v, at\n%v", offered, accepted, m)
			}
			if foul := m.Reply(seat, next); foul != nil {
				t.Fatal(foul)
			}
		}
	})
}

// everyRequest lists all requests of a match of that many colours.
func everyRequest(colours int) []string {
	out := []string{"dice", "giveup"}
	for _, c := range letters[:colours] {
		for i := 1; i <= each; i++ {
			out = append(out, fmt.Sprintf("enter %c%d", c, i))
			for s := 1; s <= 6; s++ {
				out = append(out, fmt.Sprintf("move %c%d %d", c, i, s))
			}
		}
	}
	return out
}
