// Package settings lists what a user may set about the matches that umpire
// plays: the name of each setting, how its value is written, its default and
// its help. The commands' flags and a tournament's configuration are made from
// it. It knows neither of them.
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
	Count         // a whole number of at least 1
	Number        // an unsigned whole number of 64 bits
	Duration      // as ParseDuration reads it
	Size          // as ParseSize reads it
	Choice        // one of Choices
)

// Setting is one thing that a user may set.
type Setting struct {
	Name    string // name of the flag, without dashes, and of the configuration's key
	Kind    Kind
	Choices []string // the values of a Choice
	Default string   // "" if the game or the case decides, or there is no default
	Env     string   // an environment variable that also sets it; "": none
	// Help describes the effect of the flag and shows its value's name in
	// backquotes; `|` lists the choices.
	Help string

	// Limit changes a match's limits by a value, which is wrong if there is an error; nil
	// if the setting is not a limit.
	Limit func(l *protocols.Limits, value string) error
}

// Flag returns the setting as written on a command line.
func (s Setting) Flag() string { return Flag(s.Name) }

// Flag returns the flag with a name, including its dashes.
func Flag(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// Usage returns Help with the choices filled in.
func (s Setting) Usage() string {
	return strings.Replace(s.Help, "`|`", "`"+strings.Join(s.Choices, "|")+"`", 1)
}

// Check returns an error if a value is not one of a Choice.
func (s Setting) Check(text string) error {
	if err := s.CheckValue(text); err != nil {
		return fmt.Errorf("%s: %w", s.Flag(), err)
	}
	return nil
}

// CheckValue returns an error, which does not name the setting, if a value is not a
// Duration, a Size or one of a Choice; the other kinds can't tell.
func (s Setting) CheckValue(text string) (err error) {
	switch s.Kind {
	case Choice:
		if !slices.Contains(s.Choices, text) {
			err = fmt.Errorf("found %q, expected %s", text, Or(s.Choices))
		}
	case Duration:
		_, err = ParseDuration(text)
	case Size:
		_, err = ParseSize(text)
	}
	return err
}

// Canonical returns the canonical way to write a value; one that can't be read
// is unchanged.
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

// Names returns the names of settings.
func Names(list []Setting) []string {
	names := make([]string, len(list))
	for i, s := range list {
		names[i] = s.Name
	}
	return names
}
