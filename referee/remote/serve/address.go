package serve

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// address is where the server is reached.
type address struct {
	url    string // without a slash at the end
	base   *url.URL
	public bool // the URL was given
	listen net.Addr
}

// addressOf returns the address of a server that listens: the given URL, or that of where
// it listens.
func addressOf(c Config, listen net.Addr) (a address, err error) {
	a = address{url: c.URL, public: c.URL != "", listen: listen}
	if !a.public {
		a.url = a.ownURL(c.TLS != nil)
	}
	if a.base, err = url.Parse(a.url); err != nil {
		return a, fmt.Errorf("url: %w", err)
	}
	return a, nil
}

// ownURL is the URL of the address at which the server listens.
func (a address) ownURL(secure bool) string {
	scheme := "http"
	if secure {
		scheme = "https"
	}
	host := a.listen.String()
	if _, port, err := net.SplitHostPort(host); err == nil && a.everywhere() {
		host = net.JoinHostPort("localhost", port)
	}
	return scheme + "://" + host
}

// everywhere reports whether the server listens at all addresses of this machine, and no
// URL was given.
func (a address) everywhere() bool {
	at, ok := a.listen.(*net.TCPAddr)
	return ok && at.IP.IsUnspecified() && !a.public
}

// isHost reports whether a request names this server: any name could be made to
// lead to it by the owner of a page elsewhere.
func (a address) isHost(r *http.Request) bool {
	if strings.EqualFold(r.Host, a.base.Host) {
		return true
	}
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if strings.EqualFold(host, "localhost") || strings.EqualFold(host, a.base.Hostname()) {
		return true
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	reached, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	ip = ip.Unmap().WithZone("")
	return ip.IsLoopback() || reached != nil && addrOf(reached.String()) == ip
}
