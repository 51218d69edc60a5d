package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"umpire/referee/remote"
	"umpire/referee/remote/house"
	"umpire/referee/remote/soap"
)

// Codes of problems beyond those of the hub.
const (
	codeJSON     = "json"
	codeHeader   = soap.CodeHeader
	codeCase     = house.CodeCase
	codeSeats    = house.CodeSeats
	codeToken    = "token"
	codeHost     = "host"
	codeOrigin   = "origin"
	codeGame     = house.CodeGame
	codeMatch    = "match"
	codeNotFound = "address"
	codeMethod   = "method"
	codeSlow     = "slow"
	codeRunning  = "running"
	codeBody     = "body"
	codeType     = "type"
	codeRate     = remote.CodeRate
	codeFull     = house.CodeFull
	codeInternal = "internal"
)

// httpStatus is the HTTP status of a problem's code.
func httpStatus(code string) int {
	switch code {
	case codeJSON, codeHeader, remote.CodeArgument, remote.CodeWait, remote.CodeText, codeCase, codeSeats, soap.CodeXML, soap.CodeOperation:
		return http.StatusBadRequest
	case remote.CodeKey, codeToken:
		return http.StatusUnauthorized
	case codeHost, codeOrigin:
		return http.StatusForbidden
	case codeGame, codeMatch, codeNotFound:
		return http.StatusNotFound
	case codeMethod:
		return http.StatusMethodNotAllowed
	case codeSlow:
		return http.StatusRequestTimeout
	case remote.CodeEarly, remote.CodeAnswered, remote.CodeSuperseded, codeRunning:
		return http.StatusConflict
	case remote.CodeTicket:
		return http.StatusGone
	case codeBody:
		return http.StatusRequestEntityTooLarge
	case codeType:
		return http.StatusUnsupportedMediaType
	case codeRate:
		return http.StatusTooManyRequests
	case remote.CodeStopping, codeFull:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// failure is an answer to a request that could not be carried out.
type failure struct {
	code, message string
	status        int // 0: the code's
}

func (f *failure) Error() string { return f.code + ": " + f.message }

func failed(code, message string) *failure { return &failure{code: code, message: message} }

// forbidden refuses what others may do.
func forbidden(code, message string) *failure { return &failure{code, message, http.StatusForbidden} }

// failureOf turns the error of a request into an answer. What is umpire's own
// fault is told in detail to its organiser alone.
func (s *Server) failureOf(r *http.Request, err error) *failure {
	if f := problemOf(err); f != nil {
		return f
	}
	s.report(r, err)
	return failed(codeInternal, "umpire could not answer")
}

// problemOf turns an error that has to do with the request into an answer; nil if
// it is umpire's own fault.
func problemOf(err error) *failure {
	var f *failure
	var p *remote.Problem
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &p):
		return failed(p.Code, p.Message)
	}
	return nil
}

// report tells the organiser why umpire could not answer a request, if that is
// its own fault.
func (s *Server) report(r *http.Request, err error) {
	if s.Failed != nil && problemOf(err) == nil && !errors.Is(err, context.Canceled) && s.failures.take("") {
		s.Failed(fmt.Errorf("%s %s: %w", r.Method, remote.Quote(r.URL.Path), err))
	}
}

// fail answers with a problem.
func fail(w http.ResponseWriter, code, message string) { sendFailure(w, failed(code, message)) }

func sendFailure(w http.ResponseWriter, f *failure) {
	type body struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}
	code := f.status
	if code == 0 {
		code = httpStatus(f.code)
	}
	if (code == http.StatusTooManyRequests || code == http.StatusServiceUnavailable) && w.Header().Get("Retry-After") == "" {
		w.Header().Set("Retry-After", "1")
	}
	if code == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	send(w, code, map[string]body{"error": {f.code, f.message}})
}

// send answers with JSON.
func send(w http.ResponseWriter, code int, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		code, text = http.StatusInternalServerError, []byte(`{"error":{"code":"internal","message":"umpire could not answer"}}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_, _ = w.Write(append(text, '\n')) // an error means that nobody listens any more
}

// Bounds on the body of a request.
const (
	maxBody  = 512 << 10
	maxWhole = 16 << 20 // of a reply that is a whole output
)

// readBody reads a request's body, of at most so many bytes.
func readBody(w http.ResponseWriter, r *http.Request, most int64) ([]byte, error) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	var large *http.MaxBytesError
	var network net.Error
	switch {
	case err == nil:
		// Only now: without a deadline a slow sender's connection would be read
		// for ever.
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
		return text, nil
	case errors.As(err, &large):
		return nil, failed(codeBody, "the body is longer than "+strconv.FormatInt(most, 10)+" bytes")
	case errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &network) && network.Timeout():
		w.Header().Set("Connection", "close")
		return nil, failed(codeSlow, "the body did not come within "+bodyTime.String())
	}
	w.Header().Set("Connection", "close")
	return nil, &failure{code: codeBody, message: "the body broke off", status: http.StatusBadRequest}
}

// readJSON reads a request's body, which must be one JSON object with known
// members alone.
func readJSON(w http.ResponseWriter, r *http.Request, most int64, into any) error {
	if err := isJSON(r); err != nil {
		return err
	}
	text, err := readBody(w, r, most)
	if err != nil {
		return err
	}
	return parseJSON(text, into)
}

func isJSON(r *http.Request) error {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if charset := params["charset"]; err != nil || kind != "application/json" || charset != "" && !strings.EqualFold(charset, "utf-8") {
		return failed(codeType, "found Content-Type "+remote.Quote(r.Header.Get("Content-Type"))+", expected application/json")
	}
	return nil
}
