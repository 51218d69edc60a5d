package protocoltest

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"umpire/protocols"
)

// checkAnalysis checks the values of a game whose matches are Analysts, and the
// facts about them.
func checkAnalysis(s Suite, g protocols.Game) error {
	return s.eachMatch(g, func(c sample, seats int) error {
		_, ok := c.Start(seats).(protocols.Analyst)
		if err := checkAnalysisFacts(g.Analysis, ok); err != nil || !ok {
			return err
		}
		return s.watchMatch(g, c, seats, func(d *drive, _ bool) error { return d.checkValues(c) })
	})
}

// checkAnalysisFacts checks the facts of a game about its values, if it has any.
func checkAnalysisFacts(a protocols.Analysis, analyst bool) error {
	switch {
	case !analyst && a != protocols.Analysis{}:
		return fmt.Errorf("the game has Analysis %+v, but its matches are no Analysts", a)
	case !analyst:
		return nil
	case a.Opinion != "":
		if a.Results != "" || a.Scores {
			return fmt.Errorf("values are the opinion of %q, but there are Scores, or Results by %q", a.Opinion, a.Results)
		}
	}
	if strings.TrimSpace(a.Unit) == "" {
		return errors.New("no Unit in Analysis")
	}
	return checkSentence(a.Method)
}

// checkValues checks the values of all seats now, and that they change nothing.
func (d *drive) checkValues(c sample) error {
	before, err := look(d.main, d.seats)
	if err != nil {
		return err
	}
	for seat := range d.seats + 1 {
		values, exact := d.main.(protocols.Analyst).Values(seat)
		again, still := d.main.(protocols.Analyst).Values(seat)
		twin, same := d.twin.(protocols.Analyst).Values(seat)
		if fmt.Sprint(values, exact) != fmt.Sprint(again, still) || fmt.Sprint(values, exact) != fmt.Sprint(twin, same) {
			return fmt.Errorf("the same position gives values %v and %v and %v to seat %d", values, again, twin, seat)
		}
		err := d.checkValuesOf(c, seat, values)
		if err == nil && exact {
			err = d.checkExact(c, seat, values)
		}
		if err != nil {
			return fmt.Errorf("values %v of seat %d: %w", values, seat, err)
		}
	}
	after, err := look(d.main, d.seats)
	if err == nil {
		err = before.differs(after)
	}
	if err != nil {
		return fmt.Errorf("the match is changed by Values: %w", err)
	}
	return nil
}

// checkValuesOf checks that the values of a seat are those of all its choices,
// if the match lists them, are finite, and that their replies and lines are
// legal.
func (d *drive) checkValuesOf(c sample, seat int, values []protocols.Value) error {
	if err := checkResults(d.game.Analysis, d.seats, values); err != nil {
		return err
	}
	if awaited := slices.Contains(d.await, seat); awaited != (len(values) > 0) {
		return fmt.Errorf("it is awaited: %v", awaited)
	}
	if chooser, ok := d.main.(protocols.Chooser); ok && seat > 0 {
		choices := chooser.Choices(seat)
		if !slices.EqualFunc(choices, values, func(c protocols.Choice, v protocols.Value) bool { return c.Reply == v.Reply }) {
			return fmt.Errorf("its choices are %v", choices)
		}
	}
	for _, v := range values {
		if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
			return fmt.Errorf("the value of %q is %v", v.Reply, v.Value)
		}
		if drawer, ok := d.main.(protocols.ReplyDrawer); ok {
			if err := checkShapes(drawer.DrawReply(seat, v.Reply, "best")); err != nil {
				return fmt.Errorf("the drawing of %q: %w", v.Reply, err)
			}
		}
		if protocols.Tidy(v.Reply) != v.Reply {
			return fmt.Errorf("reply %q is written untidily", v.Reply)
		}
		m := c.Start(d.seats)
		step := repeat(m, d.events)
		if foul := m.Reply(seat, v.Reply); foul != nil {
			return fmt.Errorf("reply %q is a foul: %w", v.Reply, foul)
		}
		if len(step.Await) > 1 {
			continue // what follows depends on the others
		}
		for i, reply := range v.Line {
			await := m.Next().Await
			if len(await) == 0 {
				return fmt.Errorf("the line after %q has %d replies, and the match is over after %d", v.Reply, len(v.Line), i)
			}
			if foul := m.Reply(await[0], reply); foul != nil {
				return fmt.Errorf("the line after %q has a foul, %q: %w", v.Reply, reply, foul)
			}
		}
	}
	return nil
}

// checkShapes checks that a reply is drawn by whole elements, which need nothing but the
// picture that they are laid over.
func checkShapes(drawn string) error {
	_, _, err := readSVG(`<svg xmlns="` + svgSpace + `" viewBox="0 0 1 1" role="img"><title data-key="title">a reply</title><desc data-key="desc">a reply</desc>` +
		`<g data-key="best">` + drawn + "</g></svg>")
	return err
}

// checkResults checks that values have expected results where the game says so, which
// follow the values.
func checkResults(a protocols.Analysis, seats int, values []protocols.Value) error {
	values = slices.SortedStableFunc(slices.Values(values), func(a, b protocols.Value) int { return cmp.Compare(a.Value, b.Value) })
	for i, v := range values {
		switch {
		case !(v.Result >= 0 && v.Result <= 1):
			return fmt.Errorf("the expected result of %q is %v, expected 0 to 1", v.Reply, v.Result)
		case v.Result > 0 && (seats == 1 || a.Results == ""):
			return fmt.Errorf("%q has the expected result %v, which is for several seats and an Analysis with Results", v.Reply, v.Result)
		case i > 0 && values[i-1].Result > v.Result:
			return fmt.Errorf("%q has a lower expected result than %q, and no lower value", v.Reply, values[i-1].Reply)
		}
	}
	return nil
}

// playedOut is how many exact values are played out in a match.
const playedOut = 10

// checkExact plays out the best of a seat's exact values, and one that is drawn:
// after the reply all seats give their best ones, and the match must end as the
// value says. Where values are no more exact, nothing is known.
func (d *drive) checkExact(c sample, seat int, values []protocols.Value) error {
	if !d.game.Analysis.Scores || d.suite.InexactEnds != "" || slices.Contains(d.failed, true) || d.playedOut >= playedOut || len(values) == 0 {
		return nil
	}
	d.playedOut++
	for _, v := range []protocols.Value{best(values), values[d.rng.IntN(len(values))]} {
		m := c.Start(d.seats)
		repeat(m, d.events)
		m.Reply(seat, v.Reply)
		step := m.Next()
		for ; len(step.Await) == 1; step = m.Next() {
			then, exact := m.(protocols.Analyst).Values(step.Await[0])
			if !exact || m.Reply(step.Await[0], best(then).Reply) != nil {
				return nil
			}
		}
		margin := protocols.Margin(m.Result(), seat)
		if len(step.Await) == 0 && math.Abs(margin.Float()-v.Value) > 1e-6 {
			return fmt.Errorf("%v is called the exact value of %q, but after it and the best replies the match ends with a margin of %v; if it may, say why in Suite.InexactEnds",
				v.Value, v.Reply, margin)
		}
	}
	return nil
}

// best is the first of the highest values.
func best(values []protocols.Value) protocols.Value {
	return slices.MaxFunc(values, func(a, b protocols.Value) int { return cmp.Compare(a.Value, b.Value) })
}

// repeat gives a match the events of another of the same case, and returns the next
// step.
func repeat(m protocols.Match, events []event) protocols.Step {
	step := m.Next()
	for ; len(events) > 0; step = m.Next() {
		for range step.Await {
			if e := events[0]; e.fail != "" {
				m.Fail(e.seat, failure(e.fail))
			} else {
				m.Reply(e.seat, e.reply)
			}
			events = events[1:]
		}
	}
	return step
}
