package yamlfile

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

type value struct {
	Name   string            `yaml:"name"`
	Number *float64          `yaml:"number"`
	Yes    bool              `yaml:"yes"`
	List   []int             `yaml:"list"`
	Parts  []struct{ A int } `yaml:"parts"`
	By     map[string]inner  `yaml:"by"`
}

type inner struct {
	Limit int `yaml:"limit"`
}

// TestErrors: what is wrong is said with the file, the line and what was expected.
func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "",
		"... ":                            "",
		"name: a\nnumber: 3\nyes: true":   "",
		"\ufeffname: a\nnumber: 3\n":      "",
		"name: a\n\ufeffyes: true":        `a.yaml:2: unknown key "\ufeffyes"; did you mean yes?`,
		"name: a\nnumbr: 3\n":             `a.yaml:2: unknown key "numbr"; did you mean number?`,
		"by:\n  x:\n    limt: 1\n":        `a.yaml:3: unknown key "by.x.limt"; did you mean by.x.limit?`,
		"q: 1\n":                          `a.yaml:1: unknown key "q"; the keys are name, number, yes, list, parts, by`,
		"\nnumber: many\n":                `a.yaml:2: number: found "many", expected a number`,
		"list: [1, 2.9]\n":                `a.yaml:1: list[1]: found "2.9", expected a whole number`,
		"by:\n  x:\n    limit: 2e0\n":     `a.yaml:3: by.x.limit: found "2e0", expected a whole number`,
		"list:\n- 99999999999999999999\n": `a.yaml:2: list[0]: found "99999999999999999999", expected a whole number from -9223372036854775808 to 9223372036854775807`,
		"list: [1, \"2.9\"]\n":            `a.yaml:1: list[1]: found "2.9", expected a whole number`,
		"yes: perhaps\n":                  `a.yaml:1: yes: found "perhaps", expected true or false`,
		"list: 3\n":                       `a.yaml:1: list: expected a list`,
		"- a\n":                           `a.yaml:1: expected lines of KEY: VALUE`,
		"name: a\n---\nname: b\n":         `a.yaml: found 2 documents, expected one`,
		"name: a\nname: b\n":              `a.yaml:2: mapping key "name" already defined at [1:1]`,
		"parts: !x\n  a: 1\n":             `a.yaml: found no YAML that can be read`,
		"name: [\n":                       `a.yaml:1: sequence end token ']' not found`,
	} {
		found := ""
		f, err := Parse("a.yaml", []byte(text))
		if err == nil {
			err = f.DecodeStrict(new(value))
		}
		if err != nil {
			found = err.Error()
		}
		if found != want {
			t.Errorf("%q:\nfound %s\nexpected %s", text, found, want)
		}
	}
}

// TestWhere: keys are found where they stand, in the order in which they are asked for.
func TestWhere(t *testing.T) {
	f, err := Parse("a.yaml", []byte("name: a\nby:\n  x:\n    limit: 7\n  y:\nparts:\n- a: 1\n- a: 2\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		keys []string
		want int
	}{{[]string{"by.x.limit"}, 4}, {[]string{"parts[1].a"}, 8}, {[]string{"parts[1].b", "parts[0]"}, 7}, {[]string{"none", "a["}, 1}} {
		if found := f.Line(row.keys...); found != row.want {
			t.Errorf("%q: found line %d, expected %d", row.keys, found, row.want)
		}
	}
	if text, ok := f.Scalar("by.x.limit"); text != "7" || !ok {
		t.Errorf("found %q, %v", text, ok)
	}
	for _, key := range []string{"by.x", "by.y", "none"} {
		if text, ok := f.Scalar(key); ok {
			t.Errorf("%s: found %q, expected nothing", key, text)
		}
	}
}

// TestAliases: aliases are read, but not those that stand for billions of values.
func TestAliases(t *testing.T) {
	var small struct{ B []string }
	if err := Decode("a.yaml", []byte("a: &a x\nb: [*a, *a]\n"), &small); err != nil || !reflect.DeepEqual(small.B, []string{"x", "x"}) {
		t.Errorf("found %v, %v", small.B, err)
	}
	bomb := "a: &a [x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c < 'j'; c++ {
		bomb += fmt.Sprintf("%c: &%c [%s*%c]\n", c, c, strings.Repeat(fmt.Sprintf("*%c, ", c-1), 8), c-1)
	}
	var all any
	if err := Decode("a.yaml", []byte(bomb), &all); err == nil || err.Error() != "a.yaml: stands for more than 1000000 values, its aliases written out" {
		t.Errorf("found %v", err)
	}
}

// TestForeign: a file whose author may be anybody takes no hours.
func TestForeign(t *testing.T) {
	for text, want := range map[string]string{
		strings.Repeat("[", 100<<10):        "a.yaml:1: found more than 100 levels, one in another",
		strings.Repeat("\n- a\n- - ", 9000): "",
		"a: " + strings.Repeat("- ", 99999): "a.yaml:1: found more than 100 levels, one in another",
		strings.Repeat("[],\n", 99999):      "a.yaml: is longer than 256 KiB",
	} {
		if _, err := ParseForeign("a.yaml", []byte(text)); fmt.Sprint(err) != cmp.Or(want, "<nil>") {
			t.Errorf("%.10q…: found %v, expected %q", text, err, want)
		}
	}
}

// FuzzDecode: whatever stands in a file, it is read or refused.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{"name: a\nby: {x: {limit: 1}}\n", "parts: !x\n  a: 1\n", "... ", "name: &a x\nlist: *a\n", "? a\n: b\n", "<<: {name: a}\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Parse("a.yaml", []byte(text))
		if err == nil {
			err = file.DecodeStrict(new(value))
			file.Line("by.x", "parts[0]")
			file.Scalar("name")
			var all any
			_ = file.Decode(&all)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "a.yaml:") {
			t.Errorf("found %v, expected the file's name", err)
		}
	})
}
