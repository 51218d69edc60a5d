package serve

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"umpire/referee/remote"
	"umpire/referee/remote/house"
	"umpire/referee/remote/soap"
)

// Codes of problems beyond those of the hub.
const (
	codeJSON     = "json"
	codeToken    = "token"
	codeHost     = "host"
	codeOrigin   = "origin"
	codeMatch    = "match"
	codeNotFound = "address"
	codeMethod   = "method"
	codeSlow     = "slow"
	codeRunning  = "running"
	codeBody     = "body"
	codeType     = "type"
	codeInternal = "internal"
	codeDisk     = "disk"
)

// statuses are the HTTP statuses of the answers to problems, by their codes. All others are
// umpire's own fault.
var statuses = map[int][]string{
	http.StatusBadRequest: {
		codeJSON, soap.CodeHeader, remote.CodeArgument, remote.CodeWait, remote.CodeText, house.CodeCase, house.CodeSeats, soap.CodeXML, soap.CodeOperation,
	},
	http.StatusUnauthorized:          {remote.CodeKey, codeToken},
	http.StatusForbidden:             {codeHost, codeOrigin},
	http.StatusNotFound:              {house.CodeGame, codeMatch, codeNotFound},
	http.StatusMethodNotAllowed:      {codeMethod},
	http.StatusRequestTimeout:        {codeSlow},
	http.StatusConflict:              {remote.CodeEarly, remote.CodeAnswered, remote.CodeSuperseded, codeRunning},
	http.StatusGone:                  {remote.CodeTicket},
	http.StatusRequestEntityTooLarge: {codeBody},
	http.StatusUnsupportedMediaType:  {codeType},
	http.StatusTooManyRequests:       {remote.CodeRate},
	http.StatusServiceUnavailable:    {remote.CodeStopping, house.CodeFull},
	http.StatusInsufficientStorage:   {codeDisk},
}

// failure is an answer to a request that could not be carried out.
type failure struct {
	code, message string
	status        int // 0: the code's
}

func (f *failure) Error() string { return f.code + ": " + f.message }

// httpStatus is the HTTP status of the answer.
func (f *failure) httpStatus() int {
	if f.status != 0 {
		return f.status
	}
	for status, codes := range statuses {
		if slices.Contains(codes, f.code) {
			return status
		}
	}
	return http.StatusInternalServerError
}

func failed(code, message string) *failure { return &failure{code: code, message: message} }

// noAddress refuses an address at which nothing is.
func noAddress(r *http.Request) *failure {
	return failed(codeNotFound, "no such address: "+r.URL.Path)
}

// forbidden refuses what others may do.
func forbidden(code, message string) *failure { return &failure{code, message, http.StatusForbidden} }

// problemOf turns an error that has to do with the request into an answer; nil if
// it is umpire's own fault.
func problemOf(err error) *failure {
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	if p, ok := errors.AsType[*remote.Problem](err); ok {
		return failed(p.Code, p.Message)
	}
	return nil
}

// sendFailure answers with a problem.
func sendFailure(w http.ResponseWriter, f *failure) {
	code := f.httpStatus()
	if (code == http.StatusTooManyRequests || code == http.StatusServiceUnavailable) && w.Header().Get("Retry-After") == "" {
		w.Header().Set("Retry-After", "1")
	}
	if code == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	send(w, code, map[string]map[string]string{"error": {"code": f.code, "message": f.message}})
}

// send answers with JSON.
func send(w http.ResponseWriter, code int, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		code, text = http.StatusInternalServerError, []byte(`{"error":{"code":"internal","message":"umpire could not answer"}}`)
	}
	write(w, code, "application/json", append(text, '\n'))
}

// write answers with a text of a media type.
func write(w http.ResponseWriter, code int, kind string, text []byte) {
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(code)
	_, _ = w.Write(text) // an error means that nobody listens any more
}

// answer answers with JSON, unless there is an error.
func answer(w http.ResponseWriter, v any, err error) error {
	if err == nil {
		send(w, http.StatusOK, v)
	}
	return err
}

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
