package sandbox

import (
	"fmt"
	"os"
)

// New returns the launcher of a level. That it can be made does not say that
// the machine keeps the level's promises: Choose does.
func New(level Level) (Launcher, error) {
	switch level {
	case None:
		return NewNone()
	case Basic, Box, Strict:
		w, err := sharedWarden()
		if err != nil {
			return nil, fmt.Errorf("start %s: %w", wardenName, err)
		}
		l := &launcher{level: level, warden: w}
		if level == Strict {
			if l.groups, err = newCgroups(); err != nil {
				return nil, err
			}
		}
		return l, nil
	}
	return nil, fmt.Errorf("unknown isolation level %q: %w", level, os.ErrInvalid)
}
