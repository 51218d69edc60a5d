package serve

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync"

	"golang.org/x/sync/semaphore"

	"umpire/referee/remote"
	"umpire/referee/remote/house"
)

// players is the interface of those who play: seats, turns and replies.
type players struct {
	hub     *remote.Hub
	access  *access
	replays *replays
	fresh   *throttle // requests that bring nothing new, by secret
	reading sync.Map  // tickets of seats whose whole output is being read
	outputs sync.Map  // by player: a *semaphore.Weighted of the bytes of the long ones of these
}

// join answers a player that wants a seat.
func (p *players) join(w http.ResponseWriter, r *http.Request) error {
	var body struct {
		Game    string `json:"game"`
		Session string `json:"session"`
		Wait    int64  `json:"wait"`
	}
	if err := readJSON(w, r, maxBody, &body); err != nil {
		return err
	}
	info, err := p.joinSeat(w, r, secret(r), body.Game, body.Session, body.Wait)
	return answer(w, info, err)
}

// joinSeat gives a player a seat, by whichever interface it has asked.
func (p *players) joinSeat(w http.ResponseWriter, r *http.Request, key, game, session string, wait int64) (remote.SeatInfo, error) {
	patient, err := seconds(wait)
	if err != nil {
		return remote.SeatInfo{}, err
	}
	if !p.fresh.may(cause(key)) {
		return remote.SeatInfo{}, noNews()
	}
	patience(w, patient)
	p.access.admit(r, key)
	info, err := p.hub.Join(r.Context(), key, game, session, patient)
	if err = p.access.checked(r, err); err == nil && !info.New {
		p.fresh.take(cause(key))
	}
	return info, err
}

// noNews is the answer to a secret whose requests bring nothing new too often.
func noNews() error {
	return failed(remote.CodeRate, "too many requests that bring nothing new: wait longer for each")
}

// ask reads a seat's request for a turn.
func ask(w http.ResponseWriter, r *http.Request) (remote.Ask, error) {
	a := remote.Ask{Ticket: secret(r)}
	var err error
	if a.Turn, err = strconv.Atoi(r.PathValue("turn")); err != nil {
		return a, failed(remote.CodeArgument, "turn: found "+remote.Quote(r.PathValue("turn"))+", expected a number")
	}
	q := r.URL.Query()
	if q.Has("wait") {
		n, err := strconv.ParseInt(q.Get("wait"), 10, 64)
		if err != nil {
			return a, failed(remote.CodeWait, "wait: found "+remote.Quote(q.Get("wait"))+", expected a number of seconds")
		}
		if a.Wait, err = seconds(n); err != nil {
			return a, err
		}
	}
	a.Board = q.Has("board")
	patience(w, a.Wait)
	return a, nil
}

// turn answers a seat that asks for a turn.
func (p *players) turn(w http.ResponseWriter, r *http.Request) error {
	a, err := ask(w, r)
	if err != nil {
		return err
	}
	info, err := p.nextTurn(r, a)
	return p.sendTurn(w, r, a, info, err)
}

// sendTurn answers with a turn, unless there is an error. A page that asks for the replay gets it with the
// end of the match: umpire may end with the match, and answer no more.
func (p *players) sendTurn(w http.ResponseWriter, r *http.Request, a remote.Ask, info remote.TurnInfo, err error) error {
	if err != nil {
		return err
	}
	shown := struct {
		remote.TurnInfo
		Replay string `json:"replay,omitempty"`
	}{TurnInfo: info}
	if info.State == remote.TurnOver && r.URL.Query().Has("replay") {
		if seat, err := p.hub.Seat(a.Ticket); err == nil {
			shown.Replay = p.replays.text(r, seat.Match)
		}
	}
	patience(w, a.Wait)
	return answer(w, shown, nil)
}

// nextTurn returns a turn, by whichever interface it was asked for.
func (p *players) nextTurn(r *http.Request, a remote.Ask) (remote.TurnInfo, error) {
	if !p.fresh.may(cause(a.Ticket)) {
		return remote.TurnInfo{}, noNews()
	}
	p.access.admit(r, a.Ticket)
	info, err := p.hub.Turn(r.Context(), a)
	err = p.access.checked(r, err)
	problem, refused := errors.AsType[*remote.Problem](err)
	if known := err == nil || refused && problem.Code != remote.CodeTicket; known && !info.News {
		p.fresh.take(cause(a.Ticket))
	}
	return info, err
}

// reply takes a seat's reply, and answers with the next turn.
func (p *players) reply(w http.ResponseWriter, r *http.Request) error {
	a, err := ask(w, r)
	if err != nil {
		return err
	}
	var body struct {
		Reply *string `json:"reply"`
	}
	most, read, err := p.replyRoom(w, r, a.Ticket)
	if err != nil {
		return err
	}
	if most > 0 {
		err = readJSON(w, r, most, &body)
	}
	read()
	switch a.Cut = most == 0 || isTooLong(err); {
	case a.Cut: // no text in it is short enough
		body.Reply = new(string)
	case err != nil:
		return err
	case body.Reply == nil:
		return failed(codeJSON, "found no member reply")
	}
	patience(w, a.Wait)
	info, err := p.takeReply(r, a, *body.Reply)
	return p.sendTurn(w, r, a, info, err)
}

// takeReply takes a reply, by whichever interface it was sent.
func (p *players) takeReply(r *http.Request, a remote.Ask, text string) (remote.TurnInfo, error) {
	p.access.admit(r, a.Ticket)
	info, err := p.hub.Reply(r.Context(), a, text)
	return info, p.access.checked(r, err)
}

// replyRoom returns how long a body may be with which a seat replies, until read is called. A long one, of
// which each seat may send one at a time, waits for other long ones of its player, never for those of others,
// since the clock runs meanwhile. Where no text counts any more it reads the body, or the client would not read
// the answer, and returns 0.
func (p *players) replyRoom(w http.ResponseWriter, r *http.Request, ticket string) (most int64, read func(), err error) {
	switch whole, counts := p.hub.Whole(ticket); {
	case !whole:
		return maxBody, func() {}, nil
	case !counts:
		_, err := io.Copy(io.Discard, http.MaxBytesReader(w, r.Body, maxWhole))
		if err = bodyRead(w, err); isTooLong(err) {
			err = nil
		}
		return 0, func() {}, err
	}
	if _, busy := p.reading.LoadOrStore(ticket, true); busy {
		return 0, nil, failed(remote.CodeRate, "another request is sending the output of this seat")
	}
	size := r.ContentLength
	switch {
	case 0 <= size && size <= maxBody:
		return maxWhole, func() { p.reading.Delete(ticket) }, nil
	case size < 0 || size > maxWhole:
		size = maxWhole
	}
	player, _ := p.hub.Holder(ticket)
	own, _ := p.outputs.LoadOrStore(player, semaphore.NewWeighted(maxWhole))
	outputs := own.(*semaphore.Weighted)
	ctx, cancel := context.WithTimeout(r.Context(), bodyTime)
	defer cancel()
	if err := outputs.Acquire(ctx, size); err != nil {
		p.reading.Delete(ticket)
		return 0, nil, cmp.Or[error](r.Context().Err(), failed(house.CodeFull, "this player is sending too many outputs: try again later"))
	}
	return maxWhole, func() {
		outputs.Release(size)
		p.reading.Delete(ticket)
	}, nil
}

// seat describes the seat that a ticket is for.
func (p *players) seat(w http.ResponseWriter, r *http.Request) error {
	info, err := p.hub.Seat(secret(r))
	if err != nil {
		return p.access.checked(r, err)
	}
	if !p.fresh.take(cause(secret(r))) {
		return noNews()
	}
	return answer(w, info, nil)
}

// leave gives up a seat.
func (p *players) leave(w http.ResponseWriter, r *http.Request) error {
	return answer(w, struct{}{}, p.access.checked(r, p.hub.Leave(secret(r))))
}
