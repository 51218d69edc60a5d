package soap

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDescription: the description has the operations that are understood, each with its
// arguments, and the address escaped.
func TestDescription(t *testing.T) {
	text := WSDL("http://host/a&b")
	var described struct {
		Elements []struct {
			Name string `xml:"name,attr"`
			Args []struct {
				Name string `xml:"name,attr"`
			} `xml:"complexType>sequence>element"`
		} `xml:"types>schema>element"`
		Operations []struct {
			Name string `xml:"name,attr"`
		} `xml:"portType>operation"`
	}
	if err := xml.Unmarshal([]byte(text), &described); err != nil {
		t.Fatal(err)
	}
	args := make(map[string][]string)
	for _, e := range described.Elements {
		for _, arg := range e.Args {
			args[e.Name] = append(args[e.Name], arg.Name)
		}
	}
	found := make(map[string][]string)
	for _, op := range described.Operations {
		found[op.Name] = args[op.Name]
	}
	if diff := cmp.Diff(operations, found); diff != "" {
		t.Errorf("understood (-) and described (+) differ:\n%s", diff)
	}
	if n := strings.Count(text, `location="http://host/a&amp;b"`); n != 2 {
		t.Errorf("found the address %d times, expected 2", n)
	}
}
