package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"

	"umpire/referee/fleet"
	"umpire/referee/fleet/status"
)

// Look asks the coordinator that the worker would play for about its run. Only
// URL, Token, Insecure and TLS matter.
func (w *Worker) Look(ctx context.Context) (f status.Fleet, err error) {
	address, err := fleet.Addresses(w.URL, w.Insecure || w.TLS != nil)
	if err != nil {
		return f, err
	}
	id := fleet.NewOnlooker()
	if user := fleet.UserOf(w.URL); fleet.IsUser(user) {
		id = user // which may hear its own answers, and maybe no others
	}
	nc, err := Dial(address, w.Token, w.TLS, nil,
		nats.Name(id), nats.CustomInboxPrefix(fleet.Inbox(id)), nats.Timeout(fleet.AskWait), nats.NoReconnect())
	switch {
	case errors.Is(err, nats.ErrAuthorization):
		return f, w.unauthorized()
	case IsUntrusted(err):
		return f, &fleet.AddressError{Err: err}
	case err != nil:
		return f, fmt.Errorf("no coordinator at %s: %w", fleet.HideSecrets(w.URL), err)
	}
	defer nc.Close()
	ctx, cancel := context.WithTimeout(ctx, fleet.AskWait)
	defer cancel()
	msg, err := request(ctx, nc)
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return f, fmt.Errorf("no coordinator at %s: there is a NATS server, at which no run is being played", fleet.HideSecrets(w.URL))
	case err != nil:
		return f, fmt.Errorf("ask the coordinator at %s: %w", fleet.HideSecrets(w.URL), Denied(nc, err))
	}
	if err := json.Unmarshal(msg.Data, &f); err != nil {
		return f, fmt.Errorf("read the answer of the coordinator: %w", err)
	}
	return f, nil
}

// request asks for the state of the run. A coordinator that has just begun may
// not be there yet.
func request(ctx context.Context, nc *nats.Conn) (msg *nats.Msg, err error) {
	for range 10 {
		if msg, err = nc.RequestWithContext(ctx, fleet.StatusSubject, nil); !errors.Is(err, nats.ErrNoResponders) {
			break
		}
		if Wait(ctx, fleet.BeatEvery/5) != nil {
			break
		}
	}
	return msg, err
}
