package recheck

import (
	"testing"

	"umpire/referee/record"
)

// TestCompare: a bot that replies otherwise to what it was told otherwise, or is asked no more,
// is not the first to differ.
func TestCompare(t *testing.T) {
	of := func(talk string, replies ...string) *record.Record {
		r := &record.Record{Talk: talk, Seats: []record.Seat{{Bot: "a", Verdict: "ok"}, {Bot: "b", Verdict: "ok"}}}
		for i, text := range replies {
			r.Events = append(r.Events, record.Event{Seat: i + 1, Reply: &text})
		}
		return r
	}
	const played = "say 1 x\nask 1 2\nend 1 0"
	for name, test := range map[string]struct {
		a, b *record.Record
		who  string
	}{
		"the same":        {of(played, "1", "2"), of(played, "1", "2"), ""},
		"another reply":   {of(played, "1", "2"), of(played, "1", "3"), "b"},
		"told otherwise":  {of(played, "1", "2"), of("say 1 y\nask 1 2\nend 1 0", "2", "2"), "the judge"},
		"asked no more":   {of(played, "1", "2"), of("end 1 0"), "the judge"},
		"ended otherwise": {of(played, "1", "2"), of("say 1 x\nask 1 2\nend 0 1", "1", "2"), "the judge"},
		"then otherwise":  {of(played, "1", "2"), of("say 1 x\nask 1 2\nend 0 1", "1", "3"), "b"},
		"built in":        {of("", "1", "2"), of("", "3", "2"), "a"},
	} {
		if _, who := Compare(test.a, test.b); who.Bot != test.who {
			t.Errorf("%s: found %q, expected %q", name, who.Bot, test.who)
		}
	}
}
