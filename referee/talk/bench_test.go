package talk

import (
	"context"
	"testing"

	"umpire/referee"
)

// echoing is a judge that asks seat 1 again and again.
type echoing struct{}

func (echoing) Hear(_ context.Context, _ string, say func(string) bool) error {
	_ = say("say 1 0") || say("ask 1")
	return nil
}

// BenchmarkTurn is what a turn takes beside the judge and the contestant.
func BenchmarkTurn(b *testing.B) {
	m := NewMatch(Facts{MinSeats: 1, MaxSeats: 1, MaxReplies: 1e9}, 1, echoing{})
	if err := m.Hear(b.Context(), nil); err != nil {
		b.Fatal(err)
	}
	answers := []referee.Answer{{Seat: 1, Text: "7"}}
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		if n%1000 == 0 {
			m.talk, m.bytes = m.talk[:0], 0
		}
		m.Next()
		if err := m.Hear(b.Context(), answers); err != nil {
			b.Fatal(err)
		}
		m.Reply(1, "7")
	}
}
