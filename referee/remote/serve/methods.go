package serve

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"umpire/referee/remote"
)

// action answers a request, or says why it can't.
type action = func(w http.ResponseWriter, r *http.Request) error

// methods lists what answers a request, by its method.
type methods map[string]action

// reporter turns errors into answers, and tells the organiser of those that are umpire's own.
type reporter struct {
	notify func(error) // tells the organiser; nil: nobody
	often  *throttle   // how often notify is called
}

// by answers a request by its method.
func (p *reporter) by(m methods) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		f := m[r.Method]
		if f == nil {
			allowed := slices.Sorted(maps.Keys(m))
			w.Header().Set("Allow", strings.Join(allowed, ", "))
			sendFailure(w, failed(codeMethod, "found method "+remote.Quote(r.Method)+", expected "+strings.Join(allowed, " or ")))
			return
		}
		if err := f(w, r); err != nil && !errors.Is(err, context.Canceled) {
			sendFailure(w, p.failureOf(r, err))
		}
	}
}

// reading answers the methods that only read.
func (p *reporter) reading(f action) http.HandlerFunc { return p.by(methods{"GET": f, "HEAD": f}) }

// failureOf turns the error of a request into an answer. What is umpire's own
// fault, or its disk's, is told in detail to its organiser alone.
func (p *reporter) failureOf(r *http.Request, err error) *failure {
	if f := problemOf(err); f != nil {
		return f
	}
	p.tell(r, err)
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return failed(codeDisk, "the server's disk is full, so nothing was changed: try again when there is room on it")
	}
	return failed(codeInternal, "umpire could not answer")
}

// tell tells the organiser why umpire could not answer a request, if that is
// its own fault.
func (p *reporter) tell(r *http.Request, err error) {
	if p.notify != nil && problemOf(err) == nil && !errors.Is(err, context.Canceled) && p.often.take("") {
		p.notify(fmt.Errorf("%s %s: %w", r.Method, remote.Quote(r.URL.Path), err))
	}
}

// seconds reads a time to wait.
func seconds(n int64) (time.Duration, error) {
	if most := int64(remote.MaxWait / time.Second); n < 0 || n > most {
		return 0, failed(remote.CodeWait, "wait: found "+strconv.FormatInt(n, 10)+" seconds, expected 0 to "+strconv.FormatInt(most, 10))
	}
	return time.Duration(n) * time.Second, nil
}

// patience lets the answer to a request come after it has waited.
func patience(w http.ResponseWriter, wait time.Duration) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(wait + writeTime))
}
