package serve_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// descriptionFile describes the interface.
const descriptionFile = "openapi.json"

// endpoint is what a method of an address does.
type endpoint struct {
	RequestBody *struct {
		Content map[string]any
	} `json:"requestBody"`
	Responses map[string]struct {
		Ref     string `json:"$ref"`
		Content map[string]any
		Events  map[string]any `json:"x-events"`
	}
}

// description is what openapi.json says.
var description = sync.OnceValue(func() (d struct {
	Paths      map[string]map[string]json.RawMessage
	Components struct{ Responses map[string]any }
}) {
	text, err := os.ReadFile(descriptionFile)
	if err == nil && !jsontext.Value(text).IsValid() {
		err = errors.New(descriptionFile + ": not JSON, or an object with two members of one name")
	}
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err != nil {
		panic(err)
	}
	return d
})

// schemas are the compiled parts of the description, by their places.
var schemas = struct {
	sync.Mutex
	*jsonschema.Compiler
	of map[string]*jsonschema.Schema
}{Compiler: jsonschema.NewCompiler(), of: make(map[string]*jsonschema.Schema)}

// check checks a JSON text against the schema at a place in the description.
func check(place, text string) error {
	schemas.Lock()
	defer schemas.Unlock()
	schema := schemas.of[place]
	if schema == nil {
		var err error
		if schema, err = schemas.Compile(descriptionFile + "#/" + place); err != nil {
			return err
		}
		schemas.of[place] = schema
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

// pointer makes a place in the description of the names on the way to it.
func pointer(names ...string) string {
	for i, name := range names {
		names[i] = url.PathEscape(strings.NewReplacer("~", "~0", "/", "~1").Replace(name))
	}
	return strings.Join(names, "/")
}

// endpointOf finds the endpoint of a request; path is "" if its address is not in the
// description, and known is false if that does not have the method.
func endpointOf(r *http.Request) (path string, o endpoint, known bool) {
	asked := strings.Split(strings.TrimPrefix(r.URL.EscapedPath(), "/api/v1"), "/")
	for p := range description().Paths {
		// Of two that match, the one without a parameter is meant.
		if matches(asked, strings.Split(p, "/")) && (path == "" || !strings.Contains(p, "{")) {
			path = p
		}
	}
	text, known := description().Paths[path][strings.ToLower(r.Method)]
	if known {
		if err := json.Unmarshal(text, &o); err != nil {
			panic(err)
		}
	}
	return path, o, known
}

func matches(asked, path []string) bool {
	return slices.EqualFunc(asked, path, func(a, p string) bool { return a == p || a != "" && strings.HasPrefix(p, "{") })
}

// described is a client that checks every answer against the description.
type described struct {
	t    testing.TB
	next http.RoundTripper
}

func (d described) CloseIdleConnections() { d.next.(*http.Transport).CloseIdleConnections() }

// RoundTrip implements http.RoundTripper.
func (d described) RoundTrip(r *http.Request) (*http.Response, error) {
	a, err := d.next.RoundTrip(r)
	if err != nil || !strings.HasPrefix(r.URL.Path, "/api/") || a.Header.Get("Content-Encoding") != "" {
		return a, err
	}
	if a.Header.Get("Content-Type") == "application/json" {
		text, err := io.ReadAll(a.Body)
		a.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(bytes.NewReader(text), failing{err}), a.Body}
		if err != nil {
			return a, nil
		}
		d.answered(r, a, string(text))
	} else {
		d.answered(r, a, "")
	}
	return a, nil
}

// failing is a body that ends with an error; nil: as usual.
type failing struct{ error }

func (f failing) Read([]byte) (int, error) {
	if f.error == nil {
		return 0, io.EOF
	}
	return 0, f.error
}

// answered checks an answer: its status, its type and its body are described, and so is
// the body of the request if it has succeeded.
func (d described) answered(r *http.Request, a *http.Response, text string) {
	d.t.Helper()
	status, kind := strconv.Itoa(a.StatusCode), a.Header.Get("Content-Type")
	path, o, known := endpointOf(r)
	switch {
	case path == "" && status == "404", path != "" && !known && status == "405":
		if err := check(pointer("components", "responses", status, "content", kind, "schema"), text); err != nil {
			d.t.Errorf("%s %s: found %s, which is not as described: %v", r.Method, r.URL, text, err)
		}
		return
	case !known:
		d.t.Errorf("%s %s: found status %s, but %s does not describe the request", r.Method, r.URL, status, descriptionFile)
		return
	}
	at := []string{"paths", path, strings.ToLower(r.Method)}
	response, ok := o.Responses[status]
	if !ok {
		d.t.Errorf("%s %s: found status %s, which is not described for %s: %s", r.Method, r.URL, status, path, text)
		return
	}
	place := pointer(append(slices.Clone(at), "responses", status, "content", kind, "schema")...)
	if response.Ref != "" {
		place = strings.TrimPrefix(response.Ref, "#/") + "/" + pointer("content", kind, "schema")
	}
	if kind == "text/event-stream" {
		if response.Content[kind] == nil {
			d.t.Errorf("%s %s: found a stream of events, which is not described", r.Method, r.URL)
		}
		return
	}
	if err := check(place, text); err != nil {
		d.t.Errorf("%s %s: found %.2000s, which is not as described: %v", r.Method, r.URL, text, err)
	}
	if a.StatusCode/100 != 2 || r.GetBody == nil {
		return
	}
	in, err := r.GetBody()
	if err != nil {
		d.t.Error(err)
		return
	}
	body, err := io.ReadAll(in)
	switch {
	case err != nil:
		d.t.Error(err)
	case o.RequestBody == nil:
		return // what it holds means nothing
	}
	if err := check(pointer(append(at, "requestBody", "content", "application/json", "schema")...), string(body)); err != nil {
		d.t.Errorf("%s %s with %.2000s succeeded, though that is not as described: %v", r.Method, r.URL, body, err)
	}
}

// checkEvent checks the data of an event of a match.
func (s *site) checkEvent(e event) {
	s.t.Helper()
	if err := check(pointer("paths", "/matches/{id}/events", "get", "responses", "200", "x-events", e.name), e.data); err != nil {
		s.t.Errorf("found event %s with %.2000s, which is not as described: %v", e.name, e.data, err)
	}
}

// The description is served, describes all addresses and methods that there are, and no
// others.
func TestDescription(t *testing.T) {
	s := open(t, t.TempDir(), nil)
	a := s.request("GET", "/api/v1/openapi.json", "", nil)
	file, err := os.ReadFile(descriptionFile)
	if err != nil || a.text != string(file) {
		t.Errorf("found another text than in %s, error %v", descriptionFile, err)
	}
	known := make(map[string]bool)
	for path, methods := range s.server.Methods() {
		for _, method := range methods {
			known["/"+path+" "+strings.ToLower(method)] = true
		}
	}
	found := make(map[string]bool)
	for path, item := range description().Paths {
		for name := range item {
			if slices.Contains([]string{"get", "put", "post", "delete", "patch"}, name) {
				found[path+" "+name] = true
			}
		}
	}
	if !maps.Equal(known, found) {
		t.Errorf("found descriptions of %v, expected of %v", slices.Sorted(maps.Keys(found)), slices.Sorted(maps.Keys(known)))
	}
	// What answers are held against refuses others.
	for _, wrong := range []struct{ place, text string }{
		{pointer("components", "schemas", "Turn"), `{"turn":1,"state":"over","lines":[],"whole":false,"left_ms":-1,"verdict":"ok","detail":""}`},
		{pointer("components", "schemas", "Match"), `{"id":"1","game":"g","state":"gone","detail":"","seats":[{"seat":1,"player":"a","verdict":"ok","left_ms":-1}],"steps":0}`},
		{pointer("components", "schemas", "Game"), `{"name":"g","title":"G","min_seats":1,"max_seats":2,"human":true,"batch":false,"more":1}`},
		{pointer("components", "responses", "401", "content", "application/json", "schema"), `{"error":{"code":"ticket","message":"m"}}`},
	} {
		if err := check(wrong.place, wrong.text); err == nil {
			t.Errorf("%s accepts %s", wrong.place, wrong.text)
		}
	}
}
