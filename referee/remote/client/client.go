// Package client plays at another umpire: it asks for seats and turns over HTTP,
// and lets a player of this machine reply. Every request is repeated until it
// is answered.
package client

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/remote"
)

const (
	wait     = 25          // seconds that a request waits at the other umpire
	patience = time.Minute // how long to repeat a request that nobody answers
	soon     = 5 * time.Second
	most     = 64 << 20 // bytes of an answer
)

// Client plays for one remote player.
type Client struct {
	URL    string // base
	Key    string
	Memory int64 // limit of the player in bytes; 0: none
	HTTP   *http.Client
	Note   func(format string, args ...any) // tells the user of requests that are repeated
	// over is set where the other umpire has just told how a match ended, and may have ended
	// with it: while connections are refused the next request is repeated for no longer than soon.
	over bool
}

// ErrNoAnswer is wrapped by the error of a request that nobody has answered for
// more than a minute.
var ErrNoAnswer = errors.New("no answer")

// codeURL is the code of a problem that is not the other umpire's: nothing heals what the URL
// leads to.
const codeURL = "url"

// Problem is why the other umpire can't answer.
type Problem struct{ Code, Message string }

func (p *Problem) Error() string { return p.Message + " (" + p.Code + ")" }

// do makes a request, and repeats it until it is answered.
func (c *Client) do(ctx context.Context, method, path, secret string, body, into any) error {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return err
		}
	}
	pause := 50 * time.Millisecond
	for began, tries := time.Now(), 1; ; tries++ {
		err := c.once(ctx, method, path, secret, text, into)
		p, refused := errors.AsType[*Problem](err)
		longest := patience + wait*time.Second
		if c.over && errors.Is(err, syscall.ECONNREFUSED) {
			longest = soon
		}
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case refused && p.Code != "rate" && p.Code != "full" && p.Code != "slow":
			return err
		case time.Since(began) > longest:
			return fmt.Errorf("%w: %w", ErrNoAnswer, err)
		case c.Note == nil:
		case refused && pause > time.Second:
			c.Note("umpire: trying again: %v\n", err)
		case !refused && tries == 2: // the first may be of a connection that was closed meanwhile
			c.Note("umpire: no answer, trying again for up to %g s: %v\n", longest.Seconds(), err)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
		pause = min(2*pause, 5*time.Second)
	}
}

func (c *Client) once(ctx context.Context, method, path, secret string, body []byte, into any) error {
	r, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(c.URL, "/")+"/api/v1/"+path, bytes.NewReader(body))
	if err != nil {
		return &Problem{codeURL, err.Error()}
	}
	r.Header.Set("Authorization", "Bearer "+secret)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := c.HTTP.Do(r)
	if errors.As(err, new(*tls.CertificateVerificationError)) || errors.Is(err, http.ErrSchemeMismatch) {
		return &Problem{codeURL, err.Error()}
	}
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, most))
	if err != nil {
		return err
	}
	if answer.StatusCode >= 300 {
		var e struct {
			Error Problem `json:"error"`
		}
		if json.Unmarshal(text, &e) != nil || e.Error.Code == "" {
			err := fmt.Errorf("found status %s, expected an umpire", answer.Status)
			if answer.StatusCode == http.StatusBadRequest { // as plain HTTP gets where https is spoken
				err = &Problem{codeURL, err.Error()}
			}
			return err
		}
		return &e.Error
	}
	return json.Unmarshal(text, into)
}

// Join waits until the session has a seat, in the named game or, if game is "",
// in any.
func (c *Client) Join(ctx context.Context, game, session string) (seat remote.SeatInfo, err error) {
	for asker := *c; err == nil && seat.State != "seated"; asker.over = false {
		err = asker.do(ctx, http.MethodPost, "join", c.Key, map[string]any{"game": game, "session": session, "wait": wait}, &seat)
	}
	return seat, err
}

// Play plays one match with a player of this machine, and returns how it ended.
// The calling goroutine must stay locked to its thread where the player demands
// that.
func (c *Client) Play(ctx context.Context, seat remote.SeatInfo, player referee.Player) (end remote.TurnInfo, err error) {
	g := &game{Client: c, seat: seat}
	if end, err = g.turn(ctx, 1); err != nil || ended(end) {
		return end, err
	}
	limits := protocols.Limits{Memory: c.Memory}
	if b := seat.Budget; b != nil {
		limits.Time, limits.PerMove = time.Duration(b.TimeMS)*time.Millisecond, time.Duration(b.MoveMS)*time.Millisecond
		limits.Startup = time.Duration(b.StartMS) * time.Millisecond
	}
	bot, err := player.Sit(ctx, referee.Seating{Game: seat.Game, Seat: seat.Seat, Seats: seat.Seats, Limits: limits, Match: seat.Match})
	if err != nil {
		return end, errors.Join(err, g.leave(ctx))
	}
	defer bot.Stop()
	for k := 1; ; k++ {
		if end, err = g.await(ctx, k, end); err == nil && end.State == remote.TurnOver && len(end.Lines) > 0 {
			bot.Send(strings.Join(end.Lines, "\n"))
			bot.CloseInput()
			_, _ = bot.Receive(ctx, referee.Ask{Told: true, Limit: farewell, Wall: farewell, UntilEOF: true})
		}
		if err != nil || ended(end) {
			return end, err
		}
		text, closed, err := g.think(ctx, k, bot, end)
		failure, failed := errors.AsType[*protocols.Failure](err)
		switch {
		case ended(closed):
			return closed, nil
		case closed.State != "":
			return g.await(ctx, k+1, remote.TurnInfo{State: remote.TurnWait})
		case failed:
			if err := g.leave(ctx); err != nil {
				return end, err
			}
			end, err := g.await(ctx, k+1, remote.TurnInfo{State: remote.TurnWait})
			if end.Detail == "left the match" {
				end.Detail += ": " + failure.Error()
			}
			return end, err
		case err != nil:
			return end, err
		case end.State == remote.TurnDone && end.Reply != nil:
			text = *end.Reply // what was replied before this umpire was started again
		}
		path := fmt.Sprintf("seat/turns/%d?wait=%d", k, wait)
		end = remote.TurnInfo{}
		if err := c.do(ctx, http.MethodPut, path, seat.Ticket, map[string]string{"reply": text}, &end); err != nil {
			return end, err
		}
	}
}

// farewell is how long a program has for the last lines of a match: it may have to pass them
// on, and nobody else waits for it.
const farewell = 10 * time.Second

func ended(t remote.TurnInfo) bool { return t.State == remote.TurnOver || t.State == remote.TurnVoid }

// game is a match in progress.
type game struct {
	*Client
	seat remote.SeatInfo
}

// turn asks for a turn once.
func (g *game) turn(ctx context.Context, k int) (info remote.TurnInfo, err error) {
	err = g.do(ctx, http.MethodGet, fmt.Sprintf("seat/turns/%d?wait=%d", k, wait), g.seat.Ticket, nil, &info)
	return info, err
}

// await asks for a turn until it is there; info is what is known of it.
func (g *game) await(ctx context.Context, k int, info remote.TurnInfo) (remote.TurnInfo, error) {
	var err error
	for err == nil && info.State == remote.TurnWait {
		info, err = g.turn(ctx, k)
	}
	return info, err
}

// lookAgain is how often a match is looked at while the player thinks.
const lookAgain = time.Second

// think lets the player reply to turn k, unless the match or the seat's part in it is over before,
// as closed says then, or the other umpire says that it is about to end: it is soon gone.
func (g *game) think(ctx context.Context, k int, bot referee.Contestant, t remote.TurnInfo) (text string, closed remote.TurnInfo, err error) {
	thinking, cancel := context.WithCancelCause(ctx)
	var looks sync.WaitGroup
	looks.Go(func() {
		again := time.NewTicker(lookAgain)
		defer again.Stop()
		for thinking.Err() == nil {
			select {
			case <-again.C:
				var now remote.TurnInfo
				err := g.once(thinking, http.MethodGet, fmt.Sprint("seat/turns/", k), g.seat.Ticket, nil, &now)
				if p, refused := errors.AsType[*Problem](err); refused && p.Code == remote.CodeStopping {
					cancel(err)
				} else if err == nil && (ended(now) || now.Verdict != string(referee.OK)) {
					closed = now
					cancel(nil)
				}
			case <-thinking.Done():
			}
		}
	})
	text, err = g.reply(thinking, bot, t)
	cancel(nil)
	looks.Wait()
	if p, stopping := errors.AsType[*Problem](context.Cause(thinking)); stopping {
		err = p
	}
	return text, closed, err
}

// reply lets the player reply to a turn.
func (g *game) reply(ctx context.Context, bot referee.Contestant, t remote.TurnInfo) (string, error) {
	if len(t.Lines) > 0 {
		bot.Send(strings.Join(t.Lines, "\n"))
	}
	if t.Whole {
		bot.CloseInput()
	}
	ask := referee.Ask{Told: len(t.Lines) > 0, Limit: -1, Wall: -1, UntilEOF: t.Whole}
	if t.LeftMS >= 0 {
		// The other umpire's clock decides; this only ends a program that hangs.
		ask.Limit = time.Duration(t.LeftMS)*time.Millisecond + 10*time.Second
		if b := g.seat.Budget; b != nil {
			ask.Limit += time.Duration(b.GraceMS+b.StartMS) * time.Millisecond // the latter is for turn 1, and no harm later
		}
	}
	r, err := bot.Receive(ctx, ask)
	return r.Text, err
}

func (g *game) leave(ctx context.Context) error {
	return g.do(ctx, http.MethodDelete, "seat", g.seat.Ticket, nil, new(struct{}))
}
