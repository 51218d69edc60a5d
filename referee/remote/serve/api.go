package serve

import (
	"context"
	_ "embed"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"umpire/referee/remote"
)

// methods lists what answers a request, by its method.
type methods map[string]func(w http.ResponseWriter, r *http.Request) error

// by answers a request by its method.
func (s *Server) by(m methods) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		f := m[r.Method]
		if f == nil {
			otherMethod(w, r, slices.Sorted(maps.Keys(m))...)
			return
		}
		if err := f(w, r); err != nil && !errors.Is(err, context.Canceled) {
			sendFailure(w, s.failureOf(r, err))
		}
	}
}

// otherMethod answers a request of a method that its address does not have.
func otherMethod(w http.ResponseWriter, r *http.Request, allowed ...string) {
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	fail(w, codeMethod, "found method "+remote.Quote(r.Method)+", expected "+strings.Join(allowed, " or "))
}

// api lists the JSON interface.
func (s *Server) api() map[string]methods {
	return map[string]methods{
		"join":                {"POST": s.join},
		"seat":                {"GET": s.seat, "DELETE": s.leave},
		"seat/turns/{turn}":   {"GET": s.turn, "PUT": s.reply},
		"games":               {"GET": s.looking(s.listGames)},
		"games/{game}":        {"GET": s.looking(s.describeGame)},
		"players":             {"GET": s.looking(s.listPlayers), "POST": s.organising(s.addPlayer)},
		"players/{name}":      {"DELETE": s.organising(s.removePlayer)},
		"lobby/events":        {"GET": s.looking(func(w http.ResponseWriter, r *http.Request) error { return followLobby(s, w, r) })},
		"matches":             {"GET": s.looking(s.listMatches), "POST": s.makeMatch},
		"matches/{id}":        {"GET": s.looking(s.describeMatch), "DELETE": s.organising(s.cancelMatch)},
		"matches/{id}/record": {"GET": s.looking(s.showRecord)},
		"matches/{id}/events": {"GET": s.looking(s.followMatch)},
		"openapi.json":        {"GET": describeInterface},
	}
}

// openAPI describes the JSON interface in the form of OpenAPI 3.1. Tests hold the answers
// against it.
//
//go:embed openapi.json
var openAPI []byte

func describeInterface(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "application/json")
	_, err := w.Write(openAPI)
	return err
}

// secret is the secret that a request brings; "" if it brings none.
func secret(r *http.Request) string {
	scheme, rest, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(rest)
}

// refused answers a request whose secret is wrong, and counts it.
func (s *Server) refused(r *http.Request, err error) error {
	if !s.wrong.take(s.proxies.source(r)) {
		return failed(codeRate, "too many wrong secrets from this address: one a second is answered")
	}
	return err
}

// checked counts a problem that says that a secret is wrong.
func (s *Server) checked(r *http.Request, err error) error {
	var p *remote.Problem
	if errors.As(err, &p) && (p.Code == remote.CodeKey || p.Code == remote.CodeTicket) {
		return s.refused(r, err)
	}
	return err
}

// organising admits the organiser alone.
func (s *Server) organising(f func(http.ResponseWriter, *http.Request) error) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		if !s.organises(r) {
			return s.refused(r, failed(codeToken, "only the organiser may do this, with the token that umpire has printed"))
		}
		return f(w, r)
	}
}

func (s *Server) organises(r *http.Request) bool { return same(secret(r), s.Token) }

// looking admits everybody, unless the server is private.
func (s *Server) looking(f func(http.ResponseWriter, *http.Request) error) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		if s.Private && !s.organises(r) {
			_, isPlayer := s.Keys.Find(secret(r))
			_, err := s.Hub.Seat(secret(r))
			if !isPlayer && err != nil {
				return s.refused(r, failed(codeToken, "looking needs the organiser's token, a player's key or a seat's ticket"))
			}
		}
		return f(w, r)
	}
}

// seconds reads a time to wait.
func seconds(n int64) (time.Duration, error) {
	if most := int64(remote.MaxWait / time.Second); n < 0 || n > most {
		return 0, failed(remote.CodeWait, "wait: found "+strconv.FormatInt(n, 10)+" seconds, expected 0 to "+strconv.FormatInt(most, 10))
	}
	return time.Duration(n) * time.Second, nil
}

// patience lets the answer to a request come after it has waited.
func patience(w http.ResponseWriter, wait time.Duration) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(wait + writeTime))
}

// noNews is the answer to a secret whose requests bring nothing new too often.
func noNews() error {
	return failed(codeRate, "too many requests that bring nothing new: wait longer for each")
}

// join answers a player that wants a seat.
func (s *Server) join(w http.ResponseWriter, r *http.Request) error {
	var body struct {
		Game    string `json:"game"`
		Session string `json:"session"`
		Wait    int64  `json:"wait"`
	}
	if err := readJSON(w, r, maxBody, &body); err != nil {
		return err
	}
	info, err := s.joinSeat(w, r, secret(r), body.Game, body.Session, body.Wait)
	if err != nil {
		return err
	}
	send(w, http.StatusOK, info)
	return nil
}

// joinSeat gives a player a seat, by whichever interface it has asked.
func (s *Server) joinSeat(w http.ResponseWriter, r *http.Request, key, game, session string, wait int64) (remote.SeatInfo, error) {
	patient, err := seconds(wait)
	if err != nil {
		return remote.SeatInfo{}, err
	}
	if !s.fresh.may(cause(key)) {
		return remote.SeatInfo{}, noNews()
	}
	patience(w, patient)
	admit(r, func() (string, bool) { return s.holder(key) })
	info, err := s.Hub.Join(r.Context(), key, game, session, patient)
	if err = s.checked(r, err); err == nil && !info.New {
		s.fresh.take(cause(key))
	}
	return info, err
}

// ask reads a seat's request for a turn.
func (s *Server) ask(w http.ResponseWriter, r *http.Request) (remote.Ask, error) {
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
func (s *Server) turn(w http.ResponseWriter, r *http.Request) error {
	a, err := s.ask(w, r)
	if err != nil {
		return err
	}
	info, err := s.nextTurn(r, a)
	if err != nil {
		return err
	}
	s.sendTurn(w, r, a, info)
	return nil
}

// sendTurn answers with a turn. A page that asks for the replay gets it with the
// end of the match: umpire may end with the match, and answer no more.
func (s *Server) sendTurn(w http.ResponseWriter, r *http.Request, a remote.Ask, info remote.TurnInfo) {
	answer := struct {
		remote.TurnInfo
		Replay string `json:"replay,omitempty"`
	}{TurnInfo: info}
	if info.State == remote.TurnOver && r.URL.Query().Has("replay") {
		if seat, err := s.Hub.Seat(a.Ticket); err == nil {
			answer.Replay = s.replayText(r, seat.Match)
		}
	}
	patience(w, a.Wait)
	send(w, http.StatusOK, answer)
}

// nextTurn returns a turn, by whichever interface it was asked for.
func (s *Server) nextTurn(r *http.Request, a remote.Ask) (remote.TurnInfo, error) {
	if !s.fresh.may(cause(a.Ticket)) {
		return remote.TurnInfo{}, noNews()
	}
	admit(r, func() (string, bool) { return s.holder(a.Ticket) })
	info, err := s.Hub.Turn(r.Context(), a)
	err = s.checked(r, err)
	var p *remote.Problem
	known := err == nil || errors.As(err, &p) && p.Code != remote.CodeTicket
	if known && !info.News {
		s.fresh.take(cause(a.Ticket))
	}
	return info, err
}

// reply takes a seat's reply, and answers with the next turn.
func (s *Server) reply(w http.ResponseWriter, r *http.Request) error {
	a, err := s.ask(w, r)
	if err != nil {
		return err
	}
	var body struct {
		Reply *string `json:"reply"`
	}
	if err := readJSON(w, r, s.mostReply(a.Ticket), &body); err != nil {
		return err
	}
	if body.Reply == nil {
		return failed(codeJSON, "found no member reply")
	}
	patience(w, a.Wait)
	info, err := s.takeReply(r, a, *body.Reply)
	if err != nil {
		return err
	}
	s.sendTurn(w, r, a, info)
	return nil
}

// takeReply takes a reply, by whichever interface it was sent.
func (s *Server) takeReply(r *http.Request, a remote.Ask, text string) (remote.TurnInfo, error) {
	admit(r, func() (string, bool) { return s.holder(a.Ticket) })
	info, err := s.Hub.Reply(r.Context(), a, text)
	return info, s.checked(r, err)
}

// mostReply is how long a body may be with which a seat replies.
func (s *Server) mostReply(ticket string) int64 {
	if s.Hub.Whole(ticket) {
		return maxWhole
	}
	return maxBody
}

// seat describes the seat that a ticket is for.
func (s *Server) seat(w http.ResponseWriter, r *http.Request) error {
	info, err := s.Hub.Seat(secret(r))
	if err != nil {
		return s.checked(r, err)
	}
	if !s.fresh.take(cause(secret(r))) {
		return noNews()
	}
	send(w, http.StatusOK, info)
	return nil
}

// leave gives up a seat.
func (s *Server) leave(w http.ResponseWriter, r *http.Request) error {
	if err := s.Hub.Leave(secret(r)); err != nil {
		return s.checked(r, err)
	}
	send(w, http.StatusOK, struct{}{})
	return nil
}
