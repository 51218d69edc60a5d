package serve

import (
	"net/http"

	"umpire/referee/fleet/status"
	"umpire/referee/keys"
	"umpire/referee/remote"
	"umpire/referee/report"
)

// metrics are those of the workers.
type metrics struct {
	access  *access
	address address
	token   string // the workers' secret
	fleet   func() *status.Fleet
}

// send answers with the state of the workers in the text format of
// Prometheus. They are for this machine, the organiser, and who has the workers'
// secret.
func (m *metrics) send(w http.ResponseWriter, r *http.Request) error {
	if !m.isNear(r) && !m.access.organises(r) && !keys.Same(secret(r), m.token) {
		return m.access.refused(r, failed(codeToken, "metrics are read on the machine where umpire runs, or with the organiser's or the workers' token"))
	}
	f := m.fleet()
	if f == nil {
		return failed(remote.CodeStopping, "the run has not begun")
	}
	write(w, http.StatusOK, report.MetricsType, report.FleetMetrics(f))
	return nil
}

// isNear reports whether a request certainly comes from this machine.
func (m *metrics) isNear(r *http.Request) bool {
	return r.Header.Get("Forwarded") == "" && r.Header.Get("X-Forwarded-For") == "" &&
		!m.address.public && !m.access.private && len(m.access.proxies) == 0 && addrOf(m.address.listen.String()).IsLoopback() && addrOf(r.RemoteAddr).IsLoopback()
}
