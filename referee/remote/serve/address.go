package serve

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
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
	host := hostOf(r.Host)
	if strings.EqualFold(host, "localhost") || strings.EqualFold(host, a.base.Hostname()) {
		return true
	}
	ip := addrOf(host)
	if !ip.IsValid() {
		return false
	}
	reached, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return ip.IsLoopback() || reached != nil && addrOf(reached.String()) == ip
}

// hostOf returns the host of an address that may have a port.
func hostOf(address string) string {
	if host, _, err := net.SplitHostPort(address); err == nil {
		return host
	}
	return strings.TrimSuffix(strings.TrimPrefix(address, "["), "]")
}

// addrOf returns the IP address of an address that may have a port; the zero Addr if
// there is none in it.
func addrOf(address string) netip.Addr {
	ip, _ := netip.ParseAddr(hostOf(address))
	return ip.Unmap().WithZone("")
}

// proxies are the networks of proxies whose X-Forwarded-For counts.
type proxies []netip.Prefix

// trust reports whether an address is that of a proxy.
func (p proxies) trust(at netip.Addr) bool {
	return slices.ContainsFunc(p, func(network netip.Prefix) bool { return network.Contains(at) })
}

// client returns the address from which a request comes: the last that is no proxy's.
func (p proxies) client(r *http.Request) netip.Addr {
	at := addrOf(r.RemoteAddr)
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		if !p.trust(at) {
			break
		}
		before := addrOf(strings.TrimSpace(hop))
		if !before.IsValid() {
			break
		}
		at = before
	}
	return at
}

// source is the key by which the requests of strangers are counted.
func (p proxies) source(r *http.Request) string { return network(p.client(r)) }

// network is the key by which strangers are counted: an address, or the network of a
// version 6 address, of which one machine has many.
func network(ip netip.Addr) string {
	if ip.Is6() {
		if network, err := ip.Prefix(64); err == nil {
			return network.String()
		}
	}
	return ip.String()
}
