// Package pagetest makes records for tests of pages, and reads pages as their scripts do.
package pagetest

import (
	"fmt"
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/protocols/catalog"
	"umpire/referee"
	"umpire/referee/record"
	"umpire/referee/talk"
)

// Play makes the record of a match in which each seat gives the replies that
// pick returns; a reply that is "!" is a failure.
func Play(t *testing.T, g protocols.Game, c protocols.Case, seats int, pick func(m protocols.Match, seat int) string) record.Record {
	t.Helper()
	m := c.Start(seats)
	r := record.Record{
		V: 1, ID: "0123456789abcdef", Game: g.Name, Case: record.Case{Name: "a case", Text: c.String()},
		Limits: record.NewLimits(c.Limits(seats), referee.PonderAllow),
	}
	for i := range seats {
		r.Seats = append(r.Seats, record.Seat{Bot: "bot" + string(rune('A'+i)), Stderr: "said\n"})
	}
	for n := 0; ; n++ {
		await := append([]int(nil), m.Next().Await...)
		if len(await) == 0 {
			return r
		}
		if n > 10_000 {
			t.Fatalf("%s: the match does not end", g.Name)
		}
		for _, seat := range await {
			text := pick(m, seat)
			e := record.Event{Seat: seat, Reply: &text, WallUS: int64(n%7)*100 + 3}
			if text == "!" {
				e.Reply, e.Fail, e.Detail = nil, string(protocols.KindCrash), "exit code 1 <b>"
				m.Fail(seat, protocols.Failure{Kind: protocols.KindCrash, Detail: e.Detail})
			} else if foul := m.Reply(seat, text); foul != nil {
				m.Fail(seat, protocols.Failure{Kind: protocols.KindFoul, Detail: foul.Reason})
			}
			r.Events = append(r.Events, e)
		}
	}
}

// Completed is a record with how its match ended, by the rules, and with its bots' names.
func Completed(t *testing.T, r record.Record, names ...string) record.Record {
	t.Helper()
	result, err := r.Replay(catalog.Games(), referee.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range result.Seats {
		seat := &r.Seats[i]
		seat.Bot, seat.Digest = names[i], "d-"+names[i]
		seat.Verdict, seat.Detail, seat.Score, seat.Place, seat.Replies = string(s.Verdict), s.Detail, s.Score, s.Place, s.Replies
		seat.WallUS, seat.ChargedUS = s.Wall.Microseconds(), s.Wall.Microseconds()
	}
	return r
}

// Choose picks choices in turn.
func Choose() func(protocols.Match, int) string {
	n := 0
	return func(m protocols.Match, seat int) string {
		c, ok := m.(protocols.Chooser)
		if !ok {
			return "1\n2\n"
		}
		choices := c.Choices(seat)
		n++
		return choices[n*7%len(choices)].Reply
	}
}

// Game is the built-in game of that name.
func Game(t *testing.T, name string) protocols.Game {
	t.Helper()
	for _, g := range catalog.Games() {
		if g.Name == name {
			return g
		}
	}
	t.Fatalf("no game %s", name)
	return protocols.Game{}
}

// Sample is the record of a match of a game.
func Sample(t *testing.T, name string) record.Record {
	t.Helper()
	g := Game(t, name)
	c, err := g.Generate(g.Groups[0], 1)
	if err != nil {
		t.Fatal(err)
	}
	return Play(t, g, c, g.MaxSeats, Choose())
}

// Given makes the record of a match of two on a case of a game, from the replies in turn.
func Given(t *testing.T, game, text string, replies ...string) record.Record {
	t.Helper()
	g := Game(t, game)
	c, err := g.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	r := record.Record{V: 1, ID: "x", Game: g.Name, Case: record.Case{Name: "a case", Text: c.String()}, Seats: []record.Seat{{Bot: "a"}, {Bot: "b"}}}
	for i, reply := range replies {
		r.Events = append(r.Events, record.Event{Seat: 1 + i%2, Reply: &reply})
	}
	return r
}

// Drawn is the record of a match of a game of one's own, in which seat 1 replies to
// each step of a judge but the last.
func Drawn(t *testing.T, steps ...string) record.Record {
	t.Helper()
	facts := talk.Facts{Title: "Drawn", MinSeats: 1, MaxSeats: 1}
	said := strings.Join(steps, "\nask 1\n") + "\nend 1"
	c, err := facts.Told("", said)
	if err != nil {
		t.Fatal(err)
	}
	r := record.Record{
		V: 1, ID: "0123456789abcdef", Game: "drawn", Case: record.Case{Name: "game/1"}, Talk: said, Seats: []record.Seat{{Bot: "a"}},
		Package: &record.Package{Format: record.FormatUmpire, Digest: "0123456789abcdef", Facts: facts},
		Limits:  record.NewLimits(c.Limits(1), referee.PonderAllow),
	}
	for n := range steps[1:] {
		reply := fmt.Sprint(n + 1)
		r.Events = append(r.Events, record.Event{Seat: 1, Reply: &reply, WallUS: 100})
	}
	return r
}

// Nasty is text that would act if it were taken for markup, a script or a link.
const Nasty = "</script><script>alert(1)</script><img src=x onerror=alert(2)><a href='javascript:alert(3)'>\"'`{{.}}\u202egnp\u2066\x1b[31m"
