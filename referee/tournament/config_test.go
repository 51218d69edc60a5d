package tournament

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"umpire/referee/settings"
)

const wholeConfig = `game: toy
folder: /bots
bots:
  - name: alice
    command: ./alice.py
  - command: "@greedy"
format: swiss
case: c
cases: dir
group: g
n: 3
cases-per-pair: 4
seats: 2
rounds: 5
challengers: 1
tiebreaks: direct,buchholz
sprt: elo0=0,elo1=5
until: 10elo
seed: 18446744073709551615
budgets:
  time: 1s
  time-per-move: 100ms
  startup: 2
  clock: cpu
  memory: 256M
  grace: 20ms
isolation: none
pondering: freeze
jobs: 2
affinity: off
languages: rows.yaml
output: out
gather: 90s
absent: forfeit
idle: 1h
`

func TestReadConfig(t *testing.T) {
	c, err := ReadConfig("t.yaml", []byte(wholeConfig))
	must(t, err)
	if c.Bots[0].In("").Label != "alice=./alice.py" || c.Bots[1].In("").Label != "@greedy" || *c.Seed != 1<<64-1 || c.Affinity != "off" || c.Budgets.Startup != "2" {
		t.Errorf("%+v", c)
	}
	v := reflect.ValueOf(c)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Errorf("%s is not read", v.Type().Field(i).Name)
		}
	}
}

// TestBotsAsWords: a bot may be named as on the command line.
func TestBotsAsWords(t *testing.T) {
	c, err := ReadConfig("t.yaml", []byte("bots: [a.py, b=./b.py, \"@greedy\"]\n"))
	must(t, err)
	var labels []string
	for _, b := range c.Bots {
		labels = append(labels, b.In("").Label)
	}
	if got := strings.Join(labels, " "); got != "a.py b=./b.py @greedy" {
		t.Errorf("found %q", got)
	}
	mixed := "bots:\n- name: a\n  command: ./a\n- ./b\n"
	if c, err = ReadConfig("t.yaml", []byte(mixed)); err != nil || c.Bots[0].In("").Label != "a=./a" || c.Bots[1].In("").Label != "./b" {
		t.Errorf("%q: %+v, %v", mixed, c.Bots, err)
	}
}

func TestConfigErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"game: toy\nformt: swiss\n", `t.yaml:2: unknown key "formt"; did you mean format?`},
		{"budgets:\n  time: 1s\n  memroy: 1G\n", `t.yaml:3: unknown key "budgets.memroy"; did you mean budgets.memory?`},
		{"bots:\n  - name: a\n    command: b\n  - comand: x\n", `t.yaml:4: unknown key "bots.comand"; did you mean bots.command?`},
		{"time-per-mov: 1\n", `t.yaml:1: unknown key "time-per-mov"`},
		{"game: toy\nn: many\n", "t.yaml:2: "},
		{"game: [\n", "t.yaml:1: "},
		{"bots:\n  - name: a\n", "bots[0].command: found nothing"},
		{"bots:\n  - name: a@b\n    command: c\n", `bots[0].name: found "a@b"`},
		{"bots: [\"\"]\n", "bots[0].command: found nothing"},
		{"bots: [[a]]\n", "t.yaml:1: "},
		{"bots: [{command: [a]}]\n", "t.yaml:1: "},
		{"- x\n", "t.yaml:1: "},
		{"bots:\n  - a.py\n  - @greedy\n", `t.yaml:3: found @greedy, expected quotes around it: "@greedy"`},
		{"bots: [\"@random\", '@optimal', @toy/greedy-2]\n", `t.yaml:1: found @toy/greedy-2, expected quotes around it: "@toy/greedy-2"`},
		{"bots: [{command: @greedy}]\n", `t.yaml:1: found @greedy, `},
		{"game: @\n", "t.yaml:1: "},
		{"game: a\ngame: b\n", "t.yaml:2: "},
	} {
		_, err := ReadConfig("t.yaml", []byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: error %v, expected %q", c.text, err, c.want)
		}
	}
	if _, err := ReadConfig("t.yaml", nil); err != nil {
		t.Errorf("empty: %v", err)
	}
}

// TestSchema: the schema knows exactly the keys of a configuration, and the values and
// defaults of those that are flags.
func TestSchema(t *testing.T) {
	var schema map[string]any
	must(t, json.Unmarshal([]byte(Schema), &schema))
	for _, k := range keys {
		at := schema
		if k.In != "" {
			at = at["properties"].(map[string]any)[k.In].(map[string]any)
		}
		found := maps.Clone(at["properties"].(map[string]any)[k.Name].(map[string]any))
		delete(found, "description")
		if diff := cmp.Diff(valuesOf(k), found); diff != "" {
			t.Errorf("%s: expected (-), found (+) in the schema:\n%s", k.Name, diff)
		}
	}
	compareSchema(t, "", schema, reflect.TypeFor[Config]())
}

// valuesOf returns the constraints of a schema on the values of a key.
func valuesOf(k Key) map[string]any {
	values := map[string]any{"type": "string"}
	number, _ := strconv.ParseFloat(k.Default, 64)
	var byDefault any = number
	switch k.Kind {
	case settings.Count:
		values = map[string]any{"type": "integer", "minimum": 1.}
		if k.Name == "seats" {
			values["minimum"] = 2.
		}
	case settings.Number:
		values = map[string]any{"type": "integer", "minimum": 0.}
	case settings.Duration:
		return map[string]any{"type": []any{"string", "number"}} // a default is in the description of the flag
	case settings.Size: // a number needs a unit, unless it is 0
		values = map[string]any{"type": []any{"string", "integer"}, "minimum": 0., "maximum": 0.}
	case settings.Choice:
		choices := []any{}
		for _, c := range k.Choices {
			choices = append(choices, c)
		}
		values, byDefault = map[string]any{"enum": choices}, k.Default
	}
	if k.Default != "" {
		values["default"] = byDefault
	}
	return values
}

func compareSchema(t *testing.T, where string, schema map[string]any, typ reflect.Type) {
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if typ.Kind() == reflect.Slice {
		compareSchema(t, where+"[]", schema["items"].(map[string]any), typ.Elem())
		return
	}
	if typ.Kind() != reflect.Struct {
		return
	}
	if forms, ok := schema["anyOf"].([]any); ok { // a bot: words, or a mapping
		if first := forms[0].(map[string]any); first["type"] != "string" || len(forms) != 2 {
			t.Errorf("%s: %d forms, the first of type %v", where, len(forms), first["type"])
		}
		schema = forms[1].(map[string]any)
	}
	if schema["additionalProperties"] != false {
		t.Errorf("%s: allows further keys", where)
	}
	properties := schema["properties"].(map[string]any)
	for i := range typ.NumField() {
		if !typ.Field(i).IsExported() {
			continue
		}
		name, _, _ := strings.Cut(typ.Field(i).Tag.Get("yaml"), ",")
		property, ok := properties[name].(map[string]any)
		if !ok {
			t.Errorf("%s.%s is not in the schema", where, name)
			continue
		}
		if property["description"] == nil {
			t.Errorf("%s.%s has no description", where, name)
		}
		delete(properties, name)
		compareSchema(t, where+"."+name, property, typ.Field(i).Type)
	}
	for name := range properties {
		t.Errorf("%s.%s is no key of the file", where, name)
	}
}

// TestKeys: every key that is a flag has a field, which gives back what it is
// set to; that the other way round each field has a key, the schema shows.
func TestKeys(t *testing.T) {
	want, err := ReadConfig("t.yaml", []byte(wholeConfig))
	must(t, err)
	got := Config{Game: want.Game, Folder: want.Folder, Bots: want.Bots, Output: want.Output}
	for _, k := range Flags() {
		if text := got.Get(k); text != "" {
			t.Errorf("%s: found %q before it is set", k.Name, text)
		}
		text := want.Get(k)
		if text == "" {
			t.Errorf("%s: found nothing, the file sets it", k.Name)
		}
		got.Set(k, text)
	}
	if want.lines = nil; !reflect.DeepEqual(got, want) {
		t.Errorf("found %+v, expected %+v", got, want)
	}
}

// TestConfigText: what is written for a run folder is read as it was, whatever a bot's
// file is called.
func TestConfigText(t *testing.T) {
	for _, name := range []string{"a.py", "a\rb", "a\tb", "a\nb", "\x01", "a: b", "# c", `"q" 'q'`, "围棋", "- x"} {
		want := Config{Bots: []Entrant{{Name: name, Command: "./" + name}}}
		text, err := want.text()
		must(t, err)
		if got, err := ReadConfig("t.yaml", text); err != nil || !slices.Equal(got.Bots, want.Bots) {
			t.Errorf("%q: found %q, error %v, in\n%s", name, got.Bots, err, text)
		}
	}
}
