package tournament

import (
	"encoding/json"
	"fmt"
	"strings"

	"umpire/referee/settings"
)

// Schema returns the JSON schema of a configuration file, for editors.
func Schema() string {
	return `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "Tournament of umpire",
  "description": "Input of ` + "`umpire tournament --config FILE`" + `. Keys are named like the corresponding flags; flags override the file. Paths are relative to ` + "`folder`" + `, by default the folder that umpire is started in.",
  "type": "object",
  "additionalProperties": false,
  "properties": {
` + properties("", "    ") + `
  }
}
`
}

// properties returns the schema's properties for the keys below another key.
func properties(in, indent string) string {
	var list []string
	for _, k := range keys {
		if k.In == in {
			list = append(list, indent+quoted(k.Name)+": "+k.property(indent))
		}
	}
	return strings.Join(list, ",\n")
}

// property returns the schema's entry for a key.
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
        "anyOf": [{
          "type": "string",
          "minLength": 1,
          "description": "A bot as the command line names it: [NAME=]@NAME of a built-in bot, an executable or source file, or a command line."
        }, {
          "type": "object",
          "additionalProperties": false,
          "required": ["command"],
          %s
        }]
      }
    }`, k.form, quoted(k.About), below("      "))
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

// valueForm returns the schema of a key's value, with its default.
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
	case settings.Duration:
		return `"type": ["string", "number"]`
	case settings.Size: // a number needs a unit, unless it is 0
		return `"type": ["string", "integer"], "minimum": 0, "maximum": 0`
	case settings.Choice:
		choices := make([]string, len(k.Choices))
		for i, c := range k.Choices {
			choices[i] = quoted(c)
		}
		return `"enum": [` + strings.Join(choices, ", ") + "]" + byDefault
	}
	return `"type": "string"`
}

// quoted returns a text in JSON.
func quoted(text string) string {
	out, _ := json.Marshal(text) // a string can be marshalled
	return string(out)
}
