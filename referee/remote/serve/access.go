package serve

import (
	"errors"
	"net/http"
	"strings"

	"umpire/referee/keys"
	"umpire/referee/remote"
)

// secret is the secret that a request brings; "" if it brings none.
func secret(r *http.Request) string {
	scheme, rest, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(rest)
}

// access knows whose requests are, and what these may do.
type access struct {
	hub     *remote.Hub
	keys    *keys.File
	token   string // the organiser's secret
	private bool   // looking needs a secret
	proxies proxies
	wrong   *throttle // wrong secrets, by address
}

// organiser is the holder of the token.
const organiser = "organiser"

// holder returns whom a secret belongs to: a player by its key or by the ticket
// of one of its seats, a person by the ticket, or the organiser.
func (a *access) holder(secret string) (player string, known bool) {
	if name, ok := a.keys.Find(secret); ok {
		return "player " + name, true
	}
	if name, ok := a.hub.Holder(secret); ok {
		return name, true
	}
	return organiser, keys.Same(secret, a.token)
}

func (a *access) organises(r *http.Request) bool { return keys.Same(secret(r), a.token) }

// refused answers a request whose secret is wrong, and counts it.
func (a *access) refused(r *http.Request, err error) error {
	if !a.wrong.take(a.proxies.source(r)) {
		return failed(remote.CodeRate, "too many wrong secrets from this address: one a second is answered")
	}
	return err
}

// checked counts a problem that says that a secret is wrong.
func (a *access) checked(r *http.Request, err error) error {
	if p, ok := errors.AsType[*remote.Problem](err); ok && (p.Code == remote.CodeKey || p.Code == remote.CodeTicket) {
		return a.refused(r, err)
	}
	return err
}

// organising admits the organiser alone.
func (a *access) organising(f action) action {
	return func(w http.ResponseWriter, r *http.Request) error {
		if !a.organises(r) {
			return a.refused(r, failed(codeToken, "only the organiser may do this, with the token that umpire has printed"))
		}
		return f(w, r)
	}
}

// looking admits everybody, unless the server is private.
func (a *access) looking(f action) action {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := a.look(r); err != nil {
			return err
		}
		return f(w, r)
	}
}

// look is why a request may not look; nil if it may.
func (a *access) look(r *http.Request) error {
	if !a.private {
		return nil
	}
	if _, known := a.holder(secret(r)); !known {
		return a.refused(r, failed(codeToken, "looking needs the organiser's token, a player's key or a seat's ticket"))
	}
	return nil
}

// admit counts the connection of a request among those of the player whom a secret
// belongs to, if there is one.
func (a *access) admit(r *http.Request, secret string) {
	c := connectionOf(r).limited
	if c.is(isPlayer) {
		return
	}
	if player, known := a.holder(secret); known {
		c.admit(player)
	}
}

// letIn has a request wait for room if its connection is one too many. SOAP's
// secrets are in the body: such a request is answered, and its connection ends
// with it.
func (a *access) letIn(w http.ResponseWriter, r *http.Request) error {
	c := connectionOf(r).limited
	if !c.is(isSurplus) {
		return nil
	}
	if known := secret(r); known != "" {
		a.admit(r, known)
	}
	if c.is(isSurplus) && r.URL.Path == "/soap" {
		w.Header().Set("Connection", "close")
		return nil
	}
	err := c.wait(r.Context())
	if err != nil {
		w.Header().Set("Connection", "close")
	}
	return err
}
