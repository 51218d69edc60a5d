package fleet

import (
	"fmt"
	"net"
	"net/url"
	"strings"
)

// AddressError says why nobody can be joined at a worker's URL.
type AddressError struct{ error }

func (e *AddressError) Unwrap() error { return e.error }

// addresses returns the URLs of the NATS server that a URL, or a list of them
// with commas, stands for.
func (w *Worker) addresses() (string, error) {
	var list []string
	for one := range strings.SplitSeq(w.URL, ",") {
		address, err := w.address(strings.TrimSpace(one))
		if err != nil {
			return "", &AddressError{err}
		}
		list = append(list, address)
	}
	return strings.Join(list, ","), nil
}

func (w *Worker) address(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" {
		return "", fmt.Errorf("found URL %q, expected http://HOST:PORT, https://HOST or nats://HOST", text)
	}
	address := text
	switch u.Scheme {
	case "http", "ws":
		address = "ws://" + withPort(u, "80")
	case "https", "wss":
		return "wss://" + withPort(u, "443"), nil
	case "tls":
		return text, nil
	case "nats":
	default:
		return "", fmt.Errorf("found URL %q, expected one of http, https, nats or tls", text)
	}
	if !w.Insecure && w.TLS == nil && !isLoopback(u.Hostname()) {
		return "", fmt.Errorf("found URL %q, beyond this machine and without TLS, which would show the secret on the way; expected https: or tls:, or --insecure", text)
	}
	return address, nil
}

// withPort returns the host of a URL with its port, or the usual one.
func withPort(u *url.URL, usual string) string {
	if u.Port() != "" {
		return u.Host
	}
	return net.JoinHostPort(u.Hostname(), usual)
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
