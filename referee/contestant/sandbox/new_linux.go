package sandbox

import (
	"fmt"
	"os"
)

// New returns the launcher of a level. That it can be made does not say that
// the machine keeps the level's promises: Choose does.
func New(level Level) (Launcher, error) {
	switch level {
	case None, Basic, Box, Strict:
		if level != None {
			if err := checkUser(); err != nil {
				return nil, err
			}
		}
		if _, err := sharedWarden(); err != nil {
			return nil, err
		}
		l := &launcher{level: level}
		if level == Strict {
			var err error
			if l.groups, err = newCgroups(); err != nil {
				return nil, err
			}
		}
		return l, nil
	}
	return nil, fmt.Errorf("unknown isolation level %q: %w", level, os.ErrInvalid)
}
