package session

import (
	"fmt"
	"strings"

	"umpire/referee/program/build"
)

// Mistake is an error that the user can mend, in what was asked for or in a file.
type Mistake struct{ error }

func (m *Mistake) Unwrap() error { return m.error }

// Mistaken marks an error as one that the user can mend, unless it is one of this
// machine, such as a full disk; nil stays nil.
func Mistaken(err error) error {
	if err == nil || build.IsMachines(err) {
		return err
	}
	return &Mistake{err}
}

// mistakef returns a new error that the user can mend.
func mistakef(format string, args ...any) error { return Mistaken(fmt.Errorf(format, args...)) }

// listed lists the known names of a thing, or the first of many.
func listed(thing string, known []string) string {
	const most = 12
	if len(known) == 0 {
		return "there are no " + thing + "s yet"
	}
	if len(known) > most {
		return fmt.Sprintf("there are %d %ss: %s …", len(known), thing, strings.Join(known[:most], ", "))
	}
	return "the " + thing + "s are " + strings.Join(known, ", ")
}
