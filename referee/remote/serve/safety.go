package serve

import (
	"crypto/sha256"
	"crypto/subtle"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"umpire/referee"
)

// headers stand in every answer: a page may load and send nothing elsewhere,
// and nobody may frame it or learn its address.
var headers = map[string]string{
	"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	"X-Content-Type-Options":       "nosniff",
	"Referrer-Policy":              "no-referrer",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Cache-Control":                "no-store",
}

// guard wraps a handler with what holds for every request.
func (s *Server) guard(next http.Handler) http.Handler {
	origin := http.NewCrossOriginProtection()
	origin.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fail(w, codeOrigin, "the request comes from a page of another origin")
	}))
	next = origin.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range headers {
			w.Header().Set(name, value)
		}
		control := http.NewResponseController(w)
		_ = control.SetWriteDeadline(time.Now().Add(bodyTime + writeTime))
		if r.Body != http.NoBody {
			_ = control.SetReadDeadline(time.Now().Add(bodyTime))
		}
		if err := s.letIn(w, r); err != nil {
			sendFailure(w, s.failureOf(r, err))
			return
		}
		if !s.isHost(r) {
			fail(w, codeHost, "the host "+quote(r.Host)+" is not this server's: start it with --url if it is")
			return
		}
		if err := dropBody(w, r); err != nil {
			sendFailure(w, s.failureOf(r, err))
			return
		}
		if err := referee.Guard(func() error { next.ServeHTTP(w, r); return nil }); err != nil {
			sendFailure(w, s.failureOf(r, err))
		}
	})
}

// dropBody reads the body of a request that should have none: net/http notices
// that a client has vanished only after it.
func dropBody(w http.ResponseWriter, r *http.Request) error {
	if r.Body == http.NoBody || r.Method == http.MethodPost || r.Method == http.MethodPut {
		return nil
	}
	_, err := readBody(w, r, maxBody)
	return err
}

// isHost reports whether a request names this server: any name could be made to
// lead to it by the owner of a page elsewhere.
func (s *Server) isHost(r *http.Request) bool {
	if strings.EqualFold(r.Host, s.base.Host) {
		return true
	}
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if strings.EqualFold(host, "localhost") || strings.EqualFold(host, s.base.Hostname()) {
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

// addrOf returns the IP address of an address with a port.
func addrOf(hostPort string) netip.Addr {
	at, err := netip.ParseAddrPort(hostPort)
	if err != nil {
		return netip.Addr{}
	}
	return at.Addr().Unmap().WithZone("")
}

// same compares two secrets in a time that does not depend on where they
// differ.
func same(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return b != "" && subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// throttle bounds how often something may happen, for each of many causes:
// burst times, then rate times a second.
type throttle struct {
	burst, rate float64
	mu          sync.Mutex
	buckets     map[string]bucket
	swept       time.Time
}

// bucket is how often it may still happen, as of a time.
type bucket struct {
	left float64
	at   time.Time
}

func newThrottle(burst, rate float64) *throttle {
	return &throttle{burst: burst, rate: rate, buckets: make(map[string]bucket), swept: time.Now()}
}

// take reports whether it may happen once more, and counts it.
func (t *throttle) take(cause string) bool { return t.use(cause, 1) }

// may reports whether it may happen once more.
func (t *throttle) may(cause string) bool { return t.use(cause, 0) }

func (t *throttle) use(cause string, cost float64) bool {
	now := time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sweep(now)
	b, ok := t.buckets[cause]
	if !ok {
		b = bucket{t.burst, now}
	}
	b.left = min(t.burst, b.left+t.rate*now.Sub(b.at).Seconds())
	b.at = now
	enough := b.left >= 1
	if enough {
		b.left -= cost
	}
	if ok || cost > 0 {
		t.buckets[cause] = b
	}
	return enough
}

// sweep forgets, once in a while, the causes whose buckets are full again.
func (t *throttle) sweep(now time.Time) {
	full := time.Duration(t.burst / t.rate * float64(time.Second))
	if now.Sub(t.swept) < full {
		return
	}
	t.swept = now
	for cause, b := range t.buckets {
		if now.Sub(b.at) > full {
			delete(t.buckets, cause)
		}
	}
}

// cause is the key by which the requests of a secret are counted.
func cause(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return string(sum[:])
}

// source is the key by which wrong secrets are counted.
func source(r *http.Request) string { return network(r.RemoteAddr) }

// network is the key by which strangers are counted: an address, or the network of a
// version 6 address, of which one machine has many.
func network(hostPort string) string {
	ip := addrOf(hostPort)
	if ip.Is6() {
		if network, err := ip.Prefix(64); err == nil {
			return network.String()
		}
	}
	return ip.String()
}

// quiet drops what net/http says about broken connections.
func quiet() *log.Logger { return log.New(io.Discard, "", 0) }
