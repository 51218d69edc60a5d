package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"umpire/referee/fleet/status"
)

// onlooker begins the names of clients that only look.
const onlooker = "onlooker-"

// Look asks the coordinator that the worker would play for about its run. Only
// URL, Token, Insecure and TLS matter.
func (w *Worker) Look(ctx context.Context) (f status.Fleet, err error) {
	address, err := addresses(w.URL, w.Insecure || w.TLS != nil)
	if err != nil {
		return f, err
	}
	id := onlooker + newName()
	nc, err := dial(address, w.Token, w.TLS, nil,
		nats.Name(id), nats.CustomInboxPrefix(inbox(id)), nats.Timeout(askWait), nats.NoReconnect())
	switch {
	case errors.Is(err, nats.ErrAuthorization):
		return f, w.unauthorized()
	case isUntrusted(err):
		return f, &AddressError{err}
	case err != nil:
		return f, fmt.Errorf("no coordinator at %s: %w", HideSecrets(w.URL), err)
	}
	defer nc.Close()
	ctx, cancel := context.WithTimeout(ctx, askWait)
	defer cancel()
	msg, err := request(ctx, nc)
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return f, fmt.Errorf("no coordinator at %s: there is a NATS server, at which no run is being played", HideSecrets(w.URL))
	case err != nil:
		return f, fmt.Errorf("ask the coordinator at %s: %w", HideSecrets(w.URL), denied(nc, err))
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
		if msg, err = nc.RequestWithContext(ctx, statusSubject, nil); !errors.Is(err, nats.ErrNoResponders) {
			break
		}
		if wait(ctx, beatEvery/5) != nil {
			break
		}
	}
	return msg, err
}

// isOnlooker reports whether a client's name is that of one who only looks.
func isOnlooker(name string) bool {
	rest, ok := strings.CutPrefix(name, onlooker)
	return ok && workerName.MatchString(rest)
}

// looking are the permissions of an onlooker.
func looking(id string) *server.Permissions {
	return &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: []string{statusSubject}},
		Subscribe: &server.SubjectPermission{Allow: []string{inbox(id) + ".>"}},
	}
}
