package serve

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"slices"
	"strings"
	"testing"
)

// Whatever a request holds, it is an operation with known arguments, or a
// problem with a code.
func FuzzCall(f *testing.F) {
	for _, text := range []string{
		`<Envelope xmlns="` + soap11 + `"><Body><Join xmlns="urn:umpire:v1"><key>a</key></Join></Body></Envelope>`,
		`<e:Envelope xmlns:e="` + soap12 + `"><e:Header><a/></e:Header><e:Body><u:Leave xmlns:u="urn:umpire:v1"><u:ticket>&lt;</u:ticket></u:Leave></e:Body></e:Envelope>`,
		`<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`, "<a", "\xff", `<?xml version="1.0" encoding="latin1"?><a/>`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := parseCall(text)
		if err != nil {
			var p *failure
			if !errors.As(err, &p) || p.code == "" || p.message == "" {
				t.Errorf("found error %v", err)
			}
			return
		}
		if _, known := operations[c.operation]; !known || c.version != soap11 && c.version != soap12 {
			t.Errorf("found operation %q of version %q", c.operation, c.version)
		}
		var again strings.Builder
		again.WriteString(`<e:Envelope xmlns:e="` + c.version + `"><e:Body><` + c.operation + ` xmlns="urn:umpire:v1">`)
		names := make([]string, 0, len(c.args))
		for name := range c.args {
			names = append(names, name)
		}
		slices.Sort(names)
		if c.check() != nil {
			return
		}
		for _, name := range names {
			again.WriteString("<" + name + ">")
			_ = xml.EscapeText(&again, []byte(c.args[name]))
			again.WriteString("</" + name + ">")
		}
		again.WriteString(`</` + c.operation + `></e:Body></e:Envelope>`)
		twice, err := parseCall([]byte(again.String()))
		if err != nil || twice.operation != c.operation {
			t.Fatalf("%s: %v", again.String(), err)
		}
		for _, name := range names {
			if twice.args[name] != c.args[name] {
				t.Errorf("%s: found %q, then %q", name, c.args[name], twice.args[name])
			}
		}
	})
}

// Whatever a body holds, it is an order, or a problem of JSON.
func FuzzJSON(f *testing.F) {
	for _, text := range []string{
		`{"game":"morra","seats":["@2","remote:a"],"seed":1,"time_ms":5}`, `{"game":1}`, `{}{}`, `[[[`, "\xff", `{"case":"\ud800"}`, ``,
		`{"seed":1,"seed":2}`, `{"SEATS":[]}`, `{"ſeats":[]}`, `{"seats":null}`, `null`, `{"a":{"b":[1e999]}}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var o Order
		if err := parseJSON(text, &o); err != nil {
			var p *failure
			if !errors.As(err, &p) || p.code != codeJSON || p.message == "" {
				t.Errorf("found error %v", err)
			}
		} else if !json.Valid(text) {
			t.Error("accepted a body that is not JSON")
		}
		if o.By != "" {
			t.Errorf("found the player %q, which no body may set", o.By)
		}
	})
}
