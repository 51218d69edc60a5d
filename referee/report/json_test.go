package report_test

import (
	"bytes"
	"testing"

	"umpire/referee/record"
	"umpire/referee/report"
)

// TestJSONVersion: every object says which form it has, a record its own.
func TestJSONVersion(t *testing.T) {
	for _, test := range []struct {
		value any
		want  string
	}{
		{struct {
			Name string `json:"name"`
		}{"<a>"}, `{"v":1,"name":"\u003ca\u003e"}`},
		{struct {
			V    int    `json:"v"`
			Name string `json:"name"`
		}{7, "a"}, `{"v":7,"name":"a"}`},
	} {
		var b bytes.Buffer
		if err := report.NewPrinter(&b).JSON().Encode(test.value); err != nil || b.String() != test.want+"\n" {
			t.Errorf("found %q, %v, expected %q", b.String(), err, test.want)
		}
	}
	var b bytes.Buffer
	if err := report.NewPrinter(&b).JSON().Encode(record.Record{V: record.Version}); err != nil || !bytes.HasPrefix(b.Bytes(), []byte(`{"v":1,"id":`)) {
		t.Errorf("a record: %q, %v", b.String(), err)
	}
}
