package protocoltest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"umpire/protocols"
)

// valued is a toy match with values.
type valued struct {
	protocols.Match
	await  []int
	values func(m *valued, seat int) []protocols.Value
	calls  *int
}

func (m *valued) Next() protocols.Step {
	step := m.Match.Next()
	m.await = append(m.await[:0], step.Await...)
	return step
}

func (m *valued) Values(seat int) ([]protocols.Value, bool) {
	if slices.Contains(m.await, seat) {
		return m.values(m, seat), false
	}
	return nil, false
}

// valuedCase starts valued matches.
type valuedCase struct {
	protocols.Case
	like valued
}

func (c valuedCase) Start(seats int) protocols.Match {
	m := c.like
	m.Match = c.Case.Start(seats)
	return &m
}

// valuedGame is Morra with values.
func valuedGame(like valued) protocols.Game {
	g := Morra()
	g.Analysis = protocols.Analysis{Unit: "fingers", Method: "an estimate", Results: "half of the fingers"}
	g.Parse = func(text string) (protocols.Case, error) {
		c, err := parseMorra(text)
		if err != nil {
			return nil, err
		}
		return valuedCase{c, like}, nil
	}
	g.Generate = func(group string, seed uint64) (protocols.Case, error) {
		c, err := Morra().Generate(group, seed)
		return valuedCase{c, like}, err
	}
	return g
}

func TestSuiteFindsValues(t *testing.T) {
	good := func(*valued, int) []protocols.Value {
		return []protocols.Value{{Reply: "1", Value: 1, Result: 0.5}, {Reply: "2"}}
	}
	for _, test := range []struct {
		name   string
		values func(m *valued, seat int) []protocols.Value
		facts  func(a *protocols.Analysis)
		want   string
	}{
		{"nothing", good, nil, ""},
		{"a foul", func(*valued, int) []protocols.Value { return []protocols.Value{{Reply: "99"}} }, nil, "is a foul"},
		{"untidy", func(*valued, int) []protocols.Value { return []protocols.Value{{Reply: " 01"}} }, nil, "untidily"},
		{"infinite", func(*valued, int) []protocols.Value {
			zero := 0.0
			return []protocols.Value{{Reply: "1", Value: 1 / zero}}
		}, nil, "is +Inf"},
		{"none", func(*valued, int) []protocols.Value { return nil }, nil, "it is awaited: true"},
		{"not the same", func(m *valued, _ int) []protocols.Value {
			*m.calls++
			return []protocols.Value{{Reply: "1", Value: float64(*m.calls)}}
		}, nil, "the same position gives values"},
		{"a change", func(m *valued, seat int) []protocols.Value {
			m.Match.Reply(seat, "1")
			return []protocols.Value{{Reply: "1"}}
		}, nil, "is changed by Values"},
		{"more than a win", func(*valued, int) []protocols.Value { return []protocols.Value{{Reply: "1", Result: 1.1}} }, nil, "expected 0 to 1"},
		{"results that fall", func(*valued, int) []protocols.Value {
			return []protocols.Value{{Reply: "1", Value: 1}, {Reply: "2", Result: 1}}
		}, nil, "lower expected result"},
		{"results of nobody's", good, func(a *protocols.Analysis) { a.Results = "" }, "an Analysis with Results"},
		{"an opinion", func(*valued, int) []protocols.Value { return []protocols.Value{{Reply: "1"}, {Reply: "2"}} }, func(a *protocols.Analysis) {
			*a = protocols.Analysis{Unit: "fingers", Method: "a guess", Opinion: "random"}
		}, ""},
		{"an opinion with results", good, func(a *protocols.Analysis) { a.Opinion = "random" }, `the opinion of "random", but`},
		{"no unit", good, func(a *protocols.Analysis) { a.Unit = "" }, "no Unit in Analysis"},
		{"no method", good, func(a *protocols.Analysis) { a.Method = "" }, ""},
	} {
		g := valuedGame(valued{values: test.values, calls: new(int)})
		if test.facts != nil {
			test.facts(&g.Analysis)
		}
		err := checkAnalysis(Suite{Seeds: 2, Reply: replyMorra}, g)
		if test.name == "no method" && err == nil || test.want == "" && test.name != "no method" && err != nil ||
			test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: found %v, expected %q", test.name, err, test.want)
		}
	}
	g := Morra()
	g.Analysis.Unit = "fingers"
	if err := checkAnalysis(Suite{Seeds: 2, Reply: replyMorra}, g); err == nil || !strings.Contains(fmt.Sprint(err), "no Analysts") {
		t.Errorf("facts without values: %v", err)
	}
}
