package protocoltest

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"umpire/protocols"
)

func replySum(m protocols.Match, _ int, rng *rand.Rand) string {
	return fmt.Sprintf("%d\n", m.(*sumMatch).sum+rng.IntN(2))
}

func replyMorra(_ protocols.Match, _ int, rng *rand.Rand) string {
	return fmt.Sprint(1 + rng.IntN(5))
}

func replyRelay(_ protocols.Match, _ int, rng *rand.Rand) string {
	return []string{"roll", "roll", "roll", "hold"}[rng.IntN(4)]
}

func TestToys(t *testing.T) {
	t.Run("sum", func(t *testing.T) { Suite{Reply: replySum}.Run(t, Sum()) })
	t.Run("morra", func(t *testing.T) { Suite{Reply: replyMorra}.Run(t, Morra()) })
	t.Run("relay", func(t *testing.T) { Suite{Reply: replyRelay}.Run(t, Relay()) })
}

func TestToysWithoutReply(t *testing.T) {
	for _, g := range []protocols.Game{Sum(), Morra(), Relay()} {
		t.Run(g.Name, func(t *testing.T) { Suite{}.Run(t, g) })
	}
}

// A game may have a single case, listed by All.
func TestOneFixedStart(t *testing.T) {
	g := Morra()
	start := morraCase{3, 1}
	g.Groups = []string{"start"}
	g.Generate = func(group string, _ uint64) (protocols.Case, error) {
		if group != "start" {
			return nil, unknownGroup(g, group)
		}
		return start, nil
	}
	g.All = func() iter.Seq[protocols.Case] { return slices.Values([]protocols.Case{start}) }
	Suite{Reply: replyMorra}.Run(t, g)
}

func FuzzRelay(f *testing.F)      { Suite{}.Fuzz(f, Relay()) }
func FuzzRelayReply(f *testing.F) { Suite{Reply: replyRelay}.FuzzReply(f, Relay()) }
func FuzzSumReply(f *testing.F)   { Suite{Reply: replySum}.FuzzReply(f, Sum()) }

// converse plays a script of "seat: reply" and "seat! kind" lines against what
// a match awaits, and returns all that was sent as "seat: line".
func converse(t *testing.T, m protocols.Match, script ...string) (sent []string) {
	t.Helper()
	for {
		step := m.Next()
		for _, l := range step.Send {
			sent = append(sent, fmt.Sprintf("%d: %s", l.Seat, l.Text))
		}
		if len(step.Await) == 0 {
			if len(script) > 0 {
				t.Fatalf("the match is over before %q", script)
			}
			return sent
		}
		for _, seat := range step.Await {
			if len(script) == 0 {
				return sent
			}
			if kind, ok := strings.CutPrefix(script[0], fmt.Sprintf("%d! ", seat)); ok {
				m.Fail(seat, failure(protocols.Kind(kind)))
			} else if reply, ok := strings.CutPrefix(script[0], fmt.Sprintf("%d: ", seat)); !ok {
				t.Fatalf("seat %d is awaited, the script has %q", seat, script[0])
			} else if foul := m.Reply(seat, reply); foul != nil {
				t.Fatal(foul)
			}
			script = script[1:]
		}
	}
}

func start(t *testing.T, g protocols.Game, text string, seats int) protocols.Match {
	t.Helper()
	c, err := g.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return c.Start(seats)
}

func expect(t *testing.T, what string, got, want any) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}

func TestSum(t *testing.T) {
	for output, want := range map[string]protocols.Outcome{
		"42\n":     {Score: protocols.Points(1), Place: 1},
		" 42 \r\n": {Score: protocols.Points(1), Place: 1},
		"41\n":     {Place: 1, Wrong: `line 1: found "41", expected "42"`},
		"":         {Place: 1, Wrong: `line 1: found the end, expected "42"`},
	} {
		m := start(t, Sum(), "3\n30 10 2\n", 1)
		sent := converse(t, m, "1: "+output)
		expect(t, "sent", sent, []string{"1: 3\n30 10 2"})
		expect(t, "result", m.Result(), []protocols.Outcome{want})
	}
}

func TestMorra(t *testing.T) {
	m := start(t, Morra(), "2 1", 2)
	sent := converse(t, m, "1: 3", "2: 5", "1: 1", "2: 2")
	expect(t, "sent", sent, []string{"1: 2 1", "2: 2 1", "1: 5", "2: 3", "1: 2", "2: 1"})
	expect(t, "result", m.Result(), []protocols.Outcome{{Score: protocols.Points(8), Place: 1}, {Score: protocols.Points(3), Place: 2}})
}

func TestMorraFailures(t *testing.T) {
	m := start(t, Morra(), "2 1", 2)
	converse(t, m, "1: 3", "2: 5", "1! time", "2: 2")
	expect(t, "one fails", m.Result(), []protocols.Outcome{{Score: protocols.Points(8), Place: 2}, {Place: 1}})
	m = start(t, Morra(), "2 1", 2)
	converse(t, m, "1! foul", "2! crash")
	expect(t, "both fail", m.Result(), []protocols.Outcome{{Place: 1}, {Place: 1}})
}

func TestRelay(t *testing.T) {
	const seed, a, b = 6, 2, 4 // the seed's first two rolls
	m := start(t, Relay(), fmt.Sprintf("%d\n%d", b, seed), 3)
	sent := converse(t, m, "1: hold", "1: roll", "1! crash", "2: roll", "2: hold")
	want := []string{
		fmt.Sprintf("1: %d 3", b), fmt.Sprintf("2: %d 3", b), fmt.Sprintf("3: %d 3", b),
		"1: turn", "1: refused", fmt.Sprintf("1: %d", a), fmt.Sprintf("2: 1 roll %d", a), fmt.Sprintf("3: 1 roll %d", a),
		"2: 1 out", "3: 1 out", "2: turn",
		fmt.Sprintf("2: %d", b), fmt.Sprintf("3: 2 roll %d", b), "3: 2 hold", "2: end", "3: end",
	}
	expect(t, "sent", strings.Join(sent, "\n"), strings.Join(want, "\n"))
	expect(t, "result", m.Result(), []protocols.Outcome{{Place: 3}, {Score: protocols.Points(b), Place: 1}, {Place: 2}})
}

func TestRelayEndsWithOneSeatLeft(t *testing.T) {
	m := start(t, Relay(), "100\n1", 4)
	converse(t, m, "1! time", "2! idle", "3! foul")
	places := []int{}
	for _, o := range m.Result() {
		places = append(places, o.Place)
	}
	if want := []int{4, 3, 2, 1}; !slices.Equal(places, want) {
		t.Errorf("places %v, expected %v", places, want)
	}
}
