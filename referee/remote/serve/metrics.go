package serve

import (
	"net/http"

	"umpire/referee/remote"
	"umpire/referee/report"
)

// addMetrics adds the metrics of the workers.
func (s *Server) addMetrics(mux *http.ServeMux) {
	if s.Fleet != nil {
		mux.Handle("/metrics", s.by(methods{"GET": s.metrics}))
	}
}

// metrics answers with the state of the workers in the text format of
// Prometheus. They are for this machine, the organiser, and who has the workers'
// secret.
func (s *Server) metrics(w http.ResponseWriter, r *http.Request) error {
	if !s.isNear(r) && !s.organises(r) && !same(secret(r), s.WorkersToken) {
		return s.refused(r, failed(codeToken, "metrics are read on the machine where umpire runs, or with the organiser's or the workers' token"))
	}
	f := s.Fleet()
	if f == nil {
		return failed(remote.CodeStopping, "the run has not begun")
	}
	w.Header().Set("Content-Type", report.MetricsType)
	_, err := w.Write(report.FleetMetrics(f))
	return err
}

// isNear reports whether a request certainly comes from this machine.
func (s *Server) isNear(r *http.Request) bool {
	return r.Header.Get("Forwarded") == "" && r.Header.Get("X-Forwarded-For") == "" &&
		!s.public && !s.Private && len(s.Proxies) == 0 && addrOf(s.listen.Addr().String()).IsLoopback() && addrOf(r.RemoteAddr).IsLoopback()
}
