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

// Dial connects to the NATS server that URL names, or to one of several. Only URL, Token,
// Insecure and TLS matter, and Note, which is told what the server refuses later. Errors that
// only who has given these can mend are a *fleet.AddressError.
func (w *Worker) Dial(options ...nats.Option) (*nats.Conn, error) {
	address, err := fleet.Addresses(w.URL, w.Insecure || w.TLS != nil)
	if err != nil {
		return nil, err
	}
	options = append(options, nats.ErrorHandler(func(nc *nats.Conn, _ *nats.Subscription, err error) {
		if w.Note != nil && !isOfProbe(err) && !errors.Is(err, nats.ErrAuthorization) { // which ends the connection, and is explained then
			w.Note("umpire: %v\n", Denied(nc, err))
		}
	}))
	if w.Token != "" {
		options = append(options, nats.Token(w.Token))
	}
	if w.TLS != nil && strings.HasPrefix(address, "ws://") {
		return nil, &fleet.AddressError{Err: fmt.Errorf("found URL %q with --tls-ca, expected one of https", fleet.HideSecrets(w.URL))}
	}
	if w.TLS != nil {
		options = append(options, nats.Secure(w.TLS))
	}
	nc, err := nats.Connect(address, options...)
	if err != nil {
		return nil, w.explain(err)
	}
	return nc, nil
}

// isOfProbe reports whether a server refuses a worker no more than to speak as any other.
func isOfProbe(err error) bool { return strings.Contains(err.Error(), "."+fleet.Probe+`"`) }

// explain says why there is no connection, in words of people who don't know what the NATS
// library does.
func (w *Worker) explain(err error) error {
	url := fleet.HideSecrets(w.URL)
	switch {
	case errors.Is(err, nats.ErrAuthorization) && w.Token == "" && !strings.Contains(w.URL, "@"):
		return &fleet.AddressError{Err: fmt.Errorf("at %s: a key or a token is needed, and none is given; expected it in UMPIRE_KEY or --token-file", url)}
	case errors.Is(err, nats.ErrAuthorization):
		return &fleet.AddressError{Err: fmt.Errorf("at %s: the server refuses the user, or the key or token in UMPIRE_KEY or --token-file", url)}
	case errors.As(err, new(*tls.CertificateVerificationError)):
		return &fleet.AddressError{Err: err}
	case errors.Is(err, nats.ErrNoServers):
		err = errors.New("nobody answers there")
	case errors.As(err, new(tls.RecordHeaderError)):
		err = errors.New("what answers there does not speak TLS; expected http: or nats: instead")
	case strings.HasPrefix(err.Error(), "read ") && strings.HasSuffix(err.Error(), "timeout") && !strings.HasPrefix(w.URL, "http"):
		err = errors.New("what listens there hangs, or does not speak NATS; if it is umpire, expected a URL of http or https")
	case strings.HasSuffix(err.Error(), "invalid websocket connection"):
		err = errors.New("what answers there is no umpire that workers can join, or speaks https")
	}
	return fmt.Errorf("no server at %s: %w", url, err)
}

// Denied returns an error of a connection: that the server did not allow something, if that is
// why.
func Denied(nc *nats.Conn, err error) error {
	if last := nc.LastError(); err != nil && errors.Is(last, nats.ErrPermissionViolation) {
		return fmt.Errorf("the NATS server's configuration does not allow it: %w", last)
	}
	return err
}

// isDuplicate reports whether a message was refused since its subject has one.
func isDuplicate(err error) bool {
	refused, ok := errors.AsType[*jetstream.APIError](err)
	return ok && refused.Description == "maximum messages per subject exceeded"
}

// IsFull reports whether a message was refused since its stream has all the bytes that it
// may have.
func IsFull(err error) bool {
	refused, ok := errors.AsType[*jetstream.APIError](err)
	return ok && refused.Description == "maximum bytes exceeded"
}

// IsTemporary reports whether the server may accept later what it has not
// answered, or has refused for want of a leader.
func IsTemporary(err error) bool {
	refused, ok := errors.AsType[*jetstream.APIError](err)
	return !ok || refused.Code == 503 && refused.ErrorCode != 10077 || IsFull(err)
}
