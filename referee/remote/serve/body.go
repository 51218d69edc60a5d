package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"umpire/referee"
	"umpire/referee/remote"
)

// Bounds on the body of a request.
const (
	maxBody  = 512 << 10
	maxWhole = 6*referee.MaxOutput + 4<<10 // of a reply that is a whole output, of which each byte may be escaped
)

// readBody reads a request's body, of at most so many bytes.
func readBody(w http.ResponseWriter, r *http.Request, most int64) ([]byte, error) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	return text, bodyRead(w, err)
}

// bodyRead ends the reading of a body; the error is why it was not read to its end.
func bodyRead(w http.ResponseWriter, err error) error {
	var large *http.MaxBytesError
	var network net.Error
	switch {
	case err == nil:
		// Only now: without a deadline a slow sender's connection would be read
		// for ever.
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
		return nil
	case errors.As(err, &large):
		return failed(codeBody, "the body is longer than "+strconv.FormatInt(large.Limit, 10)+" bytes") // as isTooLong knows it
	case errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &network) && network.Timeout():
		w.Header().Set("Connection", "close")
		return failed(codeSlow, "the body did not come within "+bodyTime.String())
	}
	w.Header().Set("Connection", "close")
	return &failure{code: codeBody, message: "the body broke off", status: http.StatusBadRequest}
}

// isTooLong reports whether a body was not read since it is too long.
func isTooLong(err error) bool {
	f, ok := errors.AsType[*failure](err)
	return ok && f.code == codeBody && f.httpStatus() == http.StatusRequestEntityTooLarge
}

// readJSON reads a request's body, which must be one JSON object with known
// members alone.
func readJSON(w http.ResponseWriter, r *http.Request, most int64, into any) error {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if charset := params["charset"]; err != nil || kind != "application/json" || charset != "" && !strings.EqualFold(charset, "utf-8") {
		return failed(codeType, "found Content-Type "+remote.Quote(r.Header.Get("Content-Type"))+", expected application/json")
	}
	text, err := readBody(w, r, most)
	if err != nil {
		return err
	}
	return parseJSON(text, into)
}

// parseJSON reads one JSON object. Its members are known, are written exactly
// so, and stand there once, so that everybody who reads it finds the same in it.
func parseJSON(text []byte, into any) error {
	if !utf8.Valid(text) {
		return failed(codeJSON, "the body is not UTF-8")
	}
	err := checkMembers(text)
	if err == nil {
		in := json.NewDecoder(bytes.NewReader(text))
		in.DisallowUnknownFields()
		err = in.Decode(into)
	}
	var ours *failure
	var other *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &ours):
		return ours
	case errors.As(err, &other):
		return failed(codeJSON, other.Field+": found "+other.Value+", expected "+kindOf(other.Type))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return failed(codeJSON, "the body ends before its JSON object does")
	}
	return failed(codeJSON, "the body is not the JSON object expected: "+strings.TrimPrefix(err.Error(), "json: "))
}

// checkMembers checks that a text is one object, and that of no two of its
// members either could be taken. Unlike encoding/json it does not accept names
// in capitals.
func checkMembers(text []byte) error {
	in := json.NewDecoder(bytes.NewReader(text))
	begin, err := in.Token()
	if err != nil {
		return err
	}
	if begin != json.Delim('{') {
		return failed(codeJSON, "the body is not a JSON object")
	}
	seen := make(map[string]bool)
	for in.More() {
		token, err := in.Token()
		if err != nil {
			return err
		}
		name, _ := token.(string) // a decoder returns nothing else before a value
		if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") != "" {
			return failed(codeJSON, "there is no member "+remote.Quote(name))
		}
		if seen[name] {
			return failed(codeJSON, "found member "+remote.Quote(name)+" twice")
		}
		seen[name] = true
		var value json.RawMessage
		if err := in.Decode(&value); err != nil {
			return err
		}
	}
	if _, err := in.Token(); err != nil { // the object's end
		return err
	}
	if _, err := in.Token(); err != io.EOF {
		return failed(codeJSON, "found more after the object")
	}
	return nil
}

// kindOf says in words what a member must be.
func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Slice:
		return "a list"
	case reflect.Uint64:
		return "a whole number from 0 to " + strconv.FormatUint(1<<64-1, 10)
	}
	return "a whole number"
}
