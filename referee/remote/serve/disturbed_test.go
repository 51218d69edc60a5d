package serve_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"umpire/referee"
	"umpire/referee/record"
	"umpire/referee/remote"
	"umpire/referee/remote/client"
)

// disturbed is a connection that makes every request twice, or loses every
// second answer.
type disturbed struct {
	http.RoundTripper
	twice, loses bool
	requests     int
}

var errLost = errors.New("the answer was lost")

func (d *disturbed) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := d.RoundTripper.RoundTrip(r)
	if err != nil {
		return answer, err
	}
	if d.requests++; d.loses && d.requests%2 == 0 {
		return nil, errors.Join(errLost, answer.Body.Close())
	}
	if !d.twice {
		return answer, nil
	}
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return nil, err
	}
	again := r.Clone(r.Context())
	if r.GetBody != nil {
		if again.Body, err = r.GetBody(); err != nil {
			return nil, err
		}
	}
	return d.RoundTripper.RoundTrip(again)
}

// dialogue is a bot of relay: it rolls twice, and holds.
type dialogue struct {
	replier
	n int
}

func (d *dialogue) Sit(context.Context, referee.Seating) (referee.Contestant, error) {
	return &dialogue{}, nil
}

func (d *dialogue) Receive(context.Context, referee.Ask) (referee.Reply, error) {
	if d.n++; d.n%3 == 0 {
		return referee.Reply{Text: "hold"}, nil
	}
	return referee.Reply{Text: "roll"}, nil
}

// A client that makes every request twice, and one that loses every second
// answer, play the same match as undisturbed ones.
func TestDisturbedClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		play := func(alice, bob disturbed) (replies []string, seats []record.Seat) {
			s := openInBubble(t, t.TempDir(), nil)
			s.player("alice")
			s.player("bob")
			id := s.order(map[string]any{"game": "relay", "seats": []string{"remote:alice", "remote:bob"}, "case": "60\n7", "time_ms": 0})
			one := func(name string, d *disturbed) func() {
				return func() {
					d.RoundTripper = s.http.Transport
					c := &client.Client{URL: s.server.URL, Key: s.keys[name], HTTP: &http.Client{Transport: d}}
					seat, err := c.Join(t.Context(), "", "")
					if err != nil {
						t.Error(err)
						return
					}
					end, err := c.Play(t.Context(), seat, &dialogue{})
					if err != nil || end.State != remote.TurnOver {
						t.Errorf("%s: found %+v, error %v", name, end, err)
					}
				}
			}
			together(one("alice", &alice), one("bob", &bob))
			r := get[record.Record](s, "GET", "matches/"+id+"/record", "", nil)
			for _, e := range r.Events {
				replies = append(replies, string(rune('0'+e.Seat))+*e.Reply)
			}
			for _, seat := range r.Seats {
				seat.WallUS, seat.ChargedUS = 0, 0
				seats = append(seats, seat)
			}
			return replies, seats
		}
		replies, seats := play(disturbed{}, disturbed{})
		if len(replies) < 10 || seats[0].Verdict != "ok" {
			t.Fatalf("found replies %q, seats %+v", replies, seats)
		}
		for _, how := range [][2]disturbed{{{twice: true}, {}}, {{}, {loses: true}}, {{loses: true}, {twice: true}}} {
			again, ended := play(how[0], how[1])
			if diff := cmp.Diff(replies, again) + cmp.Diff(seats, ended); diff != "" {
				t.Errorf("the match went differently (-undisturbed +disturbed):\n%s", diff)
			}
		}
	})
}
