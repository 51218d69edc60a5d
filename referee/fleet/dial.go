package fleet

import (
	"crypto/tls"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/nats-io/nats.go"
)

// dial connects to a NATS server, or to one of those that a list names. Note, if
// not nil, is told what the server refuses later.
func dial(address, token string, config *tls.Config, note func(string, ...any), options ...nats.Option) (*nats.Conn, error) {
	options = append(options, nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
		if note != nil {
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

// isUntrusted reports whether a connection failed since the server's certificate
// is not trusted.
func isUntrusted(err error) bool {
	var certificate *tls.CertificateVerificationError
	return errors.As(err, &certificate)
}

const refusedUser = "the NATS server refuses the user, password or token"

// unauthorized is the error of a worker whose secret is wrong.
func (w *Worker) unauthorized() error {
	if strings.HasPrefix(w.URL, "http") {
		return &RefusedError{"the token is not the one of this run"}
	}
	return &AddressError{errors.New(refusedUser)}
}

// denied returns the error of a request: that the server did not allow it, if
// that is why there was no answer.
func denied(nc *nats.Conn, err error) error {
	if last := nc.LastError(); err != nil && errors.Is(last, nats.ErrPermissionViolation) {
		return explain(last)
	}
	return err
}

// secrets matches what a URL says of who asks, up to the password or token.
var secrets = regexp.MustCompile(`://([^/\s,@:]+:)?[^/\s,]*@`)

// HideSecrets returns a text without the passwords and tokens of the URLs in it.
func HideSecrets(text string) string { return secrets.ReplaceAllString(text, "://${1}xxxxx@") }
