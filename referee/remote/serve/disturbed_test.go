package serve_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

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
	lasts        int // replies until its client loses all that it knows; 0: for ever
	told         []string
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
	n     int // replies
	past  int // of them, those that were given before it was started again: what it says doesn't count
	lasts int // replies until it fails; 0: for ever
	told  []string
}

func (d *dialogue) Sit(context.Context, referee.Seating) (referee.Contestant, error) { return d, nil }

func (d *dialogue) Send(lines string) { d.told = append(d.told, lines) }

func (d *dialogue) Receive(context.Context, referee.Ask) (referee.Reply, error) {
	d.n++
	switch {
	case d.lasts > 0 && d.n > d.lasts:
		return referee.Reply{}, errLost
	case d.n <= d.past:
		return referee.Reply{Text: "nothing"}, nil
	case d.n%3 == 0:
		return referee.Reply{Text: "hold"}, nil
	}
	return referee.Reply{Text: "roll"}, nil
}

// A client that makes every request twice, one that loses every second answer, and one
// that loses all it knew and starts again, play the same match as undisturbed ones.
func TestDisturbedClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		play := func(alice, bob disturbed) (played []string, seats []record.Seat) {
			s := openInBubble(t, t.TempDir(), nil)
			s.player("alice")
			s.player("bob")
			id := s.order(map[string]any{"game": "relay", "seats": []string{"remote:alice", "remote:bob"}, "case": "60\n7", "time_ms": 0})
			one := func(name string, d *disturbed) func() {
				return func() {
					d.RoundTripper = s.http.Transport
					c := &client.Client{URL: s.server.URL, Key: s.keys[name], HTTP: &http.Client{Transport: d}}
					play := func(bot *dialogue) (end remote.TurnInfo, err error) {
						seat, err := c.Join(t.Context(), "", "")
						if err == nil {
							end, err = c.Play(t.Context(), seat, bot)
						}
						d.told = bot.told
						return end, err
					}
					end, err := play(&dialogue{lasts: d.lasts})
					if errors.Is(err, errLost) {
						end, err = play(&dialogue{past: d.lasts})
					}
					told := end.State == remote.TurnOver && slices.Contains(end.Lines, "end")
					if err != nil || !told || len(end.Results) != 2 || end.Results[0].Verdict != "ok" {
						t.Errorf("%s: found %+v, error %v", name, end, err)
					}
				}
			}
			together(one("alice", &alice), one("bob", &bob))
			r := get[record.Record](s, "GET", "matches/"+id+"/record", "", nil)
			for _, e := range r.Events {
				played = append(played, string(rune('0'+e.Seat))+*e.Reply)
			}
			for _, seat := range r.Seats {
				seat.WallUS, seat.ChargedUS = 0, 0
				seats = append(seats, seat)
			}
			return slices.Concat(played, alice.told, bob.told), seats
		}
		played, seats := play(disturbed{}, disturbed{})
		if len(played) < 20 || seats[0].Verdict != "ok" {
			t.Fatalf("found replies and lines %q, seats %+v", played, seats)
		}
		for _, how := range [][2]disturbed{{{twice: true}, {}}, {{}, {loses: true}}, {{loses: true, lasts: 5}, {twice: true, lasts: 4}}} {
			again, ended := play(how[0], how[1])
			if diff := cmp.Diff(played, again) + cmp.Diff(seats, ended); diff != "" {
				t.Errorf("the match went differently (-undisturbed +disturbed):\n%s", diff)
			}
		}
	})
}

// refusing is a connection to an umpire that ends with its only match.
type refusing struct {
	http.RoundTripper
	ended *bool
}

func (r refusing) RoundTrip(q *http.Request) (*http.Response, error) {
	if *r.ended {
		return nil, syscall.ECONNREFUSED
	}
	return r.RoundTripper.RoundTrip(q)
}

// Who brings a bot is not kept waiting for an umpire that has ended with its last match.
func TestJoiningEnds(t *testing.T) {
	inBubble(t, func(t *testing.T, s *site) {
		ended, over := false, false
		c := &client.Client{URL: s.server.URL, Key: s.player("alice"), HTTP: &http.Client{Transport: refusing{s.http.Transport, &ended}}}
		s.order(map[string]any{"game": "morra", "seats": []string{"remote:alice", "@2"}, "case": "2 1"})
		j := client.Joining{
			Client: c, Player: replier("1"), Over: func() { over = true },
			Ended: func(remote.SeatInfo, remote.TurnInfo) { ended = true },
		}
		began := time.Now()
		if err := j.Run(t.Context(), 1); err != nil || !over || time.Since(began) > 10*time.Second {
			t.Errorf("found error %v, over %v, after %v", err, over, time.Since(began))
		}
	})
}

// A bot that is asked beyond its time is ended with its part in the match, and its user told how.
func TestJoiningLate(t *testing.T) {
	inBubble(t, func(t *testing.T, s *site) {
		var limit time.Duration
		bot := thinker{replier: "1", think: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }}
		bot.asked = func(ask referee.Ask) { limit = ask.Limit }
		c := &client.Client{URL: s.server.URL, Key: s.player("alice"), HTTP: s.http}
		s.house.Grace = 30 * time.Second
		s.order(map[string]any{"game": "morra", "seats": []string{"remote:alice", "@2"}, "case": "2 1", "time_ms": 1000})
		began, verdict := time.Now(), ""
		ctx, cancel := context.WithCancel(t.Context())
		j := client.Joining{Client: c, Player: bot, Over: func() {}, Ended: func(_ remote.SeatInfo, end remote.TurnInfo) {
			verdict = end.Verdict
			cancel()
		}}
		_ = j.Run(ctx, 1)
		if took := time.Since(began); verdict != "time" || took < 30*time.Second || took > 34*time.Second || limit < 40*time.Second {
			t.Errorf("found verdict %q after %v, with a limit of %v", verdict, took, limit)
		}
	})
}

// thinker is a program that thinks before each reply.
type thinker struct {
	replier
	think func(ctx context.Context) error
	asked func(referee.Ask)
}

func (b thinker) Sit(context.Context, referee.Seating) (referee.Contestant, error) { return b, nil }

func (b thinker) Receive(ctx context.Context, ask referee.Ask) (referee.Reply, error) {
	if b.asked != nil {
		b.asked(ask)
	}
	return referee.Reply{Text: string(b.replier)}, b.think(ctx)
}

// joinMorra has a bot join as a player whose match does not end, and returns how often the user is
// told that the other umpire has ended; told is called with what else the user is told.
func joinMorra(t *testing.T, s *site, bot referee.Player, next http.RoundTripper, told func(note string)) (over int, err error) {
	c := &client.Client{URL: s.server.URL, Key: s.player("alice"), HTTP: &http.Client{Transport: next}}
	c.Note = func(format string, args ...any) { told(fmt.Sprintf(format, args...)) }
	s.order(map[string]any{"game": "morra", "seats": []string{"remote:alice", "@2"}, "case": "2 1", "time_ms": 0, "move_ms": 0})
	j := client.Joining{Client: c, Player: bot, Over: func() { over++ }, Ended: func(_ remote.SeatInfo, end remote.TurnInfo) { t.Errorf("found %+v", end) }}
	err = j.Run(t.Context(), 1)
	return over, err
}

// An umpire that is stopped while a player thinks tells it so, and the player's umpire ends.
func TestJoiningStopped(t *testing.T) {
	inBubble(t, func(t *testing.T, s *site) {
		thinking := make(chan struct{})
		var stopped time.Time
		bot := thinker{replier: "1", think: func(ctx context.Context) error {
			close(thinking)
			<-ctx.Done()
			return ctx.Err()
		}}
		together(func() {
			over, err := joinMorra(t, s, bot, s.http.Transport, func(note string) { t.Errorf("the user is told %q", note) })
			if took := time.Since(stopped); err != nil || over != 1 || took > 2*time.Second {
				t.Errorf("after %v: the user is told %d times that it has ended, error %v", took, over, err)
			}
		}, func() {
			<-thinking
			stopped = time.Now()
			s.close()
		})
	})
}

// An umpire that vanishes in the middle of a match may be started again: the user is told at
// once for how long it is asked, and once.
func TestJoiningVanished(t *testing.T) {
	inBubble(t, func(t *testing.T, s *site) {
		gone := false
		began := time.Now()
		var notes []string
		bot := thinker{replier: "1", think: func(context.Context) error { gone = true; return nil }}
		_, err := joinMorra(t, s, bot, refusing{s.http.Transport, &gone}, func(note string) {
			if notes = append(notes, note); time.Since(began) > time.Second {
				t.Errorf("after %v the user is told %q", time.Since(began), note)
			}
		})
		if took := time.Since(began); !errors.Is(err, client.ErrNoAnswer) || took < 85*time.Second || took > 95*time.Second {
			t.Errorf("after %v: found error %v", took, err)
		}
		if len(notes) != 1 || !strings.HasPrefix(notes[0], "umpire: no answer, trying again for up to 85 s: ") {
			t.Errorf("the user is told %q", notes)
		}
	})
}
