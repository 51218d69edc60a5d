package fleet

import (
	"context"
	"testing"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
	"umpire/referee"
	"umpire/referee/arena"
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
	s, c := open(t, Config{Games: games})
	liars := []*byHand{newByHand(t, s), newByHand(t, s)}
	run, got := start(t, c, sums(2))
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
		dropped(t, liar)
	}
	join(t, s, arena.Local{Games: games, Players: []referee.Player{one{}}, Jobs: 1})
	if err := ended(t, run); err != nil || len(*got) != 2 || (*got)[0].Seats[0].Score == 1000 || (*got)[1].Seats[0].Score == 1000 || (*got)[0].Error != "" {
		t.Errorf("found %+v, error %v", *got, err)
	}
}
