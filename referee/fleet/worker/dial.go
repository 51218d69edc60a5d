package worker

import (
	"crypto/tls"
	"errors"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"umpire/referee/fleet"
)

// Options are those of the connection of a worker with an id and a secret.
func Options(id, secret string) []nats.Option {
	return []nats.Option{
		nats.Name(secret), nats.CustomInboxPrefix(fleet.Inbox(id)), nats.MaxReconnects(-1), nats.ReconnectWait(fleet.BeatEvery / 2),
	}
}

// Dial connects to a NATS server, or to one of those that a list names. Note, if
// not nil, is told what the server refuses later.
func Dial(address, token string, config *tls.Config, note func(string, ...any), options ...nats.Option) (*nats.Conn, error) {
	options = append(options, nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
		if note != nil && !strings.Contains(err.Error(), fleet.HelloTo(fleet.Probe)) {
			note("umpire: %v\n", explain(err))
		}
	}))
	if token != "" {
		options = append(options, nats.Token(token))
	}
	if config != nil {
		options = append(options, nats.Secure(config))
	}
	nc, err := nats.Connect(address, options...)
	if err != nil {
		return nil, explain(err)
	}
	return nc, nil
}

// explain puts errors of the NATS library into words of people who don't know
// what it does.
func explain(err error) error {
	var plain tls.RecordHeaderError
	switch {
	case errors.Is(err, nats.ErrNoServers):
		return errors.New("nobody answers there")
	case errors.Is(err, nats.ErrPermissionViolation):
		return fmt.Errorf("the NATS server's configuration does not allow it: %w", err)
	case errors.As(err, &plain):
		return errors.New("what answers there does not speak TLS; expected http: or nats: instead")
	case strings.HasSuffix(err.Error(), "invalid websocket connection"):
		return errors.New("what answers there is no umpire that workers can join, or speaks https")
	}
	return err
}

// IsUntrusted reports whether a connection failed since the server's certificate
// is not trusted.
func IsUntrusted(err error) bool {
	var certificate *tls.CertificateVerificationError
	return errors.As(err, &certificate)
}

// RefusedUser says that a server refuses who connects.
const RefusedUser = "the NATS server refuses the user, password or token"

// unauthorized is the error of a worker whose secret is wrong.
func (w *Worker) unauthorized() error {
	if strings.HasPrefix(w.URL, "http") {
		return &fleet.RefusedError{Why: "its key or token is none of this run"}
	}
	return &fleet.AddressError{Err: errors.New(RefusedUser)}
}

// Denied returns the error of a request: that the server did not allow it, if
// that is why there was no answer.
func Denied(nc *nats.Conn, err error) error {
	if last := nc.LastError(); err != nil && errors.Is(last, nats.ErrPermissionViolation) {
		return explain(last)
	}
	return err
}

// isDuplicate reports whether a message was refused since its subject has one.
func isDuplicate(err error) bool {
	var refused *jetstream.APIError
	return errors.As(err, &refused) && refused.Description == "maximum messages per subject exceeded"
}

// IsFull reports whether a message was refused since its stream has all the bytes that it
// may have.
func IsFull(err error) bool {
	var refused *jetstream.APIError
	return errors.As(err, &refused) && refused.Description == "maximum bytes exceeded"
}

// IsTemporary reports whether the server may accept later what it has not
// answered, or has refused for want of a leader.
func IsTemporary(err error) bool {
	var refused *jetstream.APIError
	return !errors.As(err, &refused) || refused.Code == 503 && refused.ErrorCode != 10077 || IsFull(err)
}
