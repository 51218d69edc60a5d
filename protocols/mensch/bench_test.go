package mensch

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkMatch plays a complete four-seat match of random players.
func BenchmarkMatch(b *testing.B) {
	replies := randomMatch(quick)
	b.ReportAllocs()
	for b.Loop() {
		m := Case{quick}.Start(4)
		i := 0
		for step := m.Next(); len(step.Await) > 0; step = m.Next() {
			m.Reply(step.Await[0], replies[i])
			i++
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(replies)), "ns/reply")
	b.ReportMetric(float64(len(replies)), "replies")
}

func randomMatch(d Dice) (replies []string) {
	r := rand.New(rand.NewPCG(1, 1))
	m := Case{d}.Start(4).(*match)
	for step := m.Next(); len(step.Await) > 0; step = m.Next() {
		request := usefulRequest(r, &m.board, 1).String()
		replies = append(replies, request)
		m.Reply(step.Await[0], request)
	}
	return replies
}

// BenchmarkPart3 computes the answer to 100,000 requests.
func BenchmarkPart3(b *testing.B) { benchmarkAnswer(b, 3) }

// BenchmarkPart5 computes the answer to 1000 requests with their boards.
func BenchmarkPart5(b *testing.B) { benchmarkAnswer(b, 5) }

func benchmarkAnswer(b *testing.B, part int) {
	c, err := generateTask(part, largest, 1)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		c.(*task).answer()
	}
}

// BenchmarkParsePart3 reads 100,000 requests.
func BenchmarkParsePart3(b *testing.B) {
	c, err := generateTask(3, largest, 1)
	if err != nil {
		b.Fatal(err)
	}
	text := c.String()
	b.ReportAllocs()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := parseTask(3, text); err != nil {
			b.Fatal(err)
		}
	}
}
