package serve

import (
	"cmp"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// logged logs who has asked for what, and the status of the answer; no secrets.
func logged(s *Server, next http.Handler) http.Handler {
	if s.Access == nil {
		return next
	}
	log := slog.New(slog.NewJSONHandler(s.Access, nil))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kept := &statusWriter{ResponseWriter: w}
		next.ServeHTTP(kept, r)
		who, known := s.holder(secret(r))
		if !known {
			who = "stranger"
		}
		log.Info("request", "who", who, "from", s.proxies.client(r).String(), "method", r.Method, "path", r.URL.Path, "status", cmp.Or(kept.status, http.StatusOK))
	})
}

// statusWriter keeps the status of an answer.
type statusWriter struct {
	http.ResponseWriter
	status int
}

// WriteHeader implements http.ResponseWriter.
func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

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
