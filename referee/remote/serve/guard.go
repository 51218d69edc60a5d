package serve

import (
	"cmp"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/klauspost/compress/gzhttp"

	"umpire/referee"
	"umpire/referee/remote"
	"umpire/referee/remote/soap"
)

// guarded wraps a handler with what holds for every request.
func guarded(a *access, at address, report *reporter, next http.Handler) http.Handler {
	origin := http.NewCrossOriginProtection()
	origin.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		refuse(w, r, failed(codeOrigin, "the request comes from a page of another origin"))
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
		err := check(a, at, w, r)
		if err == nil {
			err = referee.Guard(func() error { next.ServeHTTP(w, r); return nil })
		}
		if err != nil {
			refuse(w, r, report.failureOf(r, err))
		}
	})
}

// check is why a request is not handled; nil if it is.
func check(a *access, at address, w http.ResponseWriter, r *http.Request) error {
	if connectionOf(r).twofold.Load() {
		w.Header().Set("Connection", "close")
		return failed(soap.CodeHeader, "found two lengths of the body, expected one Content-Length or Transfer-Encoding")
	}
	if err := a.letIn(w, r); err != nil {
		return err
	}
	if r.RequestURI == "*" || r.Method == http.MethodConnect {
		return failed(codeNotFound, "no such address: "+r.RequestURI)
	}
	if !at.isHost(r) {
		return failed(codeHost, "the host "+remote.Quote(r.Host)+" is not this server's: start it with --url if it is")
	}
	return dropBody(w, r)
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

// logged logs who has asked for what, and the status of the answer; no secrets.
func logged(a *access, into io.Writer, next http.Handler) http.Handler {
	if into == nil {
		return next
	}
	log := slog.New(slog.NewJSONHandler(into, nil))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kept := &statusWriter{ResponseWriter: w}
		next.ServeHTTP(kept, r)
		who, known := a.holder(secret(r))
		if !known {
			who = "stranger"
		}
		log.Info("request", "who", who, "from", a.proxies.client(r).String(), "method", r.Method, "path", r.URL.Path, "status", cmp.Or(kept.status, http.StatusOK))
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

// compressed compresses what is long, but for streams of events: each would need a
// compressor of its own for as long as it is open.
func compressed(next http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.EnableZstd(false), gzhttp.ExceptContentTypes([]string{eventStream}))
	if err != nil {
		panic(err) // the options are constants
	}
	return wrap(next)
}
