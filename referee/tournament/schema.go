package tournament

import (
	"encoding/json"
	"fmt"
	"strings"

	"umpire/referee/settings"
)

// Schema is the JSON schema of a configuration file, for editors.
func Schema() string {
	return `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "Tournament of umpire",
  "description": "What ` + "`umpire tournament --config FILE`" + ` reads. Keys are named as the flags that mean the same; flags override the file. Paths are relative to ` + "`folder`" + `, by default the folder that umpire is started in.",
  "type": "object",
  "additionalProperties": false,
  "properties": {
` + properties("", "    ") + `
  }
}
`
}

// properties are the properties of the keys that stand below another one.
func properties(in, indent string) string {
	var list []string
	for _, k := range keys {
		if k.In == in {
			list = append(list, indent+quoted(k.Name)+": "+k.property(indent))
		}
	}
	return strings.Join(list, ",\n")
}

// property is what the schema says of a key.
func (k Key) property(indent string) string {
	below := func(deeper string) string {
		in := indent + deeper
		return fmt.Sprintf(`"properties": {
%s
%s}`, properties(k.Name, in+"  "), in)
	}
	switch k.Name {
	case "bots":
		return fmt.Sprintf(`{
      %s,
      "description": %s,
      "items": {
        "type": "object",
        "additionalProperties": false,
        "required": ["command"],
        %s
      }
    }`, k.form, quoted(k.About), below("    "))
	case "budgets":
		return fmt.Sprintf(`{
      %s,
      "additionalProperties": false,
      "description": %s,
      %s
    }`, k.form, quoted(k.About), below("  "))
	}
	return fmt.Sprintf(`{ %s, "description": %s }`, k.valueForm(), quoted(k.About))
}

// valueForm is how a value is written, and its default.
func (k Key) valueForm() string {
	byDefault := ""
	switch {
	case k.form != "":
		return k.form
	case k.Default == "":
	case k.Kind == settings.Choice:
		byDefault = `, "default": ` + quoted(k.Default)
	default:
		byDefault = `, "default": ` + k.Default
	}
	switch k.Kind {
	case settings.Count:
		return fmt.Sprintf(`"type": "integer", "minimum": %d`, k.Min) + byDefault
	case settings.Number:
		return `"type": "integer", "minimum": 0` + byDefault
	case settings.Duration, settings.Size:
		return `"type": ["string", "number"]`
	case settings.Choice:
		choices := make([]string, len(k.Choices))
		for i, c := range k.Choices {
			choices[i] = quoted(c)
		}
		return `"enum": [` + strings.Join(choices, ", ") + "]" + byDefault
	}
	return `"type": "string"`
}

// quoted is a text in JSON.
func quoted(text string) string {
	out, _ := json.Marshal(text) // a string can be marshalled
	return string(out)
}
