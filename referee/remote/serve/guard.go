package serve

import (
	"net/http"
	"time"

	"umpire/referee"
	"umpire/referee/remote"
)

// guarded wraps a handler with what holds for every request.
func guarded(a *access, at address, report *reporter, next http.Handler) http.Handler {
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
		if at.base.Scheme == "https" {
			w.Header().Set("Strict-Transport-Security", "max-age=31536000")
		}
		if isTwofold(r) {
			w.Header().Set("Connection", "close")
			fail(w, codeHeader, "found two lengths of the body, expected one Content-Length or Transfer-Encoding")
			return
		}
		if err := a.letIn(w, r); err != nil {
			sendFailure(w, report.failureOf(r, err))
			return
		}
		if !at.isHost(r) {
			fail(w, codeHost, "the host "+remote.Quote(r.Host)+" is not this server's: start it with --url if it is")
			return
		}
		if err := dropBody(w, r); err != nil {
			sendFailure(w, report.failureOf(r, err))
			return
		}
		if err := referee.Guard(func() error { next.ServeHTTP(w, r); return nil }); err != nil {
			sendFailure(w, report.failureOf(r, err))
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
