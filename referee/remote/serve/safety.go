package serve

import (
	"crypto/sha256"
	"crypto/subtle"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"umpire/referee"
	"umpire/referee/remote"
)

// headers stand in every answer: a page may load and send nothing elsewhere,
// and nobody may frame it or learn its address; Config.Embed may frame matches.
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
		if s.base.Scheme == "https" {
			w.Header().Set("Strict-Transport-Security", "max-age=31536000")
		}
		if isTwofold(r) {
			w.Header().Set("Connection", "close")
			fail(w, codeHeader, "found two lengths of the body, expected one Content-Length or Transfer-Encoding")
			return
		}
		if err := s.letIn(w, r); err != nil {
			sendFailure(w, s.failureOf(r, err))
			return
		}
		if !s.isHost(r) {
			fail(w, codeHost, "the host "+remote.Quote(r.Host)+" is not this server's: start it with --url if it is")
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
	burst   int
	rate    rate.Limit
	mu      sync.Mutex
	buckets map[string]*rate.Limiter
	swept   time.Time
}

func newThrottle(burst int, each rate.Limit) *throttle {
	return &throttle{burst: burst, rate: each, buckets: make(map[string]*rate.Limiter), swept: time.Now()}
}

// take reports whether it may happen once more, and counts it.
func (t *throttle) take(cause string) bool { return t.use(cause, 1) }

// may reports whether it may happen once more.
func (t *throttle) may(cause string) bool { return t.use(cause, 0) }

func (t *throttle) use(cause string, cost int) bool {
	now := time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sweep(now)
	b := t.buckets[cause]
	switch {
	case b != nil && cost == 0:
		return b.TokensAt(now) >= 1
	case cost == 0:
		return true
	case b == nil:
		b = rate.NewLimiter(t.rate, t.burst)
		t.buckets[cause] = b
	}
	return b.AllowN(now, cost)
}

// sweep forgets, once in a while, the causes whose buckets are full again.
func (t *throttle) sweep(now time.Time) {
	if now.Sub(t.swept).Seconds() < float64(t.burst)/float64(t.rate) {
		return
	}
	t.swept = now
	maps.DeleteFunc(t.buckets, func(_ string, b *rate.Limiter) bool { return b.TokensAt(now) >= float64(t.burst) })
}

// cause is the key by which the requests of a secret are counted.
func cause(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return string(sum[:])
}

// quiet drops what net/http says about broken connections.
func quiet() *log.Logger { return log.New(io.Discard, "", 0) }
