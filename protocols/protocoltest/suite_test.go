package protocoltest

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"umpire/protocols"
)

// faulty is a toy match with some of its methods replaced.
type faulty struct {
	protocols.Match
	next   func(protocols.Match) protocols.Step
	reply  func(m protocols.Match, seat int, text string) *protocols.Foul
	fail   func(m protocols.Match, seat int, why protocols.Failure)
	result func(protocols.Match) []protocols.Outcome
	state  func(protocols.Match) any
	show   func(protocols.Match) string
}

func (f *faulty) Next() protocols.Step {
	if f.next == nil {
		return f.Match.Next()
	}
	return f.next(f.Match)
}

func (f *faulty) Reply(seat int, text string) *protocols.Foul {
	if f.reply == nil {
		return f.Match.Reply(seat, text)
	}
	return f.reply(f.Match, seat, text)
}

func (f *faulty) Fail(seat int, why protocols.Failure) {
	if f.fail == nil {
		f.Match.Fail(seat, why)
		return
	}
	f.fail(f.Match, seat, why)
}

func (f *faulty) Result() []protocols.Outcome {
	if f.result == nil {
		return f.Match.Result()
	}
	return f.result(f.Match)
}

func (f *faulty) State() any {
	if f.state == nil {
		return f.Match.State()
	}
	return f.state(f.Match)
}

func (f *faulty) String() string {
	if f.show == nil {
		return f.Match.String()
	}
	return f.show(f.Match)
}

// faultyCase starts faulty matches.
type faultyCase struct {
	protocols.Case
	spoil func() *faulty
}

func (c faultyCase) Start(seats int) protocols.Match {
	f := c.spoil()
	f.Match = c.Case.Start(seats)
	return f
}

// spoiled is g with faulty matches; spoil is called once for each.
func spoiled(g protocols.Game, spoil func() *faulty) protocols.Game {
	sound := g
	g.Parse = func(text string) (protocols.Case, error) {
		c, err := sound.Parse(text)
		if err != nil {
			return nil, err
		}
		return faultyCase{c, spoil}, nil
	}
	g.Generate = func(group string, seed uint64) (protocols.Case, error) {
		c, err := sound.Generate(group, seed)
		if err != nil {
			return nil, err
		}
		return faultyCase{c, spoil}, nil
	}
	return g
}

// changed is g after change.
func changed(g protocols.Game, change func(*protocols.Game)) protocols.Game {
	change(&g)
	return g
}

func always(f faulty) func() *faulty {
	return func() *faulty {
		own := f
		return &own
	}
}

// TestSuiteFinds checks that each broken promise is found, and by which check.
func TestSuiteFinds(t *testing.T) {
	shared, calls := 0, 0
	for _, test := range []struct {
		name  string
		game  protocols.Game
		check string // the check that finds it
		want  string // part of its message
	}{
		{"name", changed(Sum(), func(g *protocols.Game) { g.Name = "Sum!" }), "facts", `name "Sum!"`},
		{"no default opponent", changed(Morra(), func(g *protocols.Game) { g.DefaultOpponent = "" }), "facts", `default opponent ""`},
		{"tests", changed(Morra(), func(g *protocols.Game) { g.SubmissionSeats = []int{3} }), "facts", "seat 3 of 2"},
		{"no formula", changed(Morra(), func(g *protocols.Game) { g.Formula = " " }), "facts", "no formula"},
		{"wide rules", changed(Sum(), func(g *protocols.Game) { g.Rules = strings.Repeat("x", 101) }), "facts", "line 1 is 101"},
		{"no groups", changed(Sum(), func(g *protocols.Game) { g.Groups = nil }), "facts", "no groups"},
		{"unknown group", changed(Sum(), func(g *protocols.Game) {
			g.Generate = func(_ string, seed uint64) (protocols.Case, error) { return generateSum("small", seed) }
		}), "generate", "not refused"},
		{"chance", changed(Morra(), func(g *protocols.Game) {
			g.Generate = func(string, uint64) (protocols.Case, error) {
				calls++ // what chance gives might be the same twice
				return morraCase{calls, 1}, nil
			}
		}), "generate", "two different cases"},
		{"one case", changed(Morra(), func(g *protocols.Game) {
			g.Generate = func(string, uint64) (protocols.Case, error) { return morraCase{1, 1}, nil }
		}), "generate", "the default, has only one case"},
		{"one case by default", changed(Morra(), func(g *protocols.Game) {
			g.Groups = []string{"one", "many"}
			g.Generate = func(group string, seed uint64) (protocols.Case, error) {
				if group == "one" {
					return morraCase{1, 1}, nil
				}
				return morraCase{1 + int(seed%99), 1}, nil
			}
		}), "generate", `group "one", the default, has only one case: "1 1"`},
		{"strict line ends", changed(Sum(), func(g *protocols.Game) {
			g.Parse = func(text string) (protocols.Case, error) {
				if strings.Contains(text, "\r") {
					return nil, &protocols.CaseError{Line: 1, Found: "CR", Expected: "LF"}
				}
				return parseSum(text)
			}
		}), "cases", "found CR"},
		{"plain error", changed(Sum(), func(g *protocols.Game) {
			g.Parse = func(text string) (protocols.Case, error) {
				c, err := parseSum(text)
				if err != nil {
					return nil, errors.New("bad case")
				}
				return c, nil
			}
		}), "broken cases", "expected a *protocols.CaseError"},
		{"accepts anything", changed(Morra(), func(g *protocols.Game) {
			g.Parse = func(text string) (protocols.Case, error) {
				var c morraCase
				fmt.Sscan(text, &c.rounds, &c.even)
				return c, nil
			}
		}), "broken cases", ""},
		{"panics", changed(Morra(), func(g *protocols.Game) {
			g.Parse = func(text string) (protocols.Case, error) {
				return morraCase{int(text[0] - '0'), int(text[2] - '0')}, nil
			}
		}), "broken cases", "panic"},
		{"all twice", changed(Morra(), func(g *protocols.Game) {
			g.All = func() iter.Seq[protocols.Case] {
				return slices.Values([]protocols.Case{morraCase{1, 1}, morraCase{1, 2}, morraCase{1, 1}})
			}
		}), "all", "listed twice"},
		{"any seats", changed(Morra(), func(g *protocols.Game) { g.MinSeats = 1 }), "seats", "panic"},
		{"fewer seats", changed(Relay(), func(g *protocols.Game) { g.MaxSeats = 3 }), "seats", "Start(4) does not panic"},
		{"not simultaneous", changed(Morra(), func(g *protocols.Game) { g.Simultaneous = false }), "play", "awaited together"},
		{"simultaneous", changed(Relay(), func(g *protocols.Game) { g.Simultaneous = true }), "simultaneous", "never awaits two"},
		{"endless", spoiled(Morra(), always(faulty{
			next: func(protocols.Match) protocols.Step { return protocols.Step{Await: []int{1}} },
		})), "play", "does not end within 1000 steps"},
		{"seat 3", spoiled(Morra(), always(faulty{
			next: func(protocols.Match) protocols.Step { return protocols.Step{Await: []int{3}} },
		})), "play", "seat 3 of 2 is awaited"},
		{"descending", spoiled(Morra(), always(faulty{
			next: func(protocols.Match) protocols.Step { return protocols.Step{Await: []int{2, 1}} },
		})), "play", "do not ascend"},
		{"newline", spoiled(Morra(), always(faulty{next: func(m protocols.Match) protocols.Step {
			step := m.Next()
			step.Send[0].Text += "\n"
			return step
		}})), "play", "control character"},
		{"awaits the failed", spoiled(Relay(), func() *faulty {
			return &faulty{fail: func(protocols.Match, int, protocols.Failure) {}}
		}), "failures", "after it failed"},
		{"foul counts", spoiled(Relay(), func() *faulty {
			fouls := 0
			return &faulty{
				reply: func(m protocols.Match, seat int, text string) *protocols.Foul {
					foul := m.Reply(seat, text)
					if foul != nil {
						fouls++
					}
					return foul
				},
				state: func(protocols.Match) any { return map[string]int{"fouls": fouls} },
			}
		}), "fouls", "changes the match"},
		{"echo", spoiled(Relay(), always(faulty{reply: func(m protocols.Match, seat int, text string) *protocols.Foul {
			if foul := m.Reply(seat, text); foul != nil {
				return protocols.Fouled("you said %s", text)
			}
			return nil
		}})), "fouls", "not valid UTF-8"},
		{"strict spaces", spoiled(Morra(), always(faulty{reply: func(m protocols.Match, seat int, text string) *protocols.Foul {
			if strings.HasPrefix(text, " ") {
				return protocols.Fouled("there is a space")
			}
			return m.Reply(seat, text)
		}})), "play", "there is a space"},
		{"panics at junk", spoiled(Morra(), always(faulty{reply: func(m protocols.Match, seat int, text string) *protocols.Foul {
			_ = text[0]
			return m.Reply(seat, text)
		}})), "each junk reply", "panic"},
		{"one outcome", spoiled(Morra(), always(faulty{result: func(m protocols.Match) []protocols.Outcome {
			return m.Result()[:1]
		}})), "play", "1 outcomes for 2 seats"},
		{"places", spoiled(Morra(), always(faulty{result: func(protocols.Match) []protocols.Outcome {
			return []protocols.Outcome{{Place: 2}, {Place: 2}}
		}})), "play", "has place 2"},
		{"state is no object", spoiled(Morra(), always(faulty{state: func(protocols.Match) any {
			return []int{1}
		}})), "play", "not a JSON object"},
		{"state is shared", spoiled(Morra(), func() *faulty {
			steps := map[string]int{}
			return &faulty{
				reply: func(m protocols.Match, seat int, text string) *protocols.Foul {
					foul := m.Reply(seat, text)
					if foul == nil {
						steps["n"]++
					}
					return foul
				},
				state: func(protocols.Match) any { return steps },
			}
		}), "play", "changed with later play"},
		{"moves unseen", spoiled(Morra(), func() *faulty {
			steps := 0
			return &faulty{
				next:  func(m protocols.Match) protocols.Step { steps++; return m.Next() },
				state: func(protocols.Match) any { return map[string]int{"n": steps} },
			}
		}), "play", "another position than it shows"},
		{"matches share", spoiled(Morra(), always(faulty{
			next:  func(m protocols.Match) protocols.Step { shared++; return m.Next() },
			state: func(protocols.Match) any { return map[string]int{"n": shared / 7} },
		})), "play", ""},
		{"escape codes", spoiled(Morra(), always(faulty{show: func(protocols.Match) string {
			return "\x1b[1mred"
		}})), "play", "control character"},
		{"no picture", spoiled(Morra(), always(faulty{show: func(protocols.Match) string { return "" }})), "play", "empty"},
	} {
		t.Run(test.name, func(t *testing.T) {
			i := slices.IndexFunc(checks, func(c check) bool { return c.name == test.check })
			err := guard(func() error { return checks[i].run(Suite{Steps: 1000, Seeds: 2}, test.game) })
			if err == nil {
				t.Fatalf("%q finds nothing", test.check)
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("%q finds %v, expected %q", test.check, err, test.want)
			}
		})
	}
}

// TestSuiteReplyIsLegal checks that a Reply that never finds a legal reply is
// pointed out, as it would leave the match unplayed.
func TestSuiteReplyIsLegal(t *testing.T) {
	s := Suite{Reply: func(protocols.Match, int, *rand.Rand) string { return "nothing" }}
	err := checkTemper(temper{})(s, Relay())
	if err == nil || !strings.Contains(err.Error(), `100 fouls in a row for seat 1, the last "nothing"`) {
		t.Errorf("found %v", err)
	}
}
