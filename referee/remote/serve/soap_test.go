package serve_test

import (
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"umpire/referee/remote/serve"
)

const (
	soap11 = "http://schemas.xmlsoap.org/soap/envelope/"
	soap12 = "http://www.w3.org/2003/05/soap-envelope"
)

// call makes a SOAP request with the inside of a Body.
func (s *site) call(version, body string, change ...func(*http.Request)) answer {
	s.t.Helper()
	kind := "text/xml; charset=utf-8"
	if version == soap12 {
		kind = "application/soap+xml; charset=utf-8"
	}
	text := `<?xml version="1.0" encoding="utf-8"?><e:Envelope xmlns:e="` + version + `"><e:Header><x xmlns="y"><z/></x></e:Header><e:Body>` + body + `</e:Body></e:Envelope>`
	if strings.HasPrefix(body, "<?") || strings.HasPrefix(body, "raw") {
		text = strings.TrimPrefix(body, "raw")
	}
	return s.request("POST", "/soap", "", text, append([]func(*http.Request){func(r *http.Request) { r.Header.Set("Content-Type", kind) }}, change...)...)
}

// operation writes an operation with arguments.
func operation(name string, args ...any) string {
	var b strings.Builder
	b.WriteString("<u:" + name + ` xmlns:u="urn:umpire:v1">`)
	for i := 0; i < len(args); i += 2 {
		b.WriteString("<u:" + args[i].(string) + ">")
		_ = xml.EscapeText(&b, []byte(fmt.Sprint(args[i+1])))
		b.WriteString("</u:" + args[i].(string) + ">")
	}
	b.WriteString("</u:" + name + ">")
	return b.String()
}

// element returns the text of the first element with a name; ok is false if
// there is none.
func element(text, name string) (inside string, ok bool) {
	in := xml.NewDecoder(strings.NewReader(text))
	for {
		t, err := in.Token()
		if err != nil {
			return "", false
		}
		if start, is := t.(xml.StartElement); is && start.Name.Local == name {
			if next, err := in.Token(); err == nil {
				data, _ := next.(xml.CharData)
				return string(data), true
			}
		}
	}
}

// A match is played over SOAP, in each version, to its end.
func TestSOAP(t *testing.T) {
	for _, version := range []string{soap11, soap12} {
		t.Run(version, func(t *testing.T) {
			s := open(t, t.TempDir(), nil)
			key := s.player("alice")
			s.order(map[string]any{"game": "morra", "seats": []string{"remote:alice", "@2"}, "case": "2 1", "time_ms": 60000, "move_ms": 0})
			must := func(a answer) answer {
				t.Helper()
				kind := "text/xml; charset=utf-8"
				if version == soap12 {
					kind = "application/soap+xml; charset=utf-8"
				}
				if a.status != 200 || a.header.Get("Content-Type") != kind || !strings.Contains(a.text, `xmlns:soap="`+version+`"`) {
					t.Fatalf("found %+v", a)
				}
				return a
			}
			is := func(a answer, want map[string]string) {
				t.Helper()
				for name, value := range want {
					if got, ok := element(a.text, name); !ok || got != value {
						t.Errorf("%s: found %q in %s, expected %q", name, got, a.text, value)
					}
				}
			}
			// xsi:nil, SOAPAction "*" and Expect are what clients of .NET send.
			a := must(s.call(version, `<Join xmlns="urn:umpire:v1"><key>`+key+`</key><game xsi:nil="true" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"/><wait>5</wait></Join>`,
				func(r *http.Request) { r.Header.Set("SOAPAction", `"*"`); r.Header.Set("Expect", "100-continue") }))
			is(a, map[string]string{"state": "seated", "game": "morra", "seat": "1", "seats": "2", "player": "alice", "timeMs": "60000", "moveMs": "0", "startMs": "0", "graceMs": "0"})
			ticket, _ := element(a.text, "ticket")
			a = must(s.call(version, operation("NextTurn", "ticket", ticket, "turn", 1, "wait", 30)))
			is(a, map[string]string{"turn": "1", "state": "move", "line": "2 1", "whole": "false", "verdict": "ok", "detail": "", "results": ""})
			if _, ok := element(a.text, "reply"); ok {
				t.Errorf("found a reply in %s", a.text)
			}
			for range 2 {
				a = must(s.call(version, operation("Reply", "ticket", ticket, "turn", 1, "text", "2\n", "wait", 30)))
				is(a, map[string]string{"turn": "2", "state": "move", "line": "2"})
			}
			is(must(s.call(version, operation("NextTurn", "ticket", ticket, "turn", 1))), map[string]string{"state": "done", "reply": "2"})
			a = must(s.call(version, operation("Reply", "ticket", ticket, "turn", 2, "text", "4", "wait", 30)))
			is(a, map[string]string{"turn": "3", "state": "over", "score": "10", "place": "1", "player": "alice"})
			if a := must(s.call(version, operation("Leave", "ticket", ticket))); !strings.Contains(a.text, `<LeaveResponse xmlns="urn:umpire:v1"></LeaveResponse>`) {
				t.Errorf("found %s", a.text)
			}
		})
	}
}

// Every problem is a fault of the version of the request.
func TestFaults(t *testing.T) {
	s := open(t, t.TempDir(), nil)
	key := s.player("alice")
	envelope := func(inside string) string {
		return `raw<Envelope xmlns="` + soap11 + `"><Body>` + inside + `</Body></Envelope>`
	}
	join := operation("Join", "key", key)
	for _, test := range []struct{ name, body, code string }{
		{"a wrong key", operation("Join", "key", "wrong"), "key"},
		{"a wrong ticket", operation("NextTurn", "ticket", "wrong", "turn", 1), "ticket"},
		{"a long wait", operation("Join", "key", key, "wait", 31), "wait"},
		{"no number", operation("Join", "key", key, "wait", "soon"), "argument"},
		{"a huge number", operation("NextTurn", "ticket", "x", "turn", "99999999999"), "argument"},
		{"an unknown game", operation("Join", "key", key, "game", "go"), "argument"},
		{"an unknown argument", operation("Join", "key", key, "path", "/etc"), "argument"},
		{"an argument twice", operation("Join", "key", key, "key", key), "argument"},
		{"an argument of no namespace", `<u:Join xmlns:u="urn:umpire:v1"><key>x</key></u:Join>`, "argument"},
		{"a nested argument", `<Join xmlns="urn:umpire:v1"><key><a/></key></Join>`, "argument"},
		{"an unknown operation", operation("Quit"), "operation"},
		{"another namespace", `<Join xmlns="urn:other"/>`, "operation"},
		{"no operation", "", "operation"},
		{"no envelope", "raw<Body/>", "xml"},
		{"no body", `raw<Envelope xmlns="` + soap11 + `"/>`, "xml"},
		{"nothing", "raw", "xml"},
		{"no XML", "raw{}", "xml"},
		{"an envelope cut off", envelope(join)[:120], "xml"},
		{"a DTD", `raw<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hostname">]>` + strings.TrimPrefix(envelope(`<Join xmlns="urn:umpire:v1"><key>&b;</key></Join>`), "raw"), "xml"},
		{"a DTD at the end", envelope(join) + "<!DOCTYPE a>", "xml"},
		{"two envelopes", envelope(join) + strings.TrimPrefix(envelope(join), "raw"), "xml"},
		{"a text after the envelope", envelope(join) + "more", "xml"},
		{"an element cut off after the envelope", envelope(join) + "<a", "xml"},
		{"an unknown entity", envelope(`<Join xmlns="urn:umpire:v1"><key>&b;</key></Join>`), "xml"},
		{"another encoding", `<?xml version="1.0" encoding="utf-16"?>` + strings.TrimPrefix(envelope(join), "raw"), "xml"},
		{"bytes that are not UTF-8", envelope(operation("Join", "key", "x") + "\xff"), "xml"},
		{"great depth", envelope(strings.Repeat("<a>", 100_000)), "operation"},
		{"great depth in a header", `raw<Envelope xmlns="` + soap11 + `"><Header>` + strings.Repeat("<a>", 50_000), "xml"},
		{"a long body", envelope(operation("Reply", "ticket", "x", "turn", 1, "text", strings.Repeat("1", 600<<10))), "ticket"},
		{"a long body of another operation", envelope(operation("NextTurn", "ticket", "x", "turn", strings.Repeat("1", 600<<10))), "body"},
	} {
		for _, version := range []string{soap11, soap12} {
			if version == soap12 && strings.HasPrefix(test.body, "raw") {
				continue
			}
			a := s.call(version, test.body)
			if a.status != 500 {
				t.Errorf("%s: found status %d", test.name, a.status)
			}
			if code, _ := element(a.text, "code"); code != test.code {
				t.Errorf("%s: found %s, expected code %s", test.name, a.text, test.code)
			}
			who, message := "faultcode", "faultstring"
			want := "soap:Client"
			if version == soap12 {
				who, message, want = "Value", "Text", "soap:Sender"
			}
			if got, _ := element(a.text, who); got != want {
				t.Errorf("%s: found %s %q, expected %q", test.name, who, got, want)
			}
			if got, _ := element(a.text, message); !strings.HasPrefix(got, test.code+": ") || strings.HasPrefix(got, test.code+": "+test.code+": ") {
				t.Errorf("%s: found %s %q", test.name, message, got)
			}
		}
	}
	if a := s.request("POST", "/soap", "", "{}"); a.status != 415 {
		t.Errorf("found %+v", a)
	}
	// So is why a request is refused before its body is read, to a client of SOAP alone.
	for code, change := range map[string]func(*http.Request){
		"origin": func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") },
		"host":   func(r *http.Request) { r.Host = "evil.example" },
	} {
		plain := s.request("POST", "/soap", "", "{}", change)
		if plain.status != 403 || plain.code() != code {
			t.Errorf("found %+v", plain)
		}
		for version, name := range map[string]string{soap11: "faultstring", soap12: "Text"} {
			a := s.call(version, join, change)
			message, _ := element(a.text, name)
			if _, words, _ := strings.Cut(message, ": "); a.status != 500 || !strings.HasPrefix(message, code+": ") || !strings.Contains(plain.text, strings.Trim(strconv.Quote(words), `"`)) {
				t.Errorf("%s: found %+v", code, a)
			}
		}
	}
	// A client that can't read the detail gets the message alone.
	for _, version := range []string{soap11, soap12} {
		a := s.call(version, operation("Join", "key", "wrong"), func(r *http.Request) { r.Header.Set("SOAPAction", `"*"`) })
		if a.status != 500 || !strings.Contains(a.text, ">key: no player") || strings.Contains(a.text, "Problem") {
			t.Errorf("found %+v", a)
		}
	}
	// A byte order mark is no harm, nor is a comment at the end.
	if a := s.call(soap11, "raw\ufeff"+strings.TrimPrefix(envelope(join), "raw")+"\n<!-- end --><?end?>\n"); a.status != 200 {
		t.Errorf("found %+v", a)
	}
}

// The description names the address by which it was asked for, or the one that
// was given.
func TestWSDL(t *testing.T) {
	s := open(t, t.TempDir(), nil)
	for _, path := range []string{"/soap?wsdl", "/soap?WSDL", "/soap?Wsdl"} {
		a := s.request("GET", path, "", nil, func(r *http.Request) { r.Host = "localhost:1234" })
		if a.status != 200 || strings.Count(a.text, `location="http://localhost:1234/soap"`) != 2 {
			t.Errorf("%s: found %d %s", path, a.status, a.text)
		}
		in := xml.NewDecoder(strings.NewReader(a.text))
		var err error
		for err == nil {
			_, err = in.Token()
		}
		if err != io.EOF {
			t.Errorf("the description is no XML: %v", err)
		}
		for _, want := range []string{
			`elementFormDefault="qualified"`, `<wsdl:service name="Umpire">`, `soapAction="urn:umpire:v1/NextTurn"`,
			`<wsdl:port name="UmpireSoap12" binding="tns:UmpireSoap12">`, `<wsdl:portType name="UmpireSoap">`,
		} {
			if !strings.Contains(a.text, want) {
				t.Errorf("found no %s", want)
			}
		}
	}
	if a := s.request("GET", "/soap", "", nil); a.status != 404 {
		t.Errorf("found %+v", a)
	}
	s = open(t, t.TempDir(), func(c *serve.Config) { c.URL = "https://umpire.example/x" })
	s.server.URL = "http://" + s.server.Addr().String()
	if a := s.request("GET", "/soap?wsdl", "", nil); !strings.Contains(a.text, `location="https://umpire.example/x/soap"`) {
		t.Errorf("found %s", a.text)
	}
	if a := s.request("GET", "/soap?wsdl", "", nil, func(r *http.Request) { r.Host = "umpire.example" }); a.status != 200 {
		t.Errorf("found %+v", a)
	}
}
