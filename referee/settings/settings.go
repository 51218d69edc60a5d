// Package settings is what a user may set about the matches that umpire plays:
// the name of each setting, how its value is written, its default and its help.
// The commands' flags and a tournament's configuration are made of it. It knows
// neither of them.
package settings

import (
	"fmt"
	"slices"
	"strings"

	"umpire/protocols"
)

// Kind is how the value of a setting is written.
type Kind int

// The kinds.
const (
	Text     Kind = iota
	Count         // a whole number of at least Min
	Number        // a whole number of 64 bits, without sign
	Duration      // as ParseDuration reads it
	Size          // as ParseSize reads it
	Choice        // one of Choices
)

// Setting is one thing that a user may set.
type Setting struct {
	Name    string // of the flag, without dashes, and of the configuration's key
	Kind    Kind
	Choices []string // of a Choice
	Min     int      // of a Count
	Default string   // "" where the game or the case decides, or there is none
	Env     string   // a variable of the environment that sets it as well; "": none
	// Help is what the flag does, with what stands for its value in backquotes;
	// `|` are the choices.
	Help string

	// limits reads the value as a change of a match's limits; nil if the setting
	// is none of them.
	limits func(text string) (func(*protocols.Limits), error)
}

// Flag is the setting as it is written on a command line.
func (s Setting) Flag() string { return Flag(s.Name) }

// Flag is the flag of a name, with its dashes.
func Flag(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// Usage is Help with the choices in it.
func (s Setting) Usage() string {
	return strings.Replace(s.Help, "`|`", "`"+strings.Join(s.Choices, "|")+"`", 1)
}

// Check reports what is wrong with the value of a Choice.
func (s Setting) Check(text string) error {
	if slices.Contains(s.Choices, text) {
		return nil
	}
	return fmt.Errorf("%s: found %q, expected %s", s.Flag(), text, Or(s.Choices))
}

// Canonical is a value in one of the ways to write it; one that can't be read
// stays as it is.
func (s Setting) Canonical(text string) string {
	switch s.Kind {
	case Duration:
		if d, err := ParseDuration(text); err == nil {
			return d.String()
		}
	case Size:
		if n, err := ParseSize(text); err == nil {
			return fmt.Sprint(n, " bytes")
		}
	}
	return text
}

// Or lists words as alternatives: "a, b or c".
func Or(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// Names are the names of settings.
func Names(list []Setting) []string {
	names := make([]string, len(list))
	for i, s := range list {
		names[i] = s.Name
	}
	return names
}
