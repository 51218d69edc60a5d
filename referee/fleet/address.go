package fleet

import (
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"umpire/referee/pattern"
)

// AddressError says why nobody can be reached at a URL.
type AddressError struct{ Err error }

func (e *AddressError) Error() string { return e.Err.Error() }

func (e *AddressError) Unwrap() error { return e.Err }

// CompleteURL makes a URL of HOST:PORT, as people type it: http: on this machine
// or where a secret may go anywhere, https: elsewhere and with TLS. Anything else is as it was.
func CompleteURL(text string, safe, tls bool) string {
	u, err := url.Parse("//" + text)
	switch {
	case err != nil || u.Host != text || u.Hostname() == "" || u.Port() == "" || !IsPort(u.Port()):
		return text
	case !tls && (safe || IsLoopback(u.Hostname())):
		return "http://" + text
	}
	return "https://" + text
}

// Addresses returns the URLs of the NATS server that a URL, or a list of them
// with commas, stands for. Safe means that a secret may go there in any case. The error is
// an *AddressError: one names no server, or one to which a secret may not go.
func Addresses(urls string, safe bool) (string, error) {
	var list []string
	for one := range strings.SplitSeq(urls, ",") {
		address, err := address(strings.TrimSpace(one), safe)
		if err != nil {
			return "", &AddressError{err}
		}
		list = append(list, address)
	}
	return strings.Join(list, ","), nil
}

func address(text string, safe bool) (string, error) {
	u, err := url.Parse(text)
	shown := HideSecrets(text)
	if err != nil || u.Hostname() == "" || !IsPort(u.Port()) {
		return "", fmt.Errorf("found URL %q, expected http://HOST:PORT, https://HOST or nats://HOST", shown)
	}
	address := text
	switch u.Scheme {
	case "http", "ws":
		address = "ws://" + withPort(u, "80") + u.Path
	case "https", "wss":
		return "wss://" + withPort(u, "443") + u.Path, nil
	case "tls":
		return text, nil
	case "nats":
	default:
		return "", fmt.Errorf("found URL %q, expected one of http, https, nats or tls", shown)
	}
	if !safe && !IsLoopback(u.Hostname()) {
		return "", fmt.Errorf("found URL %q, beyond this machine and without TLS, which would show the secret on the way; expected https: or tls:, or --insecure", shown)
	}
	return address, nil
}

// UserOf returns the user that a URL, or the first of a list of them, names with a
// password; "" if none.
func UserOf(urls string) string {
	first, _, _ := strings.Cut(urls, ",")
	u, err := url.Parse(strings.TrimSpace(first))
	if err != nil || u.User == nil {
		return ""
	}
	if _, ok := u.User.Password(); !ok {
		return "" // it is a token
	}
	return u.User.Username()
}

// withPort returns the host of a URL with its port, or the usual one.
func withPort(u *url.URL, usual string) string {
	if u.Port() != "" {
		return u.Host
	}
	return u.Host + ":" + usual
}

// IsPort reports whether a text is a port, or there is none.
func IsPort(text string) bool {
	_, err := strconv.ParseUint(text, 10, 16)
	return err == nil || text == ""
}

// IsLoopback reports whether a host is this machine.
func IsLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// secrets matches what a URL says of who asks, up to the password or token.
var secrets = pattern.New(`://([^/\s,@:]+:)?[^/\s,]*@`)

// HideSecrets returns a text without the passwords and tokens of the URLs in it.
func HideSecrets(text string) string { return secrets().ReplaceAllString(text, "://${1}xxxxx@") }
