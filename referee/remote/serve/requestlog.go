package serve

import (
	"cmp"
	"io"
	"log/slog"
	"net/http"
)

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
