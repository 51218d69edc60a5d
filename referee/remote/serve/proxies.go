package serve

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// addrOf returns the IP address of an address with a port.
func addrOf(hostPort string) netip.Addr {
	at, err := netip.ParseAddrPort(hostPort)
	if err != nil {
		return netip.Addr{}
	}
	return at.Addr().Unmap().WithZone("")
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
		hop = strings.TrimSpace(hop)
		if host, _, err := net.SplitHostPort(hop); err == nil {
			hop = host
		}
		before, err := netip.ParseAddr(strings.Trim(hop, "[]"))
		if err != nil {
			break
		}
		at = before.Unmap().WithZone("")
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
