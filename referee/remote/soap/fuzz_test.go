package soap

import (
	"encoding/xml"
	"errors"
	"slices"
	"strings"
	"testing"

	"umpire/referee/remote"
)

// Whatever a request holds, it is an operation with known arguments, or a
// problem with a code.
func FuzzCall(f *testing.F) {
	for _, text := range []string{
		`<Envelope xmlns="` + V11 + `"><Body><Join xmlns="urn:umpire:v1"><key>a</key></Join></Body></Envelope>`,
		`<e:Envelope xmlns:e="` + V12 + `"><e:Header><a/></e:Header><e:Body><u:Leave xmlns:u="urn:umpire:v1"><u:ticket>&lt;</u:ticket></u:Leave></e:Body></e:Envelope>`,
		`<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`, "<a", "\xff", `<?xml version="1.0" encoding="latin1"?><a/>`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := Parse(text)
		if err != nil {
			var p *remote.Problem
			if !errors.As(err, &p) || p.Code == "" || p.Message == "" {
				t.Errorf("found error %v", err)
			}
			return
		}
		if operations[c.Operation] == nil || c.Version != V11 && c.Version != V12 {
			t.Errorf("found operation %q of version %q", c.Operation, c.Version)
		}
		var again strings.Builder
		again.WriteString(`<e:Envelope xmlns:e="` + c.Version + `"><e:Body><` + c.Operation + ` xmlns="urn:umpire:v1">`)
		names := make([]string, 0, len(c.args))
		for name := range c.args {
			names = append(names, name)
		}
		slices.Sort(names)
		if c.Check() != nil {
			return
		}
		for _, name := range names {
			again.WriteString("<" + name + ">")
			_ = xml.EscapeText(&again, []byte(c.args[name]))
			again.WriteString("</" + name + ">")
		}
		again.WriteString(`</` + c.Operation + `></e:Body></e:Envelope>`)
		twice, err := Parse([]byte(again.String()))
		if err != nil || twice.Operation != c.Operation {
			t.Fatalf("%s: %v", again.String(), err)
		}
		for _, name := range names {
			if twice.args[name] != c.args[name] {
				t.Errorf("%s: found %q, then %q", name, c.args[name], twice.args[name])
			}
		}
	})
}

// TestCheck: of several arguments that an operation does not have, the same one is named each time.
func TestCheck(t *testing.T) {
	c := Call{Operation: "Leave", args: map[string]string{"ticket": "t", "turn": "1", "text": "x", "board": "y", "wait": "0"}}
	for range 20 {
		if err := c.Check(); err == nil || err.Error() != `argument: Leave has no argument "board"` {
			t.Fatalf("found %v, expected board to be refused", err)
		}
	}
}
