package serve

import (
	"encoding/json"
	"errors"
	"testing"

	"umpire/referee/remote/house"
)

// Whatever a body holds, it is an order, or a problem of JSON.
func FuzzJSON(f *testing.F) {
	for _, text := range []string{
		`{"game":"morra","seats":["@2","remote:a"],"seed":1,"time_ms":5}`, `{"game":1}`, `{}{}`, `[[[`, "\xff", `{"case":"\ud800"}`, ``,
		`{"seed":1,"seed":2}`, `{"SEATS":[]}`, `{"ſeats":[]}`, `{"seats":null}`, `null`, `{"a":{"b":[1e999]}}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var o house.Order
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
