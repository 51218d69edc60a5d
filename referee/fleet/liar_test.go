package fleet

import (
	"context"
	"slices"
	"testing"
	"time"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/record"
)

// one is the player of sums, whose answer is always 1.
type one struct{}

func (one) Identity() referee.Identity { return referee.Identity{Name: "six", Digest: "6"} }

func (one) Sit(context.Context, referee.Seating) (referee.Contestant, error) { return one{}, nil }

func (one) Send(string)         {}
func (one) CloseInput()         {}
func (one) Stop() referee.Usage { return referee.Usage{} }
func (one) Receive(context.Context, referee.Ask) (referee.Reply, error) {
	return referee.Reply{Text: "1"}, nil
}

// TestLiar: a worker whose record is not valid is dismissed, also if what it
// sends is no record, and the matches are played by another.
func TestLiar(t *testing.T) {
	games := []protocols.Game{protocoltest.Sum()}
	s, err := StartServer(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	c, err := Open(t.Context(), Config{Server: s, Version: "test", Games: games, Note: t.Logf})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(false) })
	liars := []*byHand{newByHand(t, s), newByHand(t, s)}
	var got []record.Record
	done := make(chan error, 1)
	go func() {
		done <- c.Run(t.Context(), slices.Values(sums(2)), func(_ int, r record.Record) error {
			got = append(got, r)
			return nil
		})
	}()
	for i, liar := range liars {
		job, _ := resultOf(liar.take().Subject() + ".0")
		lie := sums(2)[i].Record()
		lie.Seats[0].Verdict, lie.Seats[0].Score = "ok", 1000
		msg, err := resultMessage(liar.result(job, 0), liar.myTicket(), lie)
		if err != nil {
			t.Fatal(err)
		}
		if i == 1 {
			msg.Data = []byte("no record")
		}
		if _, err := liar.js.PublishMsg(t.Context(), msg); err != nil {
			t.Fatal(err)
		}
	}
	for _, liar := range liars {
		for end := time.Now().Add(time.Minute); ; {
			var o orders
			if err := liar.ask(t.Context(), liar.beat(liar.id), beat{}, &o); err != nil {
				t.Fatal(err)
			}
			if o.Refused != "" {
				break
			}
			if time.Now().After(end) {
				t.Fatal("waited a minute for a liar to be dismissed")
			}
		}
	}
	join(t, s, arena.Local{Games: games, Players: []referee.Player{one{}}, Jobs: 1})
	select {
	case err := <-done:
		if err != nil || len(got) != 2 || got[0].Seats[0].Score == 1000 || got[1].Seats[0].Score == 1000 || got[0].Error != "" {
			t.Errorf("found %+v, error %v", got, err)
		}
	case <-time.After(time.Minute):
		t.Fatal("waited a minute for the end of the run")
	}
}
