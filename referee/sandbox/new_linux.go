package sandbox

import (
	"fmt"
	"os"

	"umpire/referee"
	"umpire/referee/sandbox/cgroup"
)

// New returns the launcher of a level. That it can be made does not say that
// the machine keeps the level's promises: Choose does.
func New(level referee.Level) (Launcher, error) {
	switch level {
	case referee.LevelNone, referee.LevelBasic, referee.LevelBox, referee.LevelStrict:
		if level != referee.LevelNone {
			if err := checkUser(); err != nil {
				return nil, err
			}
		}
		if _, err := sharedForkServer(); err != nil {
			return nil, err
		}
		l := &launcher{level: level}
		if level == referee.LevelStrict {
			var err error
			if l.groups, err = cgroup.Find(); err != nil {
				return nil, err
			}
		}
		return l, nil
	}
	return nil, fmt.Errorf("unknown isolation level %q: %w", level, os.ErrInvalid)
}
